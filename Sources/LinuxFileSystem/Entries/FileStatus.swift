internal import CLinux
import Glibc
package import SystemPackage

/// The status of an inode, according to `statx(2)`.
package struct FileStatus: Equatable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  /// Birth time in nanoseconds since the epoch; 0 if the file system has none.
  package var born: Int64
  package var kind: FileKind
  package var linkCount: UInt32
  package var size: Int64
  /// Time of the last change of content, in nanoseconds since the epoch.
  package var modified: Int64
  /// Time of the last change of the inode, in nanoseconds since the epoch.
  package var changed: Int64
  /// Permission bits.
  package var permissions: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// Whether even its owner cannot change it (chattr(1), `+i` or `+a`).
  package var isImmutable = false
  /// Whether it should stay untagged although it could be tagged: a tag would copy it up from a lower layer of an
  /// overlay.
  package var isSpared = false

  package init(
    device: UInt64, inode: UInt64, born: Int64, kind: FileKind, linkCount: UInt32 = 1, size: Int64 = 0,
    modified: Int64 = 0, changed: Int64 = 0, permissions: UInt32 = 0o644, owner: UInt32 = 0, group: UInt32 = 0
  ) {
    self.device = device
    self.inode = inode
    self.born = born
    self.kind = kind
    self.linkCount = linkCount
    self.size = size
    self.modified = modified
    self.changed = changed
    self.permissions = permissions
    self.owner = owner
    self.group = group
  }

  init(_ raw: clinux_status) {
    let kind: FileKind =
      switch mode_t(raw.mode) & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symlink
      default: .special
      }
    self.init(
      device: raw.device, inode: raw.inode, born: raw.born, kind: kind, linkCount: raw.link_count, size: raw.size,
      modified: raw.modified, changed: raw.changed, permissions: raw.mode & 0o7777, owner: raw.owner, group: raw.group)
    isImmutable = raw.attributes & Self.immutableAttributes != 0
  }

  /// `STATX_ATTR_IMMUTABLE` and `STATX_ATTR_APPEND`.
  private static let immutableAttributes: UInt64 = 0x10 | 0x20
}

extension FileStatus {
  /// `statx(2)` of a name in a directory, without following a symbolic link.
  ///
  /// Network and FUSE file systems are asked for the present state: the kernel's copy may be a minute old, and show a
  /// changed folder or a removed file as before.
  package static func of(
    _ name: NameView, in directory: borrowing OwnedDescriptor
  ) throws(Errno) -> FileStatus {
    var raw = clinux_status()
    let parent = directory.number
    _ = try retryingOnInterrupt { unsafe clinux_statx(parent, name.cString, lookFlags, &raw) }
    return FileStatus(raw)
  }

  static var lookFlags: CInt { AT_SYMLINK_NOFOLLOW | clinux_AT_STATX_FORCE_SYNC }

  /// `statx(2)` of an open descriptor, `O_PATH` ones included.
  ///
  /// Network and FUSE file systems are asked for the present state.
  package static func of(_ descriptor: borrowing OwnedDescriptor) throws(Errno) -> FileStatus {
    var raw = clinux_status()
    let number = descriptor.number
    let flags = clinux_AT_EMPTY_PATH | clinux_AT_STATX_FORCE_SYNC
    _ = try retryingOnInterrupt { unsafe clinux_statx(number, "", flags, &raw) }
    return FileStatus(raw)
  }

  /// `statx(2)` of a path, without following a link in its last component by default.
  package static func of(path: FilePath, followingLink: Bool = false) throws(Errno) -> FileStatus {
    var raw = clinux_status()
    let flags = followingLink ? 0 : AT_SYMLINK_NOFOLLOW
    _ = try unsafe path.withCString { (cString) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe clinux_statx(AT_FDCWD, cString, flags, &raw) }
    }
    return FileStatus(raw)
  }
}
