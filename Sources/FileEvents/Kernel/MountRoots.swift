package import LinuxFileSystem

/// The mounts that marked directories are on, each with the directory that was marked there first: the one where it is
/// mounted, or the observed one.
///
/// Of a file system that is mounted elsewhere, too, or in which files are open, the kernel tells no mark that it was
/// unmounted, and never that another was mounted over a directory.
package struct MountRoots: Sendable {
  /// A mount may be missing in the table of a process that has changed its root.
  private var roots: [MountNumber: (origin: [UInt8]?, mark: MarkID)] = [:]

  package init() {}

  /// Whether a mount has not been seen yet, so that the table of mounts must be read.
  package func isNew(_ mount: MountNumber) -> Bool { roots[mount] == nil }

  /// Takes in the first directory that is marked on a mount.
  package mutating func note(_ mark: MarkID, on mount: MountNumber, in table: MountTable) {
    roots[mount] = (table[mount], mark)
  }

  package mutating func forget(_ mark: MarkID) {
    for (mount, root) in roots where root.mark == mark { roots[mount] = nil }
  }

  /// The directories to look at after the table of mounts has changed: another may stand in the place of each.
  ///
  /// Those of mounts that are gone are named for the last time.
  package mutating func marksToCheck(_ table: MountTable) -> [MarkID] {
    let marks = roots.values.map(\.mark).sorted { $0.rawValue < $1.rawValue }
    roots = roots.filter { table[$0.key] == $0.value.origin }
    return marks
  }
}
