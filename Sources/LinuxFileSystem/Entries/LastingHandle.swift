internal import CLinux
package import SystemPackage

/// The kernel's handle of a file as its bytes, which may be stored: it outlasts a restart of the machine.
///
/// It contains the inode number and its generation, so that it is never the handle of another file.
package struct LastingHandle: Hashable, Sendable {
  /// The type of the bytes, which only the file system understands.
  package let type: Int32
  package let bytes: [UInt8]

  /// Takes a handle from where it was stored; `nil` if it is longer than any.
  package init?(type: Int32, bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= KernelHandle.longest else { return nil }
    self.type = type
    self.bytes = bytes
  }

  /// The handle of an open file, for which `O_PATH` is enough; `nil` if its file system has no lasting handles.
  package static func of(_ descriptor: borrowing OwnedDescriptor, on type: FileSystemType) -> LastingHandle? {
    guard type.hasLastingHandles else { return nil }
    let number = descriptor.number
    var bytes = [UInt8](repeating: 0, count: KernelHandle.longest)
    var count = UInt32(bytes.count)
    var kind: CInt = 0
    let code = unsafe bytes.withUnsafeMutableBufferPointer { room in
      try? retryingOnInterrupt { unsafe clinux_lasting_handle(number, room.baseAddress, &count, &kind) }
    }
    return code == nil ? nil : LastingHandle(type: kind, bytes: Array(bytes.prefix(Int(count))))
  }

  /// Opens the file as a place (`O_PATH`), wherever it is on its file system.
  ///
  /// - Parameter mount: An open directory of the file system, not with `O_PATH`.
  /// - Throws: ESTALE if the file is gone; EPERM without the capability CAP_DAC_READ_SEARCH.
  package func open(on mount: borrowing OwnedDescriptor) throws(Errno) -> OwnedDescriptor {
    let (number, type) = (mount.number, type)
    let found = try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe clinux_open_by_handle(number, bytes.baseAddress, UInt32(bytes.count), type) }
    }
    return OwnedDescriptor(owning: found)
  }
}
