import FileEvents
import LinuxFileSystem

// New directories that wait to be told: whoever moves a folder by copying makes a new one first.
//
// They are in the graph, so that what comes to be in them has a place there, and for a moment nothing is said of them:
// one may turn out to be the folder that has gone, and then that has moved, and nothing else has happened. Whatever is
// told of something in them ends the wait.

extension Classifier {
  /// Whether a new directory may be about to be filled with copies: one that came by a rename has what is in it.
  func mayWait(_ look: Look) -> Bool {
    if coverage.isRescanning || isRevealing || own != nil { return false }
    guard case .hint(let kinds) = look.cause else { return true }
    return !kinds.contains(.movedTo)
  }

  mutating func holdAnnouncement(of id: NodeID) {
    unannounced[id] = now
    graph.setUnannounced(id, true)
    timers.schedule(.announcement(id), at: now + timing.folderDelay)
  }

  /// Tells a directory that has waited, unless there is still something to wait for.
  mutating func announceIfDue(_ id: NodeID) {
    guard let since = unannounced[id] else { return }
    if let due = announcementDue(of: id, since), due > now { return timers.schedule(.announcement(id), at: due) }
    announceWaiting(id)
  }

  /// Until when a directory waits to be told; nothing where it has waited long enough.
  private func announcementDue(of id: NodeID, _ since: MonotonicTime) -> MonotonicTime? {
    // The number may have been that of another directory, which waited before.
    if now - since < timing.folderDelay { return since + timing.folderDelay }
    if let unresolvedEntry = unresolved[id] { return unresolvedEntry.due + 1 }
    if let original = original(of: id), let unresolvedEntry = unresolved[original], now - since < timing.unprovenQuiet {
      return unresolvedEntry.due + 1
    }
    // What is in it is told at the end of these windows at the latest, and the directory with it.
    let isFilled = arrivals.hasNewInode(in: id) || graph.storage.children(of: id).contains { unannounced[$0] != nil }
    return isFilled ? since + timing.flashGuard : nil
  }

  /// Announces the directory at a place if it waits for that.
  mutating func announceWaiting(at place: Place) {
    if let id = graph.node(at: place) { announceWaiting(id) }
  }

  /// Tells a directory that waited for that, after those above it.
  mutating func announceWaiting(_ id: NodeID) {
    guard unannounced[id] != nil else { return }
    for above in unannouncedDirectories(above: id) { announceWaiting(above) }
    forgetUnannounced(id)
    let original = original(of: id)
    log.append(original == nil ? .discovered : .duplicated, id, in: graph, original: original, by: .directoryOfNews)
  }

  /// What an entry is a copy of, as far as is remembered.
  func original(of id: NodeID) -> NodeID? { copies.original(of: id).flatMap { graph.node(with: $0) } }

  /// Nobody waits for a directory any more: it is told, or gone.
  mutating func forgetUnannounced(_ id: NodeID) {
    if unannounced.removeValue(forKey: id) != nil { graph.setUnannounced(id, false) }
  }

  /// Those of the directories above an entry that have not been told, the topmost first.
  private func unannouncedDirectories(above id: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    var current = graph[id].parent
    while current != .root {
      if unannounced[current] != nil { found.append(current) }
      current = graph[current].parent
    }
    return found.reversed()
  }

  /// Tells the directories of which something is told: those above what has changed, and originals of copies.
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
    log.mayBeTrashed = draft.mayBeTrashed
  }

  /// All entries that have been told.
  var announcedStorage: GraphStorage {
    var storage = graph.storage
    // Nothing in them has been told, so that what is left in each goes first.
    let order = unannounced.keys.map { (level: storage.level(of: $0), id: $0) }.sorted { $1.level < $0.level }
    for (_, id) in order { storage.remove(id) }
    return storage
  }
}
