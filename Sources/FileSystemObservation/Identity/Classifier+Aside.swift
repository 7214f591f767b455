import FileIdentity
import LinuxFileSystem

// Documents that are put aside for a save, under whatever name: the new version waits beside them, and is renamed to
// their place.

extension Classifier {
  /// Whether a document that gets another name may be about to be saved: a newcomer waits beside it, or somebody writes
  /// a hidden file there.
  func mayBeAboutToBeSaved(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    guard graph[id].kind == .file, !graph[id].flags.contains(.copying) else { return false }
    let directory = graph[id].parent
    if newcomerCounts[directory] != nil || hasUnfinishedEntry(in: directory) { return true }
    return isWrittenHidden(in: directory, now)
  }

  /// Whether a file that is not observed was made or written in a directory a moment ago.
  func isWrittenHidden(in directory: NodeID, _ now: MonotonicTime) -> Bool {
    hiddenWrites[directory].map { now - $0 < timing.settle } ?? false
  }

  /// Whether a directory has an entry that is announced and still being written.
  private func hasUnfinishedEntry(in directory: NodeID) -> Bool { graph.hasCopying(in: directory) }

  /// A file that is not observed was made or written in a directory.
  mutating func noteHiddenWriting(in directory: NodeID, at now: MonotonicTime) {
    hiddenWrites.set(now, for: directory) { now - $0 < timing.settle }
  }

  /// A newcomer is renamed to a place: a document that left it a moment ago was put aside for it.
  ///
  /// - Parameter firstSeen: When the newcomer was first seen.
  mutating func noteSuccessor(firstSeen: MonotonicTime, at place: Place, _ now: MonotonicTime) {
    if let id = graph.node(at: place) {
      guard let displacement = displaced[id], case .at = displacement.whereabouts else { return }
      let isSuccessor = isSuccessor(firstSeen, since: displacement.since, now)
      displaced[id]?.isAside = isSuccessor
    } else if let departure = recentDepartures[from: place], isSuccessor(firstSeen, since: departure.since, now) {
      bringBack(departure, to: place, now)
    }
  }

  /// Whether a newcomer waited when a document was put aside, or came so soon that it must have.
  private func isSuccessor(_ firstSeen: MonotonicTime, since: MonotonicTime, _ now: MonotonicTime) -> Bool {
    firstSeen <= since || now - since <= timing.exchangeDelay
  }

  /// The document that left the place has been told to be elsewhere: it never was.
  private mutating func bringBack(_ departure: RecentDeparture, to place: Place, _ now: MonotonicTime) {
    let id = departure.node
    guard graph.key(id) == departure.key, graph[id].kind == .file, displaced[id] == nil else { return }
    let aside = graph.place(id)
    recentDepartures.forget(from: place)
    by(.broughtBackForSave) { $0.commitMove(id, to: place, now) }
    recentDepartures.forget(from: aside)
    guard graph.isLive(id), graph.place(id) == place else { return }
    displace(id, .at(aside), leftByRename: true, now)
    displaced[id]?.isAside = true
  }
}
