package import LinuxFileSystem

extension FileSystemObserver {
  /// What the contents of a document were at a moment; cheap to compare, and valid in another process and after a
  /// restart.
  ///
  /// A version consists of the inode number, the time of birth, the size and the time of the last modification, all as
  /// the file system gives them; it is not a digest of the contents. Two versions are equal if these four are equal.
  /// A changed tag or attribute, chmod(2), chown(2) or a further hard link do not change the version.
  ///
  /// A change of the contents is missed in two cases. First, a program writes as many bytes as there were and then sets
  /// the modification time back. Second, it does so within the resolution of the file system's clock after the version
  /// was read. Since Linux 6.13, ext4, xfs, btrfs and tmpfs give each write after a version was read a time of its own;
  /// older kernels round times to up to 10 ms, and FAT to 2 s.
  public struct ContentVersion: Sendable {
    /// The inode number.
    private let inode: UInt64
    /// In nanoseconds since the epoch; 0 if the file system does not keep it.
    private let born: Int64
    /// In bytes.
    private let size: Int64
    /// In nanoseconds since the epoch.
    private let modified: Int64
    /// When contents or properties changed last, in nanoseconds since the epoch.
    ///
    /// It is kept for the description, and not compared: each tag that an observer writes changes it.
    private let changed: Int64

    package init(_ status: FileStatus) {
      inode = status.inode
      born = status.born
      size = status.size
      modified = status.modified
      changed = status.changed
    }
  }
}

extension FileSystemObserver.ContentVersion: Hashable {
  /// Whether two versions are of the same contents.
  public static func == (one: Self, other: Self) -> Bool {
    one.inode == other.inode && one.born == other.born && one.size == other.size && one.modified == other.modified
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(inode)
    hasher.combine(born)
    hasher.combine(size)
    hasher.combine(modified)
  }
}

extension FileSystemObserver.ContentVersion: Codable {}

extension FileSystemObserver.ContentVersion: CustomStringConvertible {
  /// The parts of the version, for a log.
  public var description: String {
    "inode \(inode), born \(born), \(size.counted("byte")), modified \(modified), changed \(changed)"
  }
}

extension Int64 {
  fileprivate func counted(_ noun: String) -> String { Int(self).counted(noun) }
}
