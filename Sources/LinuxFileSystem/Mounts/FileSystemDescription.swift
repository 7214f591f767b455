internal import CLinux
package import SystemPackage

/// The file system of a descriptor, according to `fstatfs(2)`.
package struct FileSystemDescription: Equatable, Sendable {
  /// The magic number of the type, as in `statfs(2)`.
  package var type: UInt64
  /// The identifier; 0 if the file system has none.
  package var identifier: UInt64
  /// Whether it is mounted read-only.
  package var isReadOnly: Bool

  /// `fstatfs(2)`.
  package static func of(_ descriptor: borrowing OwnedDescriptor) throws(Errno) -> FileSystemDescription {
    var type: UInt64 = 0
    var identifier: UInt64 = 0
    var isReadOnly: CInt = 0
    let number = descriptor.number
    _ = try retryingOnInterrupt { unsafe clinux_fstatfs(number, &type, &identifier, &isReadOnly) }
    return FileSystemDescription(type: type, identifier: identifier, isReadOnly: isReadOnly != 0)
  }
}
