import FileIdentity
import LinuxFileSystem

// Documents that are written without a pause: logs, downloads that are resumed, notes that are saved while one types.

extension Classifier {
  /// Waits for a document that is still being written, and tells it as modified where it has not been for long.
  mutating func waitForRest(
    of id: NodeID, _ entry: Entry, _ progress: Progress, until: MonotonicTime, _ now: MonotonicTime
  ) {
    var progress = progress
    if progress.isDue(now) {
      if hasNews(of: id, entry, progress), isVersion(entry, of: id, progress) {
        graph.setContent(id, modified: entry.modified, size: entry.size)
        tellMeanwhile(id, &progress)
      }
      progress.tellBy = now + timing.longestSilence
    }
    waitForWriting(id, progress, until: progress.check(at: until))
  }

  /// A document is replaced while its last version has not rested yet.
  ///
  /// It may never be looked at before its next version comes: that there was one is told now.
  mutating func continueWriting(of id: NodeID, _ progress: inout Progress, _ now: MonotonicTime) {
    progress.tellBy = writing[id]?.tellBy ?? now + timing.longestSilence
    progress.isTold = writing[id]?.isTold ?? false
    if progress.isDue(now) {
      tellMeanwhile(id, &progress)
      progress.tellBy = now + timing.longestSilence
    }
    progress.nextCheck = progress.check(at: progress.nextCheck)
  }

  private mutating func tellMeanwhile(_ id: NodeID, _ progress: inout Progress) {
    log.append(.modified, id, in: graph, by: .writtenForLong)
    progress.isTold = true
    progress.isWritten = false
  }

  /// Whether a document was changed since it was told last.
  func hasNews(of id: NodeID, _ entry: Entry, _ progress: Progress) -> Bool {
    if isCarried(entry, for: id, progress) { return false }
    let isSaved = progress.isSave && !progress.isTold && progress.former != entry.key
    return progress.isWritten || isSaved || isChanged(id, entry)
  }

  /// Whether what has taken a document's place is its copy, with its tag and its times: whoever moves by copying makes
  /// no other version.
  private func isCarried(_ entry: Entry, for id: NodeID, _ progress: Progress) -> Bool {
    progress.mayBeCarried && entry.tag.uuid == graph[id].uuid && !isChanged(id, entry)
  }

  /// Whether what stands in a document's place is its next version, as far as is known before it is complete.
  private func isVersion(_ entry: Entry, of id: NodeID, _ progress: Progress) -> Bool {
    guard progress.isSave, let tag = entry.tag.uuid, tag != graph[id].uuid else { return true }
    return graph.node(with: tag) == nil && !departed.contains(tag)
  }
}
