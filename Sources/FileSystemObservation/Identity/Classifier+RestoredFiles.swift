import FileIdentity
import LinuxFileSystem

// Files that are restored without their tags: from a backup that keeps no attributes, or by a program that changes between
// the states of a folder (git checkout). A new file at the path of one that was removed is that one if it has its size
// and time, or its content.

extension Classifier {
  /// What a removed file was, for the case that it is restored.
  ///
  /// A file that was moved away still exists.
  func restorable(_ id: NodeID, _ reason: DeletionReason) -> EndedItem.Former? {
    let content = graph.content(of: id)
    guard reason == .removed, graph[id].kind == .file, content.size > 0 else { return nil }
    return EndedItem.Former(
      path: graph.storage.path(of: graph.place(id)), size: content.size, modified: content.modified,
      digest: contents?.digest(of: id, in: graph))
  }

  /// Whether the content of a new file may show that it is one that was removed.
  func mayBeRestored(_ entry: Entry, at place: Place) -> Bool {
    guard let former = removedItem(entry, at: place)?.former else { return false }
    return former.digest != nil && !former.isSame(size: entry.size, modified: entry.modified)
  }

  /// What a look at a complete file found, with the tag of the removed file that it is.
  func recognizing(_ entry: Entry, restoredAt place: Place) -> Entry {
    guard let item = removedItem(entry, at: place), let former = item.former, graph.node(with: item.uuid) == nil,
      isUnidentified(entry.key)
    else { return entry }
    if former.isSame(size: entry.size, modified: entry.modified) { return entry.presumed(item.uuid, by: .place) }
    guard case .known(let digest)? = newContents[entry]?.finding, former.digest == digest else { return entry }
    return entry.presumed(item.uuid, by: .content)
  }

  /// The removed file with the path and the size of a new one without a tag.
  private func removedItem(_ entry: Entry, at place: Place) -> EndedItem? {
    guard endedIdentities.hasRestorableItems, entry.kind == .file, entry.tag.uuid == nil,
      let item = endedIdentities.restorableItem(at: graph.storage.path(of: place)), item.former?.size == entry.size
    else { return nil }
    return item
  }
}
