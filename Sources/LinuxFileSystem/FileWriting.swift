internal import CLinux
import Glibc
package import SystemPackage

extension OwnedDescriptor {
  /// `openat(2)` of a new file for writing: `O_CREAT | O_EXCL`, so that it is nobody else's and no symbolic link.
  package static func create(
    _ name: NameView, in directory: borrowing OwnedDescriptor, permissions: UInt32
  ) throws(Errno) -> OwnedDescriptor {
    let parent = directory.number
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY
    return OwnedDescriptor(
      owning: try retryingOnInterrupt { unsafe clinux_openat(parent, name.cString, flags, permissions) })
  }

  /// `write(2)` until all is written.
  package borrowing func write(all bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let part = unsafe rest
      let count = try retryingOnInterrupt { unsafe Glibc.write(number, part.baseAddress, part.count) }
      unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// `fsync(2)`.
  package borrowing func synchronize() throws(Errno) {
    _ = try retryingOnInterrupt { Glibc.fsync(number) }
  }

  /// `fchmod(2)`.
  package borrowing func setPermissions(_ permissions: UInt32) throws(Errno) {
    _ = try retryingOnInterrupt { Glibc.fchmod(number, permissions) }
  }

  /// `futimens(2)`: the time of the last change of content; that of the last access stays.
  package borrowing func setModified(_ nanoseconds: Int64) throws(Errno) {
    let times = FileTimes.modified(nanoseconds)
    _ = try retryingOnInterrupt { unsafe Glibc.futimens(number, times) }
  }

  /// `syncfs(2)`: brings everything on the file system to the disk.
  package borrowing func synchronizeFileSystem() throws(Errno) {
    _ = try retryingOnInterrupt { Glibc.syncfs(number) }
  }

  /// `fchown(2)`.
  ///
  /// What is not given stays as it is.
  package borrowing func setOwner(_ owner: UInt32? = nil, group: UInt32? = nil) throws(Errno) {
    _ = try retryingOnInterrupt { Glibc.fchown(number, owner ?? .max, group ?? .max) }
  }
}

/// Changing the names in directories.
package enum DirectoryChange {
  /// `renameat2(2)`.
  ///
  /// An object at the new name is replaced, or with `RENAME_NOREPLACE` an error (EEXIST).
  package static func rename(
    _ name: NameView, in directory: borrowing OwnedDescriptor, to newName: NameView,
    in newDirectory: borrowing OwnedDescriptor, replacing: Bool
  ) throws(Errno) {
    let (from, to) = (directory.number, newDirectory.number)
    let flags: UInt32 = replacing ? 0 : 1  // RENAME_NOREPLACE
    _ = try retryingOnInterrupt { unsafe clinux_renameat2(from, name.cString, to, newName.cString, flags) }
  }

  /// `linkat(2)`: one more name, which must not exist, for a file that has one.
  package static func link(
    _ name: NameView, in directory: borrowing OwnedDescriptor, to newName: NameView,
    in newDirectory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let (from, to) = (directory.number, newDirectory.number)
    _ = try retryingOnInterrupt { unsafe clinux_linkat(from, name.cString, to, newName.cString, 0) }
  }

  /// `unlinkat(2)` of anything but a directory.
  package static func unlink(_ name: NameView, in directory: borrowing OwnedDescriptor) throws(Errno) {
    let parent = directory.number
    _ = try retryingOnInterrupt { unsafe Glibc.unlinkat(parent, name.cString, 0) }
  }
}
