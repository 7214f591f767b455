package import SystemPackage

/// The type of a file system, as far as observation depends on it.
package struct FileSystemType: Hashable, Sendable {
  /// The magic number of `statfs(2)`.
  package var magic: UInt64

  package init(magic: UInt64) {
    self.magic = magic
  }

  package static let overlay = FileSystemType(magic: 0x794c_7630)
  package static let fuse = FileSystemType(magic: 0x6573_5546)

  /// File systems that other hosts change without events of this kernel, with their types in `statfs(2)`.
  private static let shared: [UInt64: String] = [
    0x6969: "nfs", 0x517b: "smbfs", 0xfe53_4d42: "smb3", 0xff53_4d42: "cifs", 0x0102_1997: "9p",
    0x5346_414f: "afs", 0x7375_7245: "coda", 0x00c3_6400: "ceph", 0x0bd0_0bd0: "lustre", 0x4750_4653: "gpfs",
    0x7461_636f: "ocfs2", 0x0116_1970: "gfs2", 0x786f_4256: "vboxsf", 0xbacb_acbc: "vmhgfs", 0x7c7c_6673: "prl_fs",
  ]

  private static let local: [UInt64: String] = [
    0xef53: "ext4", 0x5846_5342: "xfs", 0x9123_683e: "btrfs", 0x0102_1994: "tmpfs", 0x794c_7630: "overlay",
    0xf2f5_2010: "f2fs", 0x4d44: "vfat", 0x2011_bab0: "exfat", 0x7366_746e: "ntfs3", 0x2fc1_2fc1: "zfs",
    0xca45_1a4e: "bcachefs", 0x9660: "iso9660", 0x7371_7368: "squashfs", 0xe0f5_e1e2: "erofs", 0x8584_58f6: "ramfs",
  ]

  /// The name of the type; its number if it has no name here.
  package var name: String {
    if self == .fuse { return "fuse" }
    return Self.shared[magic] ?? Self.local[magic] ?? "0x" + String(magic, radix: 16)
  }

  /// Whether a mount has one identifier; on btrfs each subvolume has its own.
  package var hasOneIdentifier: Bool {
    switch magic {
    case 0xef53, 0x5846_5342, 0x0102_1994, 0xf2f5_2010: true  // ext4, xfs, tmpfs, f2fs
    default: false
    }
  }

  /// Whether the inode number of a file stays the same as long as the file exists.
  ///
  /// FAT and exFAT give a file a number when they first look at it, and again after the next mount. So does the program
  /// of a FUSE file system, unless it knows better.
  package var hasLastingInodeNumbers: Bool {
    switch magic {
    case 0x4d44, 0x2011_bab0, 0x6573_5546: false  // vfat, exfat, fuse
    default: true
    }
  }

  /// Whether the handle of a file (name_to_handle_at(2)) stays the same as long as the file exists, and is never that of
  /// another.
  package var hasLastingHandles: Bool {
    switch magic {
    case 0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0xf2f5_2010: true  // ext4, xfs, btrfs, tmpfs, f2fs
    default: false
    }
  }

  /// Whether `XATTR_CREATE` never replaces an attribute (setxattr(2)).
  ///
  /// The listed file systems look and write under one lock. A FUSE or network file system decides for itself, and cifs
  /// ignores the flag.
  package var createsAttributesExclusively: Bool {
    switch magic {
    case 0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0xf2f5_2010: true  // ext4, xfs, btrfs, tmpfs, f2fs
    default: false
    }
  }

  /// Whether a change after a look has another time of change than the look found (`FS_MGTIME` of Linux 6.13, where the
  /// calls for attributes of names came, too).
  package var tellsChangesByTime: Bool {
    guard AttributeRoute.preferred == .directoryCalls else { return false }
    switch magic {
    case 0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994: return true  // ext4, xfs, btrfs, tmpfs
    default: return false
    }
  }

  /// Whether a ``DirectoryBarrier`` proves that the events of what was seen are queued, by measurement.
  package var ordersLooks: Bool {
    switch magic {
    case 0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630: true  // ext4, xfs, btrfs, tmpfs, overlay
    default: false
    }
  }

  /// Whether files may change without events of this kernel.
  ///
  /// Only the program of a FUSE file system knows of its changes. `fuseblk` (NTFS, exFAT) has a local disk, which
  /// nobody else changes.
  ///
  /// - Parameter mountType: The type in the table of mounts, read only if it matters.
  package func changesRemotely(mountType: () -> String?) -> Bool {
    if self == .fuse { return mountType() != "fuseblk" }
    return Self.shared[magic] != nil
  }
}

extension FileSystemType {
  /// The type of the file system of a descriptor.
  package static func of(_ descriptor: borrowing OwnedDescriptor) throws(Errno) -> FileSystemType {
    FileSystemType(magic: try FileSystemDescription.of(descriptor).type)
  }

  /// Whether files on a device may change without events of this kernel.
  package func changesRemotely(on device: UInt64) -> Bool {
    changesRemotely { Mount.all().last { $0.device == device }?.type }
  }
}
