internal import CLinux
import Glibc
package import SystemPackage

extension DirectoryChange {
  /// `renameat2(2)` with `RENAME_EXCHANGE`: two items change places in one step.
  ///
  /// EINVAL, ENOSYS or EOPNOTSUPP: the file system cannot do it.
  package static func exchange(
    _ name: NameView, in directory: borrowing OwnedDescriptor, with other: NameView,
    in otherDirectory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let (from, to) = (directory.number, otherDirectory.number)
    _ = try retryingOnInterrupt { unsafe clinux_renameat2(from, name.cString, to, other.cString, 2) }
  }

  /// `mkdirat(2)`.
  package static func makeDirectory(
    _ name: NameView, in directory: borrowing OwnedDescriptor, permissions: UInt32
  ) throws(Errno) {
    let parent = directory.number
    _ = try retryingOnInterrupt { unsafe Glibc.mkdirat(parent, name.cString, permissions) }
  }

  /// `unlinkat(2)` of an empty directory.
  package static func removeDirectory(_ name: NameView, in directory: borrowing OwnedDescriptor) throws(Errno) {
    let parent = directory.number
    _ = try retryingOnInterrupt { unsafe Glibc.unlinkat(parent, name.cString, AT_REMOVEDIR) }
  }

  /// `linkat(2)` of a file below a directory, which is given by its path from there.
  package static func link(
    _ path: FilePath, below top: borrowing OwnedDescriptor, to name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let (from, to) = (top.number, directory.number)
    _ = try unsafe path.withCString { (path) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe clinux_linkat(from, path, to, name.cString, 0) }
    }
  }
}

/// Symbolic links, which are never followed.
package enum SymbolicLink {
  /// `readlinkat(2)`: what the link points at.
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

  /// `utimensat(2)` of the link itself: the time of the last change of content.
  package static func setModified(
    _ nanoseconds: Int64, of name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let parent = directory.number
    let times = FileTimes.modified(nanoseconds)
    _ = try retryingOnInterrupt { unsafe Glibc.utimensat(parent, name.cString, times, AT_SYMLINK_NOFOLLOW) }
  }
}
