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
