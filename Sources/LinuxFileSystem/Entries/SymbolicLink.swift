import Glibc
package import SystemPackage

/// Symbolic links, which are never followed.
package enum SymbolicLink {
  /// `readlinkat(2)`: the target of the link.
  package static func target(of name: NameView, in directory: borrowing OwnedDescriptor) throws(Errno) -> FilePath {
    let parent = directory.number
    let capacity = Int(PATH_MAX)
    return try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity + 1) {
      (buffer) throws(Errno) -> FilePath in
      guard let start = buffer.baseAddress else { throw .noMemory }
      let count = try retryingOnInterrupt { unsafe Glibc.readlinkat(parent, name.cString, start, capacity) }
      unsafe buffer[count] = 0
      return FilePath(bytes: unsafe buffer[..<count].map { UInt8(bitPattern: $0) })
    }
  }

  /// `symlinkat(2)`.
  package static func make(
    _ name: NameView, in directory: borrowing OwnedDescriptor, pointingAt target: FilePath
  ) throws(Errno) {
    let parent = directory.number
    _ = try unsafe target.withCString { (target) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe Glibc.symlinkat(target, parent, name.cString) }
    }
  }

  /// `fchownat(2)` of the link itself.
  package static func setOwner(
    _ owner: UInt32, group: UInt32, of name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let parent = directory.number
    _ = try retryingOnInterrupt { unsafe Glibc.fchownat(parent, name.cString, owner, group, AT_SYMLINK_NOFOLLOW) }
  }

  /// `utimensat(2)` of the link itself: sets the modification time.
  package static func setModified(
    _ nanoseconds: Int64, of name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let parent = directory.number
    let times = FileTimes.modified(nanoseconds)
    _ = try retryingOnInterrupt { unsafe Glibc.utimensat(parent, name.cString, times, AT_SYMLINK_NOFOLLOW) }
  }
}
