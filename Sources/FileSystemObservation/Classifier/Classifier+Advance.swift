import LinuxFileSystem

// What is due: windows that end, and looks that are repeated.

extension Classifier {
  /// Takes the changes since the last call, as one change set.
  mutating func takeChanges(reusingNumbers: Bool = true, for scopes: [FileSystemObserver.Scope] = []) -> ScopedLog {
    if !unannounced.isEmpty, !log.isEmpty { announceFoldersOfChanges() }
    let origins = ChangeOrigins(others: coverage.isRescanning ? .unknown : .other, own: own)
    let changes = log.isEmpty ? ScopedLog(ChangeLog()) : ChangeComposer(log, graph, origins).composed(for: scopes)
    log.removeAll()
    graph.beginChangeSet()
    if reusingNumbers && requests.isEmpty && placesToInspect.isEmpty { graph.reuseRemoved() }
    return changes
  }

  /// Asks for everything that is due to be looked at.
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
  private mutating func examineIfDue(_ id: NodeID) {
    guard let unresolvedEntry = unresolved[id] else { return }
    guard unresolvedEntry.due <= now else { return timers.schedule(.unresolved(id), at: unresolvedEntry.due) }
    if awaitsFolder(id) { return }
    // What is found again and again where it cannot be until this is decided would keep it in doubt for ever.
    let isInDoubt = unorderedPlaces.contains(graph.place(id)) && now - unresolvedEntry.since < timing.unprovenQuiet
    if coverage.isRescanning || isInDoubt, unresolvedEntry.believedLocation == .unknown { return postpone(id) }
    // Until the answer comes, the entry is not due again.
    postpone(id)
    requests.append(.examine(id))
  }

  private mutating func checkArrivalIfDue(_ place: Place) {
    guard let activity = arrivals[place]?.activity else { return }
    guard activity.nextCheck <= now else {
      return timers.schedule(.arrival(place), at: activity.nextCheck)
    }
    requests.append(.finish(place))
  }

  private mutating func checkWritingIfDue(_ id: NodeID) {
    guard let activity = writing[id] else { return }
    guard activity.nextCheck <= now else {
      return timers.schedule(.writing(id), at: activity.nextCheck)
    }
    requests.append(.checkWriting(id, probeWriters: mustProbe(id, activity)))
  }

  /// Whether a file is being written, and it must be found out if somebody still does.
  func isInDoubt(_ id: NodeID) -> Bool {
    guard graph.isLive(id), let activity = writing[id] else { return false }
    return mustProbe(id, activity)
  }

  /// Whether it must be found out if somebody still writes.
  private func mustProbe(_ id: NodeID, _ activity: WriteActivity) -> Bool {
    let node = graph[id]
    return node.kind == .file && (node.flags.contains(.copying) || activity.isSave)
  }

  /// Forgets cookies whose other half did not come, and places that were left long ago.
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

  /// The other half of a rename has not come.
  ///
  /// What left may have changed places with something from where nobody looks: inotify takes the hint of that for one
  /// with the rename that came before it to the same name, whatever their cookies.
  private mutating func endPendingRename(_ cookie: UInt32) {
    guard let pendingRename = pendingRenames.removeValue(forKey: cookie), pendingRename.hasPlace(in: graph) else {
      return
    }
    scheduleRecheck(at: pendingRename.place, after: now)
  }

  /// As long as the document that left the place is missing, it may still turn out to be a save.
  private mutating func forgetDeparture(from place: Place, _ time: MonotonicTime) {
    guard let pendingRename = recentDepartures[from: place], pendingRename.since + timing.settle <= time else { return }
    if unresolved[pendingRename.node] == nil {
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
    // The number of a directory that is gone may be a file's by now.
    guard graph.isLive(place.parent), graph[place.parent].kind == .directory else { return aheadOfLog.remove(place) }
    guard due <= now else { return timers.schedule(.aheadOfLog(place), at: due) }
    requests.append(.look(place, .check))
  }

  /// Looks at a place, unless something is in doubt there again.
  private mutating func takeRecheck(at place: Place) {
    guard rechecks.contains(place) else { return }
    if isInDoubt(place) { return scheduleRecheck(at: place, after: now) }
    rechecks.remove(place)
    requests.append(.look(place, .check))
  }

  func isInDoubt(_ place: Place) -> Bool {
    if arrivals[place] != nil || unresolved.entry(at: place) != nil || aheadOfLog.contains(place) { return true }
    return graph.node(at: place).map { unresolved[$0] != nil } ?? false
  }

  private mutating func probeAgain(_ place: Place) {
    guard coverage.unprobed.contains(place) else { return }
    guard graph.isLive(place.parent) else { return _ = noteProbed(place) }
    timers.schedule(.unprobed(place), at: now + timing.unprovenQuiet)
    requests.append(.look(place, .check))
  }

  mutating func listAgain(_ id: NodeID) {
    guard coverage.has(.unlistable, id) else { return }
    timers.schedule(.unlisted(id), at: now + timing.unprovenQuiet)
    requests.append(.scan(id))
  }

  /// One that is missing is caught up with when it is found.
  mutating func rescanIfNeeded(_ id: NodeID) {
    // The number of a directory that is gone may be a file's by now.
    guard graph.isLive(id), graph[id].kind == .directory, unresolved[id] == nil else { return }
    requests.append(.moved(id, from: graph[id].parent))
  }
}
