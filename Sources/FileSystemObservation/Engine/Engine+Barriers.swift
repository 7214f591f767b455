import FileEvents
package import LinuxFileSystem

// Waiting until everything that has happened is announced.

/// Somebody waits until everything is announced that had happened at a moment.
struct Barrier {
  /// The number of the hint by which the kernel had told everything.
  var hint: UInt64
  /// When somebody began to wait.
  var since: MonotonicTime
  /// When all those hints had been followed up; from then on only decisions are awaited.
  var followed: MonotonicTime?
  var done: () -> Void
}

extension Engine {
  /// Calls `done` when everything is announced that has happened by now.
  package func addBarrier(at now: MonotonicTime, _ done: @escaping () -> Void) {
    source.deliverPending()
    barriers.append(Barrier(hint: source.delivered, since: now, done: done))
  }

  /// Lets those go on who have waited for what is announced by now.
  package func passBarriers(at now: MonotonicTime) {
    if barriers.isEmpty { return }
    barrierDue = nil
    for index in barriers.indices where barriers[index].followed == nil && isFollowed(barriers[index], now) {
      barriers[index].followed = now
    }
    let passed = barriers.filter { isPassed($0) }
    barriers.removeAll { isPassed($0) }
    for barrier in passed { barrier.done() }
  }

  /// Lets everybody go on: nothing more is announced.
  func endBarriers() {
    let ended = barriers
    barriers = []
    for barrier in ended { barrier.done() }
  }

  private func isFollowed(_ barrier: Barrier, _ now: MonotonicTime) -> Bool {
    guard let horizon = source.horizon(since: barrier.since) else {
      // The source looks by itself, and says so to nobody when it finds nothing.
      barrierDue = now + Self.horizonPause
      return false
    }
    return nextHint >= max(barrier.hint, horizon) && carried.hints.isEmpty && touchedSince == nil
  }

  /// How long to wait until a source is asked again how far it has looked, in nanoseconds.
  private static var horizonPause: Int64 { 20_000_000 }

  private func isPassed(_ barrier: Barrier) -> Bool {
    if isRootLost { return true }
    guard let followed = barrier.followed else { return false }
    return state.classify { $0.hasDecidedAll(until: followed) }
  }
}

extension Classifier {
  /// Whether nothing is in doubt any more that had happened at a moment.
  ///
  /// A file that is still open for writing is not waited for.
  func hasDecidedAll(until moment: MonotonicTime) -> Bool {
    guard requests.isEmpty, touched.isEmpty, log.isEmpty else { return false }
    if displaced.values.contains(where: { $0.since <= moment }) { return false }
    if untold.values.contains(where: { $0 <= moment }) { return false }
    return !arrivals.keys.contains { isAwaited(arrivalAt: $0, since: moment) }
      && !writing.keys.contains { id in writing[id].map { isAwaited($0, since: moment) } ?? false }
  }

  /// Whether a newcomer is announced soon: complete, or as being copied.
  private func isAwaited(arrivalAt place: Place, since moment: MonotonicTime) -> Bool {
    guard let arrival = arrivals[place], arrival.progress.firstSeen <= moment else { return false }
    let isNew = graph.node(at: place) == nil && graph.node(with: arrival.key) == nil
    return isNew || isAwaited(arrival.progress, since: moment)
  }

  /// Whether a file was written before a moment, and is about to be complete as far as is known.
  ///
  /// A program that is just being started may hold a file open for a moment longer than whoever wrote it.
  private func isAwaited(_ progress: Progress, since moment: MonotonicTime) -> Bool {
    guard progress.firstSeen <= moment, progress.lastActivity <= moment + timing.quiet else { return false }
    return progress.checks == 0 || progress.isClosed && progress.nextCheck - progress.lastActivity <= 2 * timing.quiet
  }
}
