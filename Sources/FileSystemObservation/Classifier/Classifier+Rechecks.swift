import FileIdentity
import LinuxFileSystem

// What is looked at or decided again, and when.

extension Classifier {
  /// Remembers something until a time, when all hints up to then have been followed: to an observer that is late, a
  /// window is not over because the clock says so.
  mutating func forgetLater(_ item: Expiring) {
    expiring.append(item)
    timers.schedule(.expiry, at: item.time)
  }

  /// What was decided about a place rested on hints and on what was found while things happened: it is held against the
  /// disk later.
  mutating func scheduleRecheck(at place: Place, after time: MonotonicTime) {
    rechecks.insert(place)
    timers.schedule(.recheck(place), at: time + timing.settle)
  }

  /// It cannot be decided now.
  mutating func lookLater(at id: NodeID) {
    timers.schedule(.look(id), at: now + timing.settle)
  }

  /// A mount answers again: what could not be looked at is looked at now, wherever it is.
  mutating func lookAgainAtUnseen(_ directories: Set<NodeID>) {
    for place in coverage.unprobed.places { timers.schedule(.unprobed(place), at: now) }
    for id in directories { timers.schedule(.unlisted(id), at: now) }
  }

  /// What happened in a directory could not be followed up: once that has been told, it is caught up with.
  mutating func rescanLater(_ id: NodeID) {
    timers.schedule(.unfollowed(id), at: now + timing.settle)
  }
}

// MARK: - Hints that have not been followed yet may tell more

extension Classifier {
  /// When to ask again what could not be found out.
  var retryDelay: Int64 { coverage.unprobed.isEmpty ? timing.hintDelay : timing.settle }

  /// Hints that have not been followed up may tell more of an arrival.
  mutating func finishLater(_ place: Place, after delay: Int64? = nil, isUnreachable: Bool = false) {
    guard arrivals[place] != nil else { return }
    let due = now + (delay ?? (isUnreachable ? timing.settle : retryDelay))
    arrivals.update(at: place) { $0.nextCheck = due }
    timers.schedule(.arrival(place), at: due)
  }

  /// Hints that have not been followed up may tell more of a file that is being written.
  mutating func settleWritingLater(_ id: NodeID, after delay: Int64? = nil, isUnreachable: Bool = false) {
    guard writing[id] != nil else { return }
    let due = now + (delay ?? (isUnreachable ? timing.settle : retryDelay))
    writing[id]?.nextCheck = due
    timers.schedule(.writing(id), at: due)
  }

  /// Hints that have not been followed up may tell more of a displaced entry.
  mutating func examineLater(_ id: NodeID) {
    guard unresolved[id] != nil else { return }
    let due = now + 2 * retryDelay
    unresolved[id]?.due = due
    timers.schedule(.unresolved(id), at: due)
  }

  mutating func postpone(_ id: NodeID) {
    unresolved[id]?.due = now + timing.settle
    timers.schedule(.unresolved(id), at: now + timing.settle)
  }
}

// MARK: - What a later hint should explain

extension Classifier {
  /// A later hint should tell; if none does, what is found then counts.
  mutating func awaitRecord(_ place: Place, _ key: FileKey?) {
    let due = now + timing.hintDelay
    aheadOfLog.insert(key, at: place, due: due)
    timers.schedule(.aheadOfLog(place), at: due)
  }
}
