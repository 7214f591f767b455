import LinuxFileSystem

// Parts of the tree that nobody can see for a while: nothing there is gone for that, and originals may be there.

/// What is known of the parts of the tree that cannot be seen.
struct Blindness: Sendable {
  /// How many directories cannot be listed.
  var unreadableCount = 0
  /// Until when newcomers may be what could not be seen before.
  var until: MonotonicTime?
  /// Whether it has lasted since the first scan: nobody has seen the whole tree, and what was found first may be the
  /// copy.
  var isFirst = false
  /// Documents that have other inodes since it began, younger than what bears their tags.
  var saved: Set<NodeID> = []
  /// Whether entries that were found late are remembered until it ends, as nobody knows when that is.
  var keepsListed = false

  /// How many of those: it may never end, where a directory is another user's.
  static let keptLimit = 4_096
}

extension Classifier {
  /// Whether there are originals that nobody has seen, or are only being found.
  func isBlind(_ now: MonotonicTime) -> Bool {
    blindness.unreadableCount > 0 || !unprobed.isEmpty || blindness.until.map { now < $0 } ?? false
  }

  /// When to ask again what could not be found out.
  var retryDelay: Int64 { unprobed.isEmpty ? timing.hintDelay : timing.settle }

  /// Notes whether a directory can be listed.
  ///
  /// - Parameter mayPass: Whether it may be listable again without an event that tells so.
  mutating func setUnreadable(_ id: NodeID, _ isUnreadable: Bool, mayPass: Bool = false, _ now: MonotonicTime) {
    if isUnreadable, mayPass { timers.schedule(.unlisted(id), at: now + timing.patience) }
    guard graph[id].flags.contains(.unreadable) != isUnreadable else { return }
    if isUnreadable { startBlindness(now) }
    graph.setFlags(id, .unreadable, isUnreadable)
    blindness.unreadableCount += isUnreadable ? 1 : -1
    if !isUnreadable { endBlindness(now) }
  }

  /// What can be seen again may hold originals that are only being found.
  private mutating func endBlindness(_ now: MonotonicTime) {
    let until = now + 4 * timing.settle
    blindness.until = until
    if blindness.keepsListed { timers.schedule(.expiry, at: until) }
  }

  /// Forgets what was remembered for as long as not everything could be seen.
  mutating func forgetKept(_ now: MonotonicTime) {
    guard blindness.keepsListed, !isBlind(now) else { return }
    blindness.keepsListed = false
    listed = listed.filter { $0.value.until > now }
  }

  private mutating func startBlindness(_ now: MonotonicTime) {
    guard !isBlind(now) else { return }
    blindness.saved = []
    blindness.isFirst = began == now
  }

  /// Something is there, and what it is could not be found out.
  mutating func noteUnprobed(_ place: Place, _ now: MonotonicTime) {
    startBlindness(now)
    unexplained[place] = nil
    unprobed.insert(place)
    timers.schedule(.unprobed(place), at: now + timing.patience)
  }

  /// It could be found out what is at a place.
  ///
  /// - Returns: Whether it could not before.
  mutating func noteProbed(_ place: Place, _ now: MonotonicTime) -> Bool {
    guard unprobed.remove(place) != nil else { return false }
    endBlindness(now)
    return true
  }

  mutating func probeAgain(_ place: Place, _ now: MonotonicTime) {
    guard unprobed.contains(place) else { return }
    guard graph.isLive(place.parent) else { return _ = noteProbed(place, now) }
    timers.schedule(.unprobed(place), at: now + timing.patience)
    requests.append(.look(place, .check))
  }

  /// A mount answers again: what could not be looked at is looked at now, wherever it is.
  mutating func lookAgainAtUnseen(_ directories: Set<NodeID>, _ now: MonotonicTime) {
    for place in unprobed.places { timers.schedule(.unprobed(place), at: now) }
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
    guard graph.isLive(id), graph[id].flags.contains(.unreadable) else { return }
    timers.schedule(.unlisted(id), at: now + timing.patience)
    requests.append(.scan(id))
  }
}
