import LinuxFileSystem

// What is due: windows that end, and looks that are repeated.

extension Classifier {
  /// Takes the changes since the last call, as one change set.
  mutating func takeChanges(
    reusingNumbers: Bool = true, for scopes: [FileSystemObserver.Scope] = []
  ) -> ScopedLog {
    if !untold.isEmpty, !log.isEmpty { announceFoldersOfChanges() }
    let origins = ChangeOrigins(others: coverage.isRecovering ? .unknown : .other, own: own)
    let changes = log.isEmpty ? ScopedLog(ChangeLog()) : ChangeComposer(log, graph, origins).composed(for: scopes)
    log.removeAll()
    graph.beginChangeSet()
    if reusingNumbers && requests.isEmpty && touched.isEmpty { graph.reuseRemoved() }
    return changes
  }

  /// Asks for everything that is due to be looked at.
  mutating func advance(to now: MonotonicTime) {
    forgetExpired(now)
    coverage.forgetKept(now)
    while let target = timers.popDue(now) {
      switch target {
      case .displaced(let id): examineIfDue(id, now)
      case .arrival(let place): checkArrivalIfDue(place, now)
      case .writing(let id): checkWritingIfDue(id, now)
      case .unexplained(let place): lookAgainIfDue(place, now)
      case .unprobed(let place): probeAgain(place, now)
      case .unlisted(let id): listAgain(id, now)
      case .unfollowed(let id): catchUp(id)
      case .look(let id): requests.append(.lookAt(id))
      case .secondLook(let place): takeSecondLook(at: place, now)
      case .announcement(let id): announceIfDue(id, now)
      case .expiry: scheduleExpiry(now)
      }
    }
  }

  private mutating func scheduleExpiry(_ now: MonotonicTime) {
    if let first = expiring.first { timers.schedule(.expiry, at: max(now, first.time)) }
    if let until = coverage.keptUntil, until > now { timers.schedule(.expiry, at: until) }
  }
}

// MARK: - Windows that end

extension Classifier {
  private mutating func examineIfDue(_ id: NodeID, _ now: MonotonicTime) {
    guard let displacement = displaced[id] else { return }
    guard displacement.due <= now else { return timers.schedule(.displaced(id), at: displacement.due) }
    if awaitsFolder(id, now) { return }
    // What is found again and again where it cannot be until this is decided would keep it in doubt for ever.
    let isInDoubt = doubtful.contains(graph.place(id)) && now - displacement.since < timing.patience
    if coverage.isRecovering || isInDoubt, displacement.whereabouts == .unknown { return postpone(id, now) }
    // Until the answer comes, the entry is not due again.
    postpone(id, now)
    requests.append(.examine(id))
  }

  private mutating func checkArrivalIfDue(_ place: Place, _ now: MonotonicTime) {
    guard let progress = arrivals[place]?.progress else { return }
    guard progress.nextCheck <= now else {
      return timers.schedule(.arrival(place), at: progress.nextCheck)
    }
    requests.append(.finish(place))
  }

  private mutating func checkWritingIfDue(_ id: NodeID, _ now: MonotonicTime) {
    guard let progress = writing[id] else { return }
    guard progress.nextCheck <= now else {
      return timers.schedule(.writing(id), at: progress.nextCheck)
    }
    requests.append(.checkWriting(id, probeWriters: mustProbe(id, progress)))
  }

  /// Whether a file is being written, and it must be found out if somebody still does.
  func isInDoubt(_ id: NodeID) -> Bool {
    guard graph.isLive(id), let progress = writing[id] else { return false }
    return mustProbe(id, progress)
  }

  /// Whether it must be found out if somebody still writes.
  private func mustProbe(_ id: NodeID, _ progress: Progress) -> Bool {
    let node = graph[id]
    return node.kind == .file && (node.flags.contains(.copying) || progress.isSave)
  }

  /// Forgets cookies whose other half did not come, and places that were left long ago.
  mutating func forgetExpired(_ now: MonotonicTime) {
    while let first = expiring.first, first.time <= now {
      expiring.removeFirst()
      switch first {
      case .departure(let cookie, _): endDeparture(cookie, now)
      case .departed(let place, let time): forgetDeparture(from: place, time, now)
      case .announced(let id, let time): if announced[id] == time { announced[id] = nil }
      case .lateFind(let id, let time): coverage.expireLateFind(id, at: time, now)
      }
    }
  }

  /// The other half of a rename has not come.
  ///
  /// What left may have changed places with something from where nobody looks: inotify takes the hint of that for one
  /// with the rename that came before it to the same name, whatever their cookies.
  private mutating func endDeparture(_ cookie: UInt32, _ now: MonotonicTime) {
    guard let departure = departures.removeValue(forKey: cookie), departure.hasPlace(in: graph) else { return }
    lookAgain(at: departure.place, after: now)
  }

  /// As long as the document that left the place is missing, it may still turn out to be a save.
  private mutating func forgetDeparture(from place: Place, _ time: MonotonicTime, _ now: MonotonicTime) {
    guard let departure = recentDepartures[from: place], departure.since + timing.settle <= time else { return }
    if displaced[departure.node] == nil {
      recentDepartures.forget(from: place)
    } else {
      forgetLater(.departed(place, now + timing.settle))
    }
  }
}

// MARK: - Looks that are repeated

extension Classifier {
  private mutating func lookAgainIfDue(_ place: Place, _ now: MonotonicTime) {
    guard let due = unexplained[place]?.due else { return }
    // The number of a directory that is gone may be a file's by now.
    guard graph.isLive(place.parent), graph[place.parent].kind == .directory else { return unexplained[place] = nil }
    guard due <= now else { return timers.schedule(.unexplained(place), at: due) }
    requests.append(.look(place, .check))
  }

  /// Looks at a place, unless something is in doubt there again.
  private mutating func takeSecondLook(at place: Place, _ now: MonotonicTime) {
    guard secondLooks.contains(place) else { return }
    if isInDoubt(place) { return lookAgain(at: place, after: now) }
    secondLooks.remove(place)
    requests.append(.look(place, .check))
  }

  func isInDoubt(_ place: Place) -> Bool {
    if arrivals[place] != nil || held[place] != nil || unexplained[place] != nil { return true }
    return graph.node(at: place).map { displaced[$0] != nil } ?? false
  }

  private mutating func probeAgain(_ place: Place, _ now: MonotonicTime) {
    guard coverage.unprobed.contains(place) else { return }
    guard graph.isLive(place.parent) else { return _ = noteProbed(place, now) }
    timers.schedule(.unprobed(place), at: now + timing.patience)
    requests.append(.look(place, .check))
  }

  mutating func listAgain(_ id: NodeID, _ now: MonotonicTime) {
    guard coverage.has(.unlistable, id) else { return }
    timers.schedule(.unlisted(id), at: now + timing.patience)
    requests.append(.scan(id))
  }

  /// One that is missing is caught up with when it is found.
  mutating func catchUp(_ id: NodeID) {
    // The number of a directory that is gone may be a file's by now.
    guard graph.isLive(id), graph[id].kind == .directory, displaced[id] == nil else { return }
    requests.append(.moved(id, from: graph[id].parent))
  }
}
