import LinuxFileSystem

// Parts of the tree that nobody can see for a while: nothing there is gone for that, and originals may be there.

extension Classifier {
  /// Whether there are originals that nobody has seen, or are only being found.
  func isBlind() -> Bool { coverage.hasGap(now) }

  /// Notes whether a directory can be listed.
  ///
  /// - Parameter mayPass: Whether it may be listable again without an event that tells so.
  mutating func setUnlistable(_ id: NodeID, _ isUnlistable: Bool, mayPass: Bool = false) {
    if isUnlistable, mayPass { timers.schedule(.unlisted(id), at: now + timing.unprovenQuiet) }
    if isUnlistable { beginGap() }
    if coverage.set(.unlistable, of: id, isUnlistable), !isUnlistable { endGap() }
  }

  mutating func beginGap() { coverage.beginGap(isStart: period.began == now, now) }

  /// What can be seen again may hold originals that are only being found.
  mutating func endGap() {
    let until = now + 4 * timing.settle
    coverage.endGap(until: until)
    if coverage.keptUntil != nil { timers.schedule(.expiry, at: until) }
  }

  /// Something is there, and what it is could not be found out.
  mutating func noteUnprobed(_ place: Place) {
    beginGap()
    aheadOfLog.remove(place)
    coverage.insertUnprobed(place)
    timers.schedule(.unprobed(place), at: now + timing.unprovenQuiet)
  }

  /// It could be found out what is at a place.
  ///
  /// - Returns: Whether it could not before.
  mutating func noteProbed(_ place: Place) -> Bool {
    guard coverage.removeUnprobed(place) else { return false }
    endGap()
    return true
  }

  /// At a directory something was mounted or unmounted: what is not seen there any more, and below it, is gone for that
  /// reason.
  mutating func noteCovered(_ id: NodeID) {
    var ids = [id]
    graph.storage.forEachDescendant(of: id) { ids.append($0) }
    for id in ids { coverage.set(.covered, of: id) }
  }
}
