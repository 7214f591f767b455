import LinuxFileSystem

// Parts of the tree that cannot be looked at for a while. Nothing in them counts as gone, and originals may be there.

extension Classifier {
  /// Whether an original may be in a part of the tree that is invisible, or has only just become visible.
  var hasCoverageGap: Bool { coverage.hasGap(now) }

  /// Notes whether a directory can be listed.
  ///
  /// - Parameter mayPass: Whether it may become listable without a hint.
  mutating func setUnlistable(_ id: NodeID, _ isUnlistable: Bool, mayPass: Bool = false) {
    if isUnlistable, mayPass { timers.schedule(.unlisted(id), at: now + timing.unprovenQuiet) }
    if isUnlistable { beginGap() }
    if coverage.set(.unlistable, of: id, isUnlistable), !isUnlistable { endGap() }
  }

  mutating func beginGap() { coverage.beginGap(isStart: period.began == now, now) }

  /// Ends a gap; originals that it hid may still be found for some time.
  mutating func endGap() {
    let until = now + 4 * timing.settle
    coverage.endGap(until: until)
    if coverage.keptUntil != nil { timers.schedule(.expiry, at: until) }
  }

  /// Notes that a look at a place failed, though something is there.
  mutating func noteUnprobed(_ place: Place) {
    guard graph.isLive(place.parent) else { return }
    beginGap()
    aheadOfLog.remove(place)
    coverage.insertUnprobed(place)
    timers.schedule(.unprobed(place), at: now + timing.unprovenQuiet)
  }

  /// Notes that a look at a place succeeded; returns whether the last one had failed.
  @discardableResult
  mutating func noteProbed(_ place: Place) -> Bool {
    guard coverage.removeUnprobed(place) else { return false }
    endGap()
    return true
  }

  /// Ends the looks at an entry that could not be read, if its directory is going to be listed once it is reached.
  mutating func leaveToListing(_ place: Place) {
    if coverage.has(.needsListing, place.parent) { noteProbed(place) }
  }

  /// Ends a directory at whose place another is mounted that is observed elsewhere.
  mutating func endCovered(at place: Place) {
    guard let id = graph.node(at: place), isMissing(id) else { return }
    noteCovered(id)
    endReplaced(id, otherwise: .removed)
  }

  /// Notes a mount or unmount at a directory: it explains what is missing there and below.
  mutating func noteCovered(_ id: NodeID) {
    for id in [id] + graph.storage.descendants(of: id) { coverage.set(.covered, of: id) }
  }
}
