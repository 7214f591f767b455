import DequeModule
import FileEvents
import FileIdentity
import LinuxFileSystem

// What is looked at or decided again, and when.

extension Deque<Classifier.Expiring> {
  /// Adds an item after those that expire no later: most are the last ones, but late finds are kept for longer.
  fileprivate mutating func insert(inOrder item: Element) {
    guard let last, last.time > item.time else { return append(item) }
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].time <= item.time { low = middle + 1 } else { high = middle }
    }
    insert(item, at: low)
  }
}

extension Classifier {
  /// Forgets an item at its time, after the replay of the hints up to that time.
  ///
  /// For an observer that is late, a window has not ended because the clock says so.
  mutating func forgetLater(_ item: Expiring) {
    expiring.insert(inOrder: item)
    timers.schedule(.expiry, at: item.time)
  }

  /// Schedules a look at a place that was decided by hints, or by looks made while the place was changing.
  ///
  /// Nothing is looked at in a directory that has ended meanwhile.
  mutating func scheduleRecheck(at place: Place, after time: MonotonicTime) {
    guard graph.isLive(place.parent) else { return }
    rechecks.insert(place)
    timers.schedule(.recheck(place), at: time + timing.settle)
  }

  /// Looks at an entry after the settle window, because it cannot be decided now.
  mutating func lookLater(at id: NodeID) {
    timers.schedule(.look(id), at: now + timing.settle)
  }

  /// Looks at once at all that could not be looked at: a mount answers again.
  mutating func lookAgainAtUnseen(_ directories: Set<NodeID>) {
    for place in coverage.unprobed.places { timers.schedule(.unprobed(place), at: now) }
    for id in directories { timers.schedule(.unlisted(id), at: now) }
  }

  /// Requests the listing of a directory that was found again, if something there has not been listed.
  mutating func requestListing(of id: NodeID) {
    carryNeedsListing(to: id)
    requests.append(.moved(id))
  }

  /// Notes that a directory needs a listing if one around it does, which it may be about to leave.
  mutating func carryNeedsListing(to id: NodeID) {
    guard coverage.count(of: .needsListing) > 0, graph[id].kind == .directory else { return }
    let around = graph.nearest(from: id) { coverage.has(.needsListing, $0) } ?? .root
    if coverage.has(.needsListing, around) { coverage.set(.needsListing, of: id) }
  }

  /// Lists a directory again after the settle window, because its hints could not be replayed.
  mutating func rescanLater(_ id: NodeID) {
    timers.schedule(.unfollowed(id), at: now + timing.settle)
  }
}

// MARK: - Waiting for hints that have not been replayed

extension Classifier {
  /// The delay until a question is asked again that could not be answered.
  private func retryDelay(isUnreachable: Bool = false) -> Int64 {
    isUnreachable || !coverage.unprobed.isEmpty ? timing.settle : timing.hintDelay
  }

  /// Sets when an arrival is decided, if there is one.
  mutating func finishLater(_ place: Place, after delay: Int64? = nil, isUnreachable: Bool = false) {
    let due = now + (delay ?? retryDelay(isUnreachable: isUnreachable))
    if arrivals.update(at: place, { $0.nextCheck = due }) != nil { timers.schedule(.arrival(place), at: due) }
  }

  /// Sets when a file is decided that is being written, if it is.
  mutating func settleWritingLater(_ id: NodeID, after delay: Int64? = nil, isUnreachable: Bool = false) {
    guard writing[id] != nil else { return }
    let due = now + (delay ?? retryDelay(isUnreachable: isUnreachable))
    writing[id]?.nextCheck = due
    timers.schedule(.writing(id), at: due)
  }

  /// Looks again at an unresolved entry, if it is one, after the hints that may explain where it is.
  mutating func examineLater(_ id: NodeID) {
    if unresolved[id] != nil { postpone(id, until: now + 2 * retryDelay()) }
  }

  /// Postpones the decision on an unresolved entry, for another settle window if no time is given.
  mutating func postpone(_ id: NodeID, until time: MonotonicTime? = nil) {
    let due = time ?? now + timing.settle
    unresolved[id]?.due = due
    timers.schedule(.unresolved(id), at: due)
  }
}

// MARK: - Found ahead of the log

extension Classifier {
  /// Waits for the hint that explains a find; without one, the find counts.
  ///
  /// - Parameter kinds: What the hints said that asked for the look.
  mutating func awaitRecord(_ place: Place, _ key: FileKey?, saying kinds: HintKinds = []) {
    guard graph.isLive(place.parent) else { return }
    let due = now + timing.hintDelay
    aheadOfLog.insert(key, at: place, now, due: due, kinds)
    timers.schedule(.aheadOfLog(place), at: due)
  }
}
