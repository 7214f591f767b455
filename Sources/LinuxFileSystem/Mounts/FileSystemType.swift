package import SystemPackage

/// What kind of file system something is on, as far as it matters to an observer.
package struct FileSystemType: Hashable, Sendable {
  /// The magic number that `statfs(2)` gives.
  package var magic: UInt64

  package init(magic: UInt64) {
    self.magic = magic
  }

  package static let overlay = FileSystemType(magic: 0x794c_7630)
  package static let fuse = FileSystemType(magic: 0x6573_5546)

  /// File systems whose files others change, too, without this kernel's knowing: their types as in `statfs(2)`.
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

  /// The name of the type; the number where it has none here.
  package var name: String {
    if self == .fuse { return "fuse" }
    return Self.shared[magic] ?? Self.local[magic] ?? "0x" + String(magic, radix: 16)
  }

  /// Whether all that is mounted as one has one identifier; on btrfs each subvolume has its own.
  package var hasOneIdentifier: Bool {
    switch magic {
    case 0xef53, 0x5846_5342, 0x0102_1994, 0xf2f5_2010: true  // ext4, xfs, tmpfs, f2fs
    default: false
    }
  }

  /// Whether it is sure that `XATTR_CREATE` replaces no attribute (setxattr(2)).
  ///
  /// Those that are told here look and write under one lock. What is behind FUSE or the network decides for itself, and
  /// cifs ignores it.
  package var createsAttributesExclusively: Bool {
    switch magic {
    case 0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0xf2f5_2010: true  // ext4, xfs, btrfs, tmpfs, f2fs
    default: false
    }
  }

  /// Whether files may change without the kernel's telling.
  ///
  /// What is behind a FUSE file system only its own program knows; but where that has a disk of its own (`fuseblk`:
  /// NTFS, exFAT), nobody else has.
  ///
  /// - Parameter mountType: The type that the mount table gives, asked only where it matters.
  package func changesRemotely(mountType: () -> String?) -> Bool {
    if self == .fuse { return mountType() != "fuseblk" }
    return Self.shared[magic] != nil
  }
}

extension FileSystemType {
  /// The type of what a descriptor is open on.
  package static func of(_ descriptor: borrowing OwnedDescriptor) throws(Errno) -> FileSystemType {
    FileSystemType(magic: try FileSystemDescription.of(descriptor).type)
  }

  /// Whether files on a device may change without the kernel's telling.
  package func changesRemotely(on device: UInt64) -> Bool {
    changesRemotely { Mount.all().last { $0.device == device }?.type }
  }
}
