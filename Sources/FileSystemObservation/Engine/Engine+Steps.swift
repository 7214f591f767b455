import FileEvents
import FileIdentity
package import LinuxFileSystem

// One step: what is due is looked at and decided, and one change set is published.

extension Engine {
  /// Handles all that is due.
  ///
  /// The caller must first handle all hints that the source has: a hint outweighs a look.
  package func advance(to now: MonotonicTime) {
    beginStep(at: now)
    recorder?.noteStep(.deadlines, at: now, wallClock: files.wallClock)
    if carried.isOverdue(now) { handle(HintBatch(first: nextHint), at: now) }
    // Looks that wait come before decisions.
    if inspectionDueSince != nil { inspectPlaces(now) }
    limitResumption(now)
    lookAtPolledPlaces(now)
    lookAtPostponed(now)
    lookAtUnlistedFolders(now)
    decideFoundFolders(now)
    state.classify(at: now) { $0.advance() }
    inspectPlaces(now)
    endRecoveryIfStable()
    writeHeldTags(now)
    lookAtGrowth(now)
    decidesFolders = true
    publish()
    decidesFolders = false
    planGrowthLook(now)
    readNextContents(now)
    checkInvariants()
  }

  /// How long to rest before the next step, in nanoseconds; not at all unless many files arrive.
  ///
  /// Steps then begin two milliseconds apart, unless they take longer.
  func restInBurst(at now: MonotonicTime) -> Int64 {
    let isBurst = now - lastHints < 5_000_000 && state.classify { $0.pendingArrivalCount >= settings.burst }
    guard isBurst else { return 0 }
    let rest = max(0, 2_000_000 - (now - lastRest))
    lastRest = now + rest
    return rest
  }
}
