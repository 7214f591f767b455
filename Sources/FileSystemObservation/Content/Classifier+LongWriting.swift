import FileIdentity
import LinuxFileSystem

// Documents that are written without a pause: logs, resumed downloads, notes that are saved with each key.

extension Classifier {
  /// Waits for a document that is still being written, and announces it as modified once in `longestSilence`.
  mutating func waitForRest(of id: NodeID, _ entry: Entry, _ activity: WriteActivity, until: MonotonicTime) {
    var activity = activity
    if activity.isDue(now) {
      if hasNews(of: id, entry, activity), isVersion(entry, of: id, activity) {
        graph.setContent(id, modified: entry.modified, size: entry.size)
        announceMeanwhile(id, &activity)
      }
      activity.announceBy = now + timing.longestSilence
    }
    waitForWriting(id, activity, until: activity.check(at: until))
  }

  /// Announces, if that is due, the version of a document that is replaced before it rested and may never be looked at.
  mutating func continueWriting(of id: NodeID, _ activity: inout WriteActivity) {
    activity.announceBy = writing[id]?.announceBy ?? now + timing.longestSilence
    activity.wasAnnounced = writing[id]?.wasAnnounced ?? false
    if activity.isDue(now) {
      announceMeanwhile(id, &activity)
      activity.announceBy = now + timing.longestSilence
    }
    activity.nextCheck = activity.check(at: activity.nextCheck)
  }

  private mutating func announceMeanwhile(_ id: NodeID, _ activity: inout WriteActivity) {
    log.append(.modified, id, in: graph, by: .writtenForLong)
    activity.wasAnnounced = true
    activity.isWritten = false
  }

  /// Whether a document has changed since it was last announced.
  func hasNews(of id: NodeID, _ entry: Entry, _ activity: WriteActivity) -> Bool {
    if isCarried(entry, for: id, activity) { return false }
    let isSaved = activity.isSave && !activity.wasAnnounced && activity.former != entry.key
    return activity.isWritten || isSaved || isChanged(id, entry)
  }

  /// Whether a document was replaced by its copy, with its tag and times: a move by copying makes no new version.
  ///
  /// A symbolic link has no tag.
  private func isCarried(_ entry: Entry, for id: NodeID, _ activity: WriteActivity) -> Bool {
    activity.mayBeCarried && (entry.kind == .symlink || entry.tag.uuid == graph[id].uuid) && !isChanged(id, entry)
  }

  /// Whether the unfinished inode in a document's place seems to be its next version.
  private func isVersion(_ entry: Entry, of id: NodeID, _ activity: WriteActivity) -> Bool {
    guard activity.isSave, let tag = entry.tag.uuid, tag != graph[id].uuid else { return true }
    return graph.node(with: tag) == nil && !endedIdentities.contains(tag)
  }
}
