import FileEvents
import FileIdentity
import LinuxFileSystem

// The changes of a step, with a number.

extension Engine {
  /// Publishes the changes as one change set.
  func publish(reusingNumbers: Bool = true) {
    if holdsChanges || awaitsResumption() { return }
    handles.removePassing()
    defer { noteCopiesPublished() }
    let taken = state.content.withLock { content -> (log: ScopedLog, snapshot: GraphStorage?, sequence: UInt64)? in
      content.stored = nil
      // Inside the lock, so that a listener that is added later knows whether it missed this set.
      let scopes = scopes()
      guard let (log, sequence) = content.takeChanges(reusingNumbers: reusingNumbers, for: scopes) else { return nil }
      return (log, log.whole.movesDirectory ? content.classifier.announcedStorage : nil, sequence)
    }
    watchDetails()
    if var taken {
      recorder?.notePublished(taken.sequence, count: taken.log.whole.records.count)
      taken.log.whole.noteTrashed { files.inodesInTrash(among: $0, root: root) }
      emit(.changes(taken.log, taken.snapshot, sequence: taken.sequence))
      noteAttributes(of: taken.log.whole)
      noteProperties(changedBy: taken.log.whole)
      noteFolderArrivals(in: taken.log.whole)
      planContents(of: taken.log.whole, time)
    }
    publishDetails()
    reportRestoredTags()
    reportReachedLimits()
    endResumption()
  }

  /// The tags of announced copies wait for the store from now on.
  private func noteCopiesPublished() {
    guard copyTags.count > 0 else { return }
    state.content.withLock { content in
      copyTags.notePublished(content.sequence, time) { !content.classifier.isUnannounced($0) }
    }
  }
}
