import FileIdentity
import LinuxFileSystem

// Files that are restored without their tags, as by a program that changes between the states of a folder (git checkout)
// or brings back what was removed elsewhere: a new file with the path and the content of one that was removed is that.

extension Classifier {
  /// What a removed file was, for the case that it is restored; `nil` if its content is not known.
  ///
  /// A file that was moved away still exists.
  func restorable(_ id: NodeID, _ reason: DeletionReason) -> EndedItem.Former? {
    guard reason == .removed, graph[id].kind == .file, let digest = contents?.digest(of: id, in: graph) else {
      return nil
    }
    return EndedItem.Former(path: graph.storage.path(of: graph.place(id)), size: graph[id].size, digest: digest)
  }

  /// Whether the content of a new file may show that it is one that was removed.
  func mayBeRestored(_ entry: Entry, at place: Place) -> Bool { removedItem(entry, at: place) != nil }

  /// What a look at a complete file found, with the tag of the removed file that it is.
  func recognizing(_ entry: Entry, restoredAt place: Place) -> Entry {
    guard let item = removedItem(entry, at: place), case .known(let digest)? = newContents[entry]?.finding,
      item.former?.digest == digest, graph.node(with: item.uuid) == nil, isUnidentified(entry.key)
    else { return entry }
    return entry.presumed(item.uuid, by: .content)
  }

  /// The removed file with the path and the size of a new one without a tag.
  private func removedItem(_ entry: Entry, at place: Place) -> EndedItem? {
    guard endedIdentities.hasRestorableItems, entry.kind == .file, entry.tag == .none,
      let item = endedIdentities.restorableItem(at: graph.storage.path(of: place)), item.former?.size == entry.size
    else { return nil }
    return item
  }
}
