import LinuxFileSystem

// Timers: windows that end, and looks that are repeated.

extension Classifier {
  /// Takes the changes since the last call, as one set.
  mutating func takeChanges(reusingNumbers: Bool = true, for scopes: [FileSystemObserver.Scope] = []) -> ScopedLog {
    if !unannounced.isEmpty, !log.isEmpty { announceFoldersOfChanges() }
    let origins = ChangeOrigins(others: coverage.isRescanning || isResuming ? .unknown : .other, own: own)
    let changes = log.isEmpty ? ScopedLog(ChangeLog()) : ChangeComposer(log, graph, origins).composed(for: scopes)
    news.changedTimes.formUnion(changes.whole.unmoved)
    news.forgetTags(toldBy: changes.whole)
    log.removeAll()
    graph.beginChangeSet()
    if reusingNumbers && requests.isEmpty && placesToInspect.isEmpty { graph.reuseRemoved() }
    return changes
  }

  /// Makes requests of everything that is due.
  mutating func advance() {
    forgetExpired()
    coverage.forgetKept(now)
    while let target = timers.popDue(now) {
      switch target {
      case .unresolved(let id): examineIfDue(id)
      case .arrival(let place): checkArrivalIfDue(place)
      case .writing(let id): checkWritingIfDue(id)
      case .aheadOfLog(let place): lookAgainIfDue(place)
      case .unprobed(let place): probeAgain(place)
      case .unlisted(let id): listAgain(id)
      case .unfollowed(let id): rescanIfNeeded(id)
      case .look(let id): requests.append(.lookAt(id))
      case .recheck(let place): takeRecheck(at: place)
      case .announcement(let id): announceIfDue(id)
      case .expiry: scheduleExpiry()
      }
    }
  }

  private mutating func scheduleExpiry() {
    if let first = expiring.first { timers.schedule(.expiry, at: max(now, first.time)) }
    if let until = coverage.keptUntil, until > now { timers.schedule(.expiry, at: until) }
  }
}

// MARK: - Windows that end

extension Classifier {
  /// Whether something is due whose timer has ended; if it was put off meanwhile, its timer is set again.
  private mutating func isDue(_ target: TimerTarget, at due: MonotonicTime) -> Bool {
    if due > now { timers.schedule(target, at: due) }
    return due <= now
  }

  private mutating func examineIfDue(_ id: NodeID) {
    guard let unresolvedEntry = unresolved[id], isDue(.unresolved(id), at: unresolvedEntry.due) else { return }
    if let due = folderWait(of: id) { return postpone(id, until: due) }
    // An entry that new arrivals keep unordered, or that is found all the time while hints of the place are on their way,
    // would never be decided: `unprovenQuiet` bounds the wait.
    let isUncertain = unorderedPlaces.contains(graph.place(id)) || aheadOfLog.has(graph.key(id))
    let isInDoubt = isUncertain && now - unresolvedEntry.since < timing.unprovenQuiet
    let mustWait = (coverage.isRescanning || isInDoubt) && isMissing(id)
    // The entry is not due again before the answer comes.
    postpone(id)
    if !mustWait { requests.append(.examine(id)) }
  }

  private mutating func checkArrivalIfDue(_ place: Place) {
    guard let activity = arrivals[place]?.activity, isDue(.arrival(place), at: activity.nextCheck) else { return }
    requests.append(.look(.arrival(place)))
  }

  private mutating func checkWritingIfDue(_ id: NodeID) {
    guard let activity = writing[id], isDue(.writing(id), at: activity.nextCheck) else { return }
    requests.append(.look(.writing(id)))
  }

  /// Whether the engine must probe for writers of a file that is being written.
  func mustProbeWriters(of id: NodeID) -> Bool {
    guard graph.isLive(id), let activity = writing[id] else { return false }
    return graph[id].kind == .file && (graph[id].flags.contains(.copying) || activity.isSave)
  }

  /// Whether the engine must probe once more for writers of an arrival that it has looked at.
  func mustProbeWriters(at place: Place) -> Bool { arrivals[place]?.activity.isClosed == false }

  /// Forgets rename cookies without a second half, and expired departures, announcements and late finds.
  mutating func forgetExpired() {
    while let first = expiring.first, first.time <= now {
      expiring.removeFirst()
      switch first {
      case .pendingRename(let cookie, _): endPendingRename(cookie)
      case .recentDeparture(let place, let time): forgetDeparture(from: place, time)
      case .announced(let id, let time): if recentlyAnnounced[id] == time { recentlyAnnounced[id] = nil }
      case .lateFind(let id, let time): coverage.expireLateFind(id, at: time, now)
      }
    }
  }

  /// Ends a rename whose second half has not come.
  ///
  /// The entry may have been exchanged with one outside the observed directories. inotify merges the event of such an
  /// exchange with a preceding rename to the same name, whatever their cookies. So the place is looked at again.
  private mutating func endPendingRename(_ cookie: UInt32) {
    guard let pendingRename = pendingRenames.remove(cookie), pendingRename.hasPlace(in: graph) else {
      return
    }
    scheduleRecheck(at: pendingRename.place, after: now)
  }

  /// Keeps the departure while the document is missing: a new inode at the place may still prove to be a save of it.
  private mutating func forgetDeparture(from place: Place, _ time: MonotonicTime) {
    guard let departure = recentDepartures[from: place], departure.since + timing.settle <= time else { return }
    if unresolved[departure.node] == nil {
      recentDepartures.forget(from: place)
    } else {
      forgetLater(.recentDeparture(place, now + timing.settle))
    }
  }
}

// MARK: - Looks that are repeated

extension Classifier {
  private mutating func lookAgainIfDue(_ place: Place) {
    guard let due = aheadOfLog.due(place) else { return }
    // `NodeID`s are reused: this one may be a file's now.
    guard isDirectory(place.parent) else {
      aheadOfLog.remove(place)
      return
    }
    if isDue(.aheadOfLog(place), at: due) { requestLook(at: place) }
  }

  /// Requests the look, or postpones it while the place is undecided again.
  private mutating func takeRecheck(at place: Place) {
    guard rechecks.contains(place) else { return }
    if isInDoubt(place) { return scheduleRecheck(at: place, after: now) }
    rechecks.remove(place)
    requestLook(at: place)
  }

  /// Whether it is not decided what is at a place.
  func isInDoubt(_ place: Place) -> Bool {
    if arrivals[place] != nil || unresolved.entry(at: place) != nil || aheadOfLog.contains(place) { return true }
    return graph.node(at: place).map { unresolved[$0] != nil } ?? false
  }

  private mutating func probeAgain(_ place: Place) {
    guard coverage.unprobed.contains(place) else { return }
    guard graph.isLive(place.parent) else {
      noteProbed(place)
      return
    }
    timers.schedule(.unprobed(place), at: now + timing.unprovenQuiet)
    requestLook(at: place)
  }

  mutating func listAgain(_ id: NodeID) {
    guard coverage.has(.unlistable, id) else { return }
    timers.schedule(.unlisted(id), at: now + timing.unprovenQuiet)
    requests.append(.scan(id))
  }

  /// Requests the listing that a directory needs; an unresolved directory is listed once it is found.
  mutating func rescanIfNeeded(_ id: NodeID) {
    // `NodeID`s are reused: this one may be a file's now.
    guard isDirectory(id), unresolved[id] == nil else { return }
    requestListing(of: id)
  }
}
