internal import CLinux
package import SystemPackage

/// The handle by which the kernel names a file (`name_to_handle_at(2)`).
///
/// Other than an inode number, it never comes to stand for another file.
package struct FileHandle: Hashable, Sendable {
  private let digest: Digest

  package init(digest: Digest) {
    self.digest = digest
  }

  /// A number that another handle hardly ever has.
  package var number: UInt64 { digest.high }

  /// A digest of the file and of a name in it, should it be a directory.
  package func combined(with other: Digest) -> Digest {
    var combined = digest
    combined.combine(other.high)
    combined.combine(other.low)
    return combined
  }

  /// The name of an entry of this directory, as a digest.
  package func place(_ name: UnsafeBufferPointer<UInt8>) -> Digest {
    var place = digest
    unsafe place.combine(UnsafeRawBufferPointer(name))
    return place
  }
}

/// A handle together with what of it shows the inode number.
package struct KernelHandle: Hashable, Sendable {
  package let handle: FileHandle
  /// The file system, as `fstatfs(2)` tells it.
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
  /// Most file systems need 8 to 32 bytes; the kernel's own limit is this.
  package static let longest = 128

  /// `name_to_handle_at(2)` and `fstatfs(2)` of what is open, `O_PATH` descriptors included.
  ///
  /// EOPNOTSUPP: the file system gives no handles.
  package static func of(_ descriptor: borrowing OwnedDescriptor) throws(Errno) -> KernelHandle {
    try located(descriptor).0
  }

  /// The same, with the mount through which it was opened.
  package static func located(
    _ descriptor: borrowing OwnedDescriptor
  ) throws(Errno) -> (KernelHandle, mount: MountNumber) {
    let fileSystem = try FileSystemDescription.of(descriptor).identifier
    return try located(descriptor) { (_) throws(Errno) in fileSystem }
  }

  /// The same, for those who know the identifiers of file systems by their mounts.
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

/// Where the inode number stands in the handles of a file system.
///
/// That is the file system's own business. So it is found out, by directories whose numbers are known, and not taken
/// for granted.
package struct InodeRule: Equatable, Sendable {
  private enum Field: CaseIterable {
    case wholeFirst, wholeAfterFour, half

    func number(in handle: KernelHandle) -> UInt64? {
      let (first, second) = handle.words
      return switch self {
      case .wholeFirst where handle.count >= 12: first
      case .wholeAfterFour where handle.count >= 12: first >> 32 | second << 32
      case .half where handle.count == 8: first & 0xffff_ffff
      default: nil
      }
    }
  }

  private var possible: [Field] = Field.allCases
  private var samples = 0
  /// So many directories are compared before a rule is trusted for good.
  private static let enough = 16

  package init() {}

  /// Whether more directories should be compared.
  package var wantsSamples: Bool { samples < Self.enough && !possible.isEmpty }

  /// Takes in the handle of a directory whose number is known.
  package mutating func learn(_ handle: KernelHandle, inode: UInt64) {
    samples += 1
    possible.removeAll { $0.number(in: handle) != inode }
  }

  /// The inode number of a file; 0 where it is not known.
  package func inode(of handle: KernelHandle) -> UInt64 {
    guard samples > 0, possible.count == 1 else { return 0 }
    return possible[0].number(in: handle) ?? 0
  }
}
