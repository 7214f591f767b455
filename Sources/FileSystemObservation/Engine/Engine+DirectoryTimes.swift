import FileEvents
import LinuxFileSystem
import SystemPackage

// The times of directories change with their entries, and no event announces that.

extension Engine {
  /// Notes that an event changes the times of a directory: also an event of a name that is not observed.
  func noteChangedDirectory(_ hint: Hint) {
    guard !hint.kinds.isDisjoint(with: [.created, .removed, .movedFrom, .movedTo]),
      let directory = markedDirectories[hint.directory]
    else { return }
    changedDirectories.insert(directory)
  }

  /// Reads the times of directories whose entries have changed, after what events said has been announced.
  func refreshDirectoryTimes() {
    guard !changedDirectories.isEmpty else { return }
    for id in changedDirectories where state.classify({ $0.graph.isLive(id) }) && !isDisplaced(id) {
      guard let directory = directory(id), let status = try? files.status(of: directory) else { continue }
      state.classify { $0.graph.setModified(id, status.modified) }
    }
    changedDirectories.removeAll(keepingCapacity: changedDirectories.count <= 64)
  }
}
