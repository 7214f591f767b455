import FileEvents
import LinuxFileSystem

// New directories that wait to be announced: a folder that is moved by copying begins as a new one.
//
// They are in the graph, so that their contents have a place. One of them may prove to be the folder that was removed;
// then nothing but its move is announced. The first announcement of something in them ends the wait.

extension Classifier {
  /// Whether a new directory may be about to be filled with copies; one that was renamed here has its contents.
  ///
  /// One that has the place of a folder may prove to be the next version of that.
  func mayWait(_ look: Look) -> Bool {
    if coverage.isRescanning || isRevealing || own != nil { return false }
    let isWhereFolderWas = recentDepartures[from: look.place].map { isDirectory($0.node) } ?? false
    return isWhereFolderWas || !look.cause.kinds.contains(.movedTo)
  }

  mutating func holdAnnouncement(of id: NodeID) {
    unannounced[id] = now
    graph.setUnannounced(id, true)
    timers.schedule(.announcement(id), at: now + timing.folderDelay)
  }

  /// Announces a waiting directory, unless its wait goes on.
  mutating func announceIfDue(_ id: NodeID) {
    guard let since = unannounced[id] else { return }
    if let due = announcementDue(of: id, since), due > now { return timers.schedule(.announcement(id), at: due) }
    announceWaiting(id)
  }

  /// Until when a directory waits; `nil` if it has waited long enough.
  private func announcementDue(of id: NodeID, _ since: MonotonicTime) -> MonotonicTime? {
    // `NodeID`s are reused: the timer may have been for another directory.
    if now - since < timing.folderDelay { return since + timing.folderDelay }
    if let unresolvedEntry = unresolved[id] { return unresolvedEntry.due + 1 }
    if let original = original(of: id), let unresolvedEntry = unresolved[original], now - since < timing.unprovenQuiet {
      return unresolvedEntry.due + 1
    }
    // The contents are announced after these windows at the latest, and the directory with them.
    let isFilled = arrivals.hasNewInode(in: id) || graph.storage.children(of: id).contains { unannounced[$0] != nil }
    return isFilled ? since + timing.flashGuard : nil
  }

  /// Announces waiting directories at a place, and above it.
  mutating func announceWaiting(at place: Place) {
    announceWaiting(place.parent)
    if let id = graph.node(at: place) { announceWaiting(id) }
  }

  /// Announces a waiting directory, after those above it.
  mutating func announceWaiting(_ id: NodeID) {
    guard unannounced[id] != nil else { return }
    for above in unannouncedDirectories(above: id) { announceWaiting(above) }
    forgetUnannounced(id)
    noteRecentlyAnnounced(id)
    if let original = original(of: id) {
      return log.append(.duplicated, id, in: graph, original: original, by: .directoryOfNews)
    }
    let isReturned = endedIdentities.contains(graph[id].uuid)
    log.appendDiscovery(of: id, in: graph, isReturned: isReturned, by: .directoryOfNews)
  }

  func original(of id: NodeID) -> NodeID? { copies.original(of: id).flatMap { graph.node(with: $0) } }

  /// Ends the wait of a directory that is announced, or gone.
  mutating func forgetUnannounced(_ id: NodeID) {
    if unannounced.removeValue(forKey: id) != nil { graph.setUnannounced(id, false) }
  }

  /// The unannounced directories above an entry, the topmost first.
  private func unannouncedDirectories(above id: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    var current = graph[id].parent
    while current != .root {
      if unannounced[current] != nil { found.append(current) }
      current = graph[current].parent
    }
    return found.reversed()
  }

  /// Announces the waiting directories above changed entries, and those above and at the originals of copies.
  mutating func announceFoldersOfChanges() {
    let draft = log
    log.removeAll()
    for note in draft.notes {
      if graph.isLive(note.node) {
        for directory in unannouncedDirectories(above: note.node) { announceWaiting(directory) }
      }
      if let original = note.original, graph.isLive(original) {
        for directory in unannouncedDirectories(above: original) + [original] { announceWaiting(directory) }
      }
      if note.kind == .discovered || note.kind == .duplicated { forgetUnannounced(note.node) }
      log.append(note)
    }
    (log.mayBeTrashed, log.removedContents) = (draft.mayBeTrashed, draft.removedContents)
  }

  var announcedStorage: GraphStorage {
    var storage = graph.storage
    // The deepest first, so that each is empty when it is removed.
    let order = unannounced.keys.map { (level: storage.level(of: $0), id: $0) }.sorted { $1.level < $0.level }
    for (_, id) in order { storage.remove(id) }
    return storage
  }
}
