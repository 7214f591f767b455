import FileIdentity
import LinuxFileSystem

// Documents that are written without a pause: logs, downloads that are resumed, notes that are saved while one types.

extension Classifier {
  /// Waits for a document that is still being written, and tells it as modified where it has not been for long.
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

  /// A document is replaced while its last version has not rested yet.
  ///
  /// It may never be looked at before its next version comes: that there was one is told now.
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

  /// Whether a document was changed since it was told last.
  func hasNews(of id: NodeID, _ entry: Entry, _ activity: WriteActivity) -> Bool {
    if isCarried(entry, for: id, activity) { return false }
    let isSaved = activity.isSave && !activity.wasAnnounced && activity.former != entry.key
    return activity.isWritten || isSaved || isChanged(id, entry)
  }

  /// Whether what has taken a document's place is its copy, with its tag and its times: whoever moves by copying makes
  /// no other version.
  private func isCarried(_ entry: Entry, for id: NodeID, _ activity: WriteActivity) -> Bool {
    activity.mayBeCarried && entry.tag.uuid == graph[id].uuid && !isChanged(id, entry)
  }

  /// Whether what stands in a document's place is its next version, as far as is known before it is complete.
  private func isVersion(_ entry: Entry, of id: NodeID, _ activity: WriteActivity) -> Bool {
    guard activity.isSave, let tag = entry.tag.uuid, tag != graph[id].uuid else { return true }
    return graph.node(with: tag) == nil && !endedIdentities.contains(tag)
  }
}
