import FileIdentity
import LinuxFileSystem

// Documents that are put aside for a save, under whatever name: the new version waits beside them, and is renamed to
// their place.

extension Classifier {
  /// Whether a document that gets another name may be about to be saved: a newcomer waits beside it, or somebody writes
  /// a hidden file there.
  func mayBeAboutToBeSaved(_ id: NodeID) -> Bool {
    guard graph[id].kind == .file, !graph[id].flags.contains(.copying) else { return false }
    let directory = graph[id].parent
    if arrivals.hasNewInode(in: directory) || hasUnfinishedEntry(in: directory) { return true }
    return isWrittenUnobserved(in: directory)
  }

  /// Whether a file that is not observed was made or written in a directory a moment ago.
  func isWrittenUnobserved(in directory: NodeID) -> Bool {
    unobservedWrites[directory].map { now - $0 < timing.settle } ?? false
  }

  /// Whether a directory has an entry that is announced and still being written.
  private func hasUnfinishedEntry(in directory: NodeID) -> Bool { graph.hasCopying(in: directory) }

  /// A file that is not observed was made or written in a directory.
  mutating func noteUnobservedWriting(in directory: NodeID) {
    unobservedWrites.set(now, for: directory) { now - $0 < timing.settle }
  }

  /// A newcomer is renamed to a place: a document that left it a moment ago was put aside for it.
  ///
  /// - Parameter firstSeen: When the newcomer was first seen.
  mutating func recognizeSave(firstSeen: MonotonicTime, at place: Place) {
    if let id = graph.node(at: place) {
      guard let unresolvedEntry = unresolved[id], case .at = unresolvedEntry.believedLocation else { return }
      let isSuccessor = isSuccessor(firstSeen, since: unresolvedEntry.since)
      unresolved[id]?.isSetAside = isSuccessor
    } else if let pendingRename = recentDepartures[from: place], isSuccessor(firstSeen, since: pendingRename.since) {
      revertRename(pendingRename, to: place)
    }
  }

  /// Whether a newcomer waited when a document was put aside, or came so soon that it must have.
  private func isSuccessor(_ firstSeen: MonotonicTime, since: MonotonicTime) -> Bool {
    firstSeen <= since || now - since <= timing.exchangeDelay
  }

  /// The document that left the place has been told to be elsewhere: it never was.
  private mutating func revertRename(_ pendingRename: RecentDeparture, to place: Place) {
    let id = pendingRename.node
    guard graph.key(id) == pendingRename.key, graph[id].kind == .file, unresolved[id] == nil else { return }
    let aside = graph.place(id)
    recentDepartures.forget(from: place)
    by(.broughtBackForSave) { $0.commitMove(id, to: place) }
    recentDepartures.forget(from: aside)
    guard graph.isLive(id), graph.place(id) == place else { return }
    markUnresolved(id, .at(aside), leftByRename: true)
    unresolved[id]?.isSetAside = true
  }
}
