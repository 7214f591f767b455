import FileEvents
package import LinuxFileSystem

// Waiting until everything that has happened is announced.

/// A caller that waits until everything that happened before a moment is announced.
struct Barrier {
  /// The number of the hint up to which the kernel had delivered its events.
  var hint: UInt64
  /// When the wait began.
  var since: MonotonicTime
  /// When all those hints had been replayed.
  var replayed: MonotonicTime?
  /// When what looks had found by then was taken in, too, so that only decisions were missing.
  var followed: MonotonicTime?
  /// Whether the caller waits for the tags that are written later, too.
  var writesTags: Bool
  /// The number of tags that must have been written, once everything is announced.
  var tagCount: Int?
  /// The same of the tags of copies, which wait for the store.
  var copyCount = 0
  var done: () -> Void
}

extension Engine {
  /// Calls `done` when everything that has happened by now is announced.
  ///
  /// - Parameter writesTags: Whether the tags of a burst are written then, too, and awaited.
  package func addBarrier(at now: MonotonicTime, writesTags: Bool = false, _ done: @escaping () -> Void) {
    source.deliverPending()
    lookAtNewMounts(now)
    barriers.append(Barrier(hint: source.delivered, since: now, writesTags: writesTags, done: done))
  }

  /// Takes in a change of the mounts that has not been reported yet: it is read on another thread.
  private func lookAtNewMounts(_ now: MonotonicTime) {
    guard !isRootLost, files.mountPoints(below: root) != mountPoints else { return }
    beginStep(at: now)
    lookAtMounts(now)
    performRequests(now)
    publish()
  }

  /// Calls back the barriers whose changes are announced by now.
  package func passBarriers(at now: MonotonicTime) {
    if barriers.isEmpty { return }
    barrierDue = nil
    for index in barriers.indices where barriers[index].followed == nil { follow(&barriers[index], now) }
    if findsMounts(now) { return }
    for index in barriers.indices where barriers[index].tagCount == nil && isAnnounced(barriers[index]) {
      barriers[index].tagCount = barriers[index].writesTags ? heldTags.hurry(now) : 0
      barriers[index].copyCount = barriers[index].writesTags ? copyTags.total : 0
    }
    let waiting = barriers.partition(by: isPassed)
    let passed = barriers[waiting...]
    barriers.removeSubrange(waiting...)
    for barrier in passed { barrier.done() }
  }

  /// Calls back all barriers, because the engine announces nothing more.
  func endBarriers() {
    let ended = barriers
    barriers = []
    for barrier in ended { barrier.done() }
  }

  private func follow(_ barrier: inout Barrier, _ now: MonotonicTime) {
    if barrier.replayed == nil, isReplayed(barrier, now) { barrier.replayed = now }
    guard let replayed = barrier.replayed, !state.classify({ $0.hasFinds(until: replayed) }) else { return }
    barrier.followed = now
  }

  private func isReplayed(_ barrier: Barrier, _ now: MonotonicTime) -> Bool {
    guard let horizon = source.horizon(since: barrier.since) else {
      // A polling source reports nothing when it finds nothing.
      barrierDue = now + Self.horizonPause
      return false
    }
    return nextHint >= max(barrier.hint, horizon) && carried.hints.isEmpty && inspectionDueSince == nil
  }

  /// How long to wait before asking a polling source again how far it has looked, in nanoseconds.
  private static var horizonPause: Int64 { 20_000_000 }

  /// Whether more may be found of what a change of the mounts has brought: it is found step by step.
  private func findsMounts(_ now: MonotonicTime) -> Bool {
    guard !isRootLost, let changed = mountsChangedAt, now - changed < Self.mountPatience else { return false }
    if inspectionDueSince == nil, state.classify({ $0.hasDecidedFinds(until: now) }) { return false }
    barrierDue = changed + Self.mountPatience
    return true
  }

  /// How long to wait for what a change of the mounts has brought, while other programs may be writing, in nanoseconds.
  ///
  /// On a busy machine it takes more than three seconds.
  private static var mountPatience: Int64 { 10_000_000_000 }

  private func isPassed(_ barrier: Barrier) -> Bool {
    guard let count = barrier.tagCount else { return false }
    return isRootLost || heldTags.takenCount >= count && copyTags.takenCount >= barrier.copyCount
  }

  private func isAnnounced(_ barrier: Barrier) -> Bool {
    if isRootLost { return true }
    // What has happened since the last run is announced as one set.
    if resumption != nil { return false }
    guard let followed = barrier.followed, folderArrivals?.hasQuietFolders(until: followed) != true else {
      return false
    }
    return state.classify { $0.hasDecidedAll(until: followed) }
  }
}
