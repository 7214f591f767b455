import LinuxFileSystem

// Parts of the tree that nobody can see for a while: nothing there is gone for that, and originals may be there.

extension Classifier {
  /// Whether there are originals that nobody has seen, or are only being found.
  func isBlind(_ now: MonotonicTime) -> Bool { coverage.hasGap(now) }

  /// When to ask again what could not be found out.
  var retryDelay: Int64 { coverage.unprobed.isEmpty ? timing.hintDelay : timing.settle }

  /// Notes whether a directory can be listed.
  ///
  /// - Parameter mayPass: Whether it may be listable again without an event that tells so.
  mutating func setUnlistable(_ id: NodeID, _ isUnlistable: Bool, mayPass: Bool = false, _ now: MonotonicTime) {
    if isUnlistable, mayPass { timers.schedule(.unlisted(id), at: now + timing.patience) }
    if isUnlistable { beginGap(now) }
    if coverage.set(.unlistable, of: id, isUnlistable), !isUnlistable { endGap(now) }
  }

  private mutating func beginGap(_ now: MonotonicTime) { coverage.beginGap(isStart: began == now, now) }

  /// What can be seen again may hold originals that are only being found.
  private mutating func endGap(_ now: MonotonicTime) {
    let until = now + 4 * timing.settle
    coverage.endGap(until: until)
    if coverage.keptUntil != nil { timers.schedule(.expiry, at: until) }
  }

  /// Something is there, and what it is could not be found out.
  mutating func noteUnprobed(_ place: Place, _ now: MonotonicTime) {
    beginGap(now)
    unexplained[place] = nil
    coverage.insertUnprobed(place)
    timers.schedule(.unprobed(place), at: now + timing.patience)
  }

  /// It could be found out what is at a place.
  ///
  /// - Returns: Whether it could not before.
  mutating func noteProbed(_ place: Place, _ now: MonotonicTime) -> Bool {
    guard coverage.removeUnprobed(place) else { return false }
    endGap(now)
    return true
  }

  mutating func probeAgain(_ place: Place, _ now: MonotonicTime) {
    guard coverage.unprobed.contains(place) else { return }
    guard graph.isLive(place.parent) else { return _ = noteProbed(place, now) }
    timers.schedule(.unprobed(place), at: now + timing.patience)
    requests.append(.look(place, .check))
  }

  /// A mount answers again: what could not be looked at is looked at now, wherever it is.
  mutating func lookAgainAtUnseen(_ directories: Set<NodeID>, _ now: MonotonicTime) {
    for place in coverage.unprobed.places { timers.schedule(.unprobed(place), at: now) }
    for id in directories { timers.schedule(.unlisted(id), at: now) }
  }

  /// What happened in a directory could not be followed up: once that has been told, it is caught up with.
  mutating func catchUpLater(_ id: NodeID, _ now: MonotonicTime) {
    timers.schedule(.unfollowed(id), at: now + timing.settle)
  }

  /// One that is missing is caught up with when it is found.
  mutating func catchUp(_ id: NodeID) {
    // The number of a directory that is gone may be a file's by now.
    guard graph.isLive(id), graph[id].kind == .directory, displaced[id] == nil else { return }
    requests.append(.moved(id, from: graph[id].parent))
  }

  mutating func listAgain(_ id: NodeID, _ now: MonotonicTime) {
    guard coverage.has(.unlistable, id) else { return }
    timers.schedule(.unlisted(id), at: now + timing.patience)
    requests.append(.scan(id))
  }
}
