import FileIdentity
import LinuxFileSystem

// Documents in a folder that comes back after it was moved out, or on a file system after another computer has had it. A
// program that saved one by replacement there has made a new inode without a tag, at the name that the document had.

extension Classifier {
  /// Where a file is that ends because its file system was unmounted, or its folder left; `nil` for any other item.
  func absence(of id: NodeID) -> EndedItem.Absence? {
    guard graph[id].kind == .file else { return nil }
    return EndedItem.Absence(folder: graph[graph[id].parent].uuid, name: graph.name(id))
  }

  /// The document whose new version a listing may have found: it had the name when it left with its folder.
  func absentItem(_ entry: Entry, _ look: Look) -> UUIDBits? {
    guard look.cause == .scan, endedIdentities.hasAbsentItems, entry.kind == .file, entry.tag == .none else {
      return nil
    }
    return endedIdentities.absentItem(named: look.place.name, in: graph[look.place.parent].uuid)
  }

  /// What a look at a complete file found, with the tag of the document of which it must be the next version.
  ///
  /// The document itself may be back at another name.
  func recognizing(_ entry: Entry, absentItem uuid: UUIDBits?) -> Entry {
    guard let uuid, entry.tag == .none, graph.node(with: uuid) == nil else { return entry }
    return entry.presumed(uuid, by: .name)
  }

  /// Whether a document that is back is only the backup of its next version, which is beside it and not announced yet.
  func awaitsNextVersion(_ entry: Entry, at place: Place) -> Bool {
    guard let tag = entry.tag.uuid, !entry.isPresumed, endedIdentities.contains(tag, on: entry.key),
      let name = endedIdentities.lastName(ofAbsentItem: tag)
    else { return false }
    let next = Place(parent: place.parent, name: name)
    return arrivals[next]?.absentItem == tag && isBackup(at: place, ofAbsentItemAt: next)
  }

  /// Whether a file has the name of a backup of another in its folder, which is the next version of an absent document.
  func isBackup(at place: Place, ofAbsentItemAt other: Place) -> Bool {
    other.parent == place.parent && arrivals[other]?.absentItem != nil && patterns.isBackup(place.name, of: other.name)
  }

  /// A folder was listed: what it had when it left, and has no more, is gone.
  mutating func endAbsences(in folder: NodeID) {
    guard endedIdentities.hasAbsentItems, graph.isLive(folder) else { return }
    endedIdentities.endAbsences(in: graph[folder].uuid)
  }
}
