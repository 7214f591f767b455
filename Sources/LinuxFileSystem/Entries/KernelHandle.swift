internal import CLinux
package import SystemPackage

/// A handle, with the bytes that contain the inode number.
package struct KernelHandle: Hashable, Sendable {
  package let handle: FileHandle
  /// The identifier of the file system in `fstatfs(2)`.
  package let fileSystem: UInt64
  /// The number of bytes.
  package let count: Int
  /// The first 16 bytes.
  package let words: (UInt64, UInt64)

  package init(fileSystem: UInt64, type: Int32, bytes: UnsafeRawBufferPointer) {
    var digest = Digest()
    digest.combine(fileSystem)
    digest.combine(UInt64(UInt32(bitPattern: type)))
    unsafe digest.combine(bytes)
    handle = FileHandle(digest: digest)
    self.fileSystem = fileSystem
    count = bytes.count
    words = unsafe (bytes.word(at: 0), bytes.word(at: 8))
  }

  /// A handle of 16 bytes.
  package init(fileSystem: UInt64, words: (UInt64, UInt64)) {
    let bytes: [2 of UInt64] = [words.0.littleEndian, words.1.littleEndian]
    self = unsafe bytes.span.withUnsafeBytes { unsafe KernelHandle(fileSystem: fileSystem, type: 0, bytes: $0) }
  }

  package static func == (one: Self, other: Self) -> Bool { one.handle == other.handle }
  package func hash(into hasher: inout Hasher) { hasher.combine(handle) }
}

extension KernelHandle {
  /// The kernel's limit; most file systems need 8 to 32 bytes.
  package static let longest = 128

  /// `name_to_handle_at(2)` and `fstatfs(2)` of a descriptor, which may have `O_PATH`.
  ///
  /// - Throws: EOPNOTSUPP if the file system has no handles.
  package static func of(_ descriptor: borrowing OwnedDescriptor) throws(Errno) -> KernelHandle {
    try located(descriptor).0
  }

  /// The handle and the mount through which the file was opened.
  package static func located(
    _ descriptor: borrowing OwnedDescriptor
  ) throws(Errno) -> (KernelHandle, mount: MountNumber) {
    let fileSystem = try FileSystemDescription.of(descriptor).identifier
    return try located(descriptor) { (_) throws(Errno) in fileSystem }
  }

  /// The handle and the mount, for callers that know the identifiers of file systems by mount.
  package static func located(
    _ descriptor: borrowing OwnedDescriptor, identifier: (MountNumber) throws(Errno) -> UInt64
  ) throws(Errno) -> (KernelHandle, mount: MountNumber) {
    let number = descriptor.number
    return unsafe try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) {
      (room) throws(Errno) -> (KernelHandle, MountNumber) in
      var count = UInt32(room.count)
      var (type, found): (CInt, CInt) = (0, 0)
      _ = try retryingOnInterrupt { unsafe clinux_file_handle(number, room.baseAddress, &count, &type, &found) }
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<min(room.count, Int(count))])
      let mount = MountNumber(rawValue: found)
      return (unsafe KernelHandle(fileSystem: try identifier(mount), type: type, bytes: bytes), mount)
    }
  }
}
