import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// Selects the events of one file, wherever it goes, and of its replacements at its first path.
struct FileFilter: Sendable {
  /// The first path of the file.
  let path: FilePath
  /// The UUID of the file, once known.
  private var uuid: UUID?

  init(path: FilePath) {
    self.path = path
  }

  /// Whether a change is about the file.
  mutating func admits(_ change: FileSystemChange) -> Bool {
    if change.uuid == uuid { return true }
    guard change.path == path else { return false }
    // A file that was deleted there is not the one to follow.
    if change.kind != .deleted, change.kind != .unlinked { uuid = change.uuid }
    return true
  }

  /// Whether an item is the file.
  mutating func admits(_ item: FileSystemItem.Snapshot) -> Bool {
    if item.uuid == uuid { return true }
    guard item.path == path else { return false }
    uuid = item.uuid
    return true
  }
}
