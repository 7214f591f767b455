import FileIdentity
import LinuxFileSystem

// Going on from the tree of an earlier run.

extension Classifier {
  /// Observation begins with a tree that was announced before: nobody knows yet what has happened since.
  mutating func resume(_ now: MonotonicTime, onWallClock wallClock: Int64) {
    began = now
    beganOnWallClock = wallClock
    hasSeenAllSince = now
    graph.beginChangeSet()
    coverage.set(.needsListing, of: .root)
    coverage.beginRecovery(now)
    if graph.hasCopying { resumeWriting(now) }
  }

  /// Files that were announced as copying may be complete by now.
  private mutating func resumeWriting(_ now: MonotonicTime) {
    for id in graph.storage.liveIDs where graph[id].flags.contains(.copying) {
      let content = graph.content(of: id)
      let progress = Progress(size: content.size, modified: content.modified, at: now, nextCheck: now + timing.quiet)
      beginWriting(id, progress)
    }
  }

  /// Whether nothing is in doubt that a look will decide soon.
  var isSettled: Bool {
    !coverage.isRecovering && displaced.isEmpty && arrivals.isEmpty && unexplained.isEmpty && touched.isEmpty
      && requests.isEmpty && found.isEmpty
  }
}
