import FileEvents
import LinuxFileSystem
import SystemPackage

// The times of directories change with their entries, and no event announces that.

extension Engine {
  /// Notes a hint that changes the times of a directory; hints of unobserved names do, too.
  func noteChangedDirectory(_ hint: Hint) {
    // A hint from polling has no kinds: it only says that the name must be looked at.
    let mayChange = hint.kinds.isEmpty || hint.kinds.hasAny(of: .nameChanges)
    guard mayChange, hint.name != nil, let directory = markedDirectories[hint.directory] else { return }
    changedDirectories.insert(directory)
  }

  /// Reads the times of directories whose entries have changed, after the hints were published.
  func refreshDirectoryTimes() {
    guard !changedDirectories.isEmpty else { return }
    var unresolved: Set<NodeID> = []
    // In an order that a replay has, too.
    for id in changedDirectories.sorted() where state.classify({ $0.graph.isLive(id) }) {
      if isUnresolved(id) {
        unresolved.insert(id)
      } else if let modified = modificationTime(of: id) {
        state.classify { $0.setModified(id, modified) }
      } else if id != .root {
        // It, or a folder above it, has been moved, and the hint of that is still to come.
        state.classify { $0.lookLater(at: id) }
      }
    }
    changedDirectories.removeAll(keepingCapacity: changedDirectories.count <= 64)
    // The places of these directories will be known soon; their times are read then.
    changedDirectories.formUnion(unresolved)
  }

  private func modificationTime(of id: NodeID) -> Int64? {
    guard let directory = directory(id) else { return nil }
    guard let status = try? files.status(of: directory) else {
      recorder?.noteAnswer(.times, nil, about: inode(of: id))
      return nil
    }
    return status.modified
  }
}
