internal import CLinux
import Glibc
package import SystemPackage

extension OwnedDescriptor {
  /// `openat(2)` of a new file for writing, with `O_CREAT | O_EXCL`: it is no existing file and no symbolic link.
  package static func create(
    _ name: NameView, in directory: borrowing OwnedDescriptor, permissions: UInt32
  ) throws(Errno) -> OwnedDescriptor {
    let parent = directory.number
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY
    return OwnedDescriptor(
      owning: try retryingOnInterrupt { unsafe clinux_openat(parent, name.cString, flags, permissions) })
  }

  /// `write(2)` of all bytes.
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

  /// `futimens(2)`: sets the modification time, and keeps the access time.
  package borrowing func setModified(_ nanoseconds: Int64) throws(Errno) {
    let times = FileTimes.modified(nanoseconds)
    _ = try retryingOnInterrupt { unsafe Glibc.futimens(number, times) }
  }

  /// `syncfs(2)`: writes the whole file system to the disk.
  package borrowing func synchronizeFileSystem() throws(Errno) {
    _ = try retryingOnInterrupt { Glibc.syncfs(number) }
  }

  /// `fchown(2)`.
  ///
  /// A missing argument keeps its value.
  package borrowing func setOwner(_ owner: UInt32? = nil, group: UInt32? = nil) throws(Errno) {
    _ = try retryingOnInterrupt { Glibc.fchown(number, owner ?? .max, group ?? .max) }
  }
}
