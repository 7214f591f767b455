import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// Finds out what is about one file, wherever it goes, and about what comes to its place.
struct FileFilter: Sendable {
  /// Where the file is at first.
  let path: FilePath
  /// Who it is, as soon as that is known.
  private var uuid: UUID?

  init(path: FilePath) {
    self.path = path
  }

  /// Whether a change is about the file.
  mutating func admits(_ change: FileSystemChange) -> Bool {
    if change.uuid == uuid { return true }
    guard change.path == path else { return false }
    // What is gone from there is not who is looked for.
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
