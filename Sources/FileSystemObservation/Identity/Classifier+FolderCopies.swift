import FileIdentity
import LinuxFileSystem

// Whether a folder has a copy, and which entries wait for the folder.

extension Classifier {
  /// Until when a missing entry waits for the decision on its folder; `nil` if it does not wait.
  func folderWait(of id: NodeID) -> MonotonicTime? {
    guard isRemoved(id), mayGoOn(id) || isInReplacedFolder(id), let due = folderDue(of: id), due > now
    else { return nil }
    return due
  }

  /// When the folder of an entry is decided; `nil` if the folder stays.
  private func folderDue(of id: NodeID) -> MonotonicTime? {
    // If both are due, the folder is decided first.
    if let folder = removedFolder(of: id) { return unresolved[folder].map { max($0.due, now + timing.hintDelay) + 1 } }
    var folder = graph[id].parent
    guard var latest = removals[folder], isCopied(folder, with: id) else { return nil }
    while folder != .root, copies.hasCopies(graph[folder].uuid) {
      folder = graph[folder].parent
      latest = max(latest, removals[folder] ?? latest)
    }
    return latest + timing.unprovenQuiet
  }

  /// Whether a folder has a copy: one with its tag, or a new folder that has a copy of one of its items.
  func isCopied(_ folder: NodeID, with id: NodeID) -> Bool {
    if copies.hasCopies(graph[folder].uuid) { return true }
    guard let copy = copies.newestCopy(of: graph[id].uuid) else { return false }
    let place = graph[copy].parent
    return place != folder && place != .root && graph[place].flags.contains(.arrived)
  }

  /// Whether a missing folder above an entry may go on in the directory that is at its place now.
  private func isInReplacedFolder(_ id: NodeID) -> Bool {
    guard !waitingDirectories.isEmpty else { return false }
    var current = id
    while let folder = removedFolder(of: current) {
      if waitingDirectories[graph.place(folder)] != nil { return true }
      current = folder
    }
    return false
  }

  /// Whether an item may continue in a copy; a symbolic link, which has no tag, follows its folder.
  private func mayGoOn(_ id: NodeID) -> Bool {
    let tagged = graph[id].kind == .symlink ? graph[id].parent : id
    return copies.hasCopies(graph[tagged].uuid) || unconfirmedTags.has(graph[tagged].uuid)
  }
}

// MARK: - The original of a copy

extension Classifier {
  /// Whether an entry may prove to be the missing one whose tag it has; until then it keeps the tag.
  mutating func mayBeOriginal(_ id: NodeID, _ entry: Entry) -> Bool {
    guard let tag = entry.tag.uuid, let original = graph.node(with: tag), original != id,
      isRemoved(original) || isInRemovedFolder(original), graph[original].kind == graph[id].kind
    else { return false }
    // Looks again later, when the missing entry may be decided.
    lookLater(at: id)
    if copies.isCopy(id, of: tag) { return true }
    // Another observer may have seen that a file was copied, where this one saw a new file with a tag of its own.
    let isSame = graph[id].kind == .directory || graph.content(of: id) == graph.content(of: original)
    guard graph[id].flags.contains(.arrived), !graph[id].flags.contains(.knownCopy), isSame else { return false }
    copies.note(id, of: original, in: graph, at: now)
    return true
  }

  /// Records the copies that the first scan has found.
  mutating func noteCopies(_ originals: [NodeID: NodeID]) {
    for (copy, original) in originals.sorted(by: { $0.key < $1.key }) {
      copies.note(copy, of: original, in: graph, at: now)
    }
  }
}
