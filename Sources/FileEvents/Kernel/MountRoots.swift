package import LinuxFileSystem

/// The mounts of marked directories, each with the directory marked first: the mount's root, or the observed one.
///
/// The kernel does not report to marks when another file system is mounted over a directory. It reports an unmount only
/// if the file system is not mounted elsewhere and no file of it is open.
package struct MountRoots: Sendable {
  /// The origin is missing if the process has changed its root, and the table does not list the mount.
  private var roots: [MountNumber: (origin: [UInt8]?, mark: MarkID)] = [:]

  package init() {}

  /// Whether a mount is unknown, so that the table of mounts must be read.
  package func isNew(_ mount: MountNumber) -> Bool { roots[mount] == nil }

  /// Remembers the first directory marked on a mount.
  package mutating func note(_ mark: MarkID, on mount: MountNumber, in table: MountTable) {
    roots[mount] = (table[mount], mark)
  }

  package mutating func forget(_ mark: MarkID) {
    for (mount, root) in roots where root.mark == mark { roots[mount] = nil }
  }

  /// The directories to check after the table of mounts has changed: each may be covered by another.
  ///
  /// Directories of mounts that are gone are returned for the last time.
  package mutating func marksToCheck(_ table: MountTable) -> [MarkID] {
    let marks = roots.values.map(\.mark).sorted { $0.rawValue < $1.rawValue }
    roots = roots.filter { table[$0.key] == $0.value.origin }
    return marks
  }
}
