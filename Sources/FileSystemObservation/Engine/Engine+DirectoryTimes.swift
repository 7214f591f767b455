import FileEvents
import LinuxFileSystem
import SystemPackage

// The times of directories change with their entries, and no event announces that.

extension Engine {
  /// Notes that an event changes the times of a directory: also an event of a name that is not observed.
  func noteChangedDirectory(_ hint: Hint) {
    // Polling says of a name only that it is to be looked at.
    let mayChange = hint.kinds.isEmpty || !hint.kinds.isDisjoint(with: [.created, .removed, .movedFrom, .movedTo])
    guard mayChange, hint.name != nil, let directory = markedDirectories[hint.directory] else { return }
    changedDirectories.insert(directory)
  }

  /// Reads the times of directories whose entries have changed, after what events said has been announced.
  func refreshDirectoryTimes() {
    guard !changedDirectories.isEmpty else { return }
    var displaced: Set<NodeID> = []
    for id in changedDirectories where state.classify({ $0.graph.isLive(id) }) {
      if isDisplaced(id) {
        displaced.insert(id)
      } else if let directory = directory(id), let status = try? files.status(of: directory) {
        state.classify { $0.graph.setModified(id, status.modified) }
      }
    }
    changedDirectories.removeAll(keepingCapacity: changedDirectories.count <= 64)
    // Where these are is known soon, and their times are read then.
    changedDirectories.formUnion(displaced)
  }
}
