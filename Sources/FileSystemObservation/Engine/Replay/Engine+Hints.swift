package import FileEvents
import FileIdentity
package import LinuxFileSystem
import SystemPackage

// The replay of hints.

extension Engine {
  /// Replays a batch of hints, and publishes the changes as one set.
  ///
  /// The hints are replayed first, in their order. Then each of their places is looked at once. Changes by hints alone
  /// are published first, because the looks take as long as all the rest. While more hints are waiting, the looks wait,
  /// too: they would show the state after those hints.
  ///
  /// - Parameter isLast: Whether no more hints are waiting.
  package func handle(_ batch: HintBatch, isLast: Bool = true, at now: MonotonicTime) {
    beginStep(at: now)
    watchDetails()
    if !batch.isEmpty {
      lastHints = now
      leaveContents()
      recorder?.noteStep(batch, isLast: isLast, at: now, wallClock: files.wallClock)
    }
    hasLookedAtMounts = false
    var waiting = carried
    carried = CarriedHints()
    waiting.append(batch)
    follow(waiting, now)
    toFollow = []
    if isRootLost { return skip(batch) }
    nextHint = batch.next
    listedAt.forget(before: carried.hints.isEmpty ? nextHint : carried.first)
    if isLast && !hasNews || mustLook(now) { inspectPlaces(now) } else { performRequests(now) }
    if isLast { endRecoveryIfStable() }
    publish()
    planGrowthLook(now)
    checkInvariants()
  }

  /// Leaves out the rest of the hints while the directory is lost: a rescan follows when it is back.
  func skip(_ batch: HintBatch) {
    carried = CarriedHints()
    nextHint = batch.next
  }

  private func follow(_ batch: CarriedHints, _ now: MonotonicTime) {
    let finder = ExchangeFinder(hints: batch.hints)
    let isRescanning = state.classify { $0.coverage.isRescanning }
    var done: Set<Int> = []
    for (index, hint) in batch.hints.enumerated() {
      noteChangedDirectory(hint)
      if done.remove(index) != nil { continue }
      toFollow = batch.hints[(index + 1)...]
      let isInDoubt = isInDoubt(hint)
      let isBehind = batch.isEarlier(index, than: listedAt)
      let isEarlier = isRescanning || isInDoubt || isBehind || batch.isAfterLoss(index)
      switch isInDoubt ? .rename : finding(finder, index, isEarlier: isEarlier) {
      case .exchange(let to, let backFrom, let backTo)
      where finder.isCertain(index, backFrom) || isWhole((index, to, backFrom, backTo), batch):
        done.formUnion([to, backFrom, backTo])
        let isOtherEarlier = batch.isEarlier(to, than: listedAt)
        let isLost = isRescanning || isInDoubt || batch.isAfterLoss(backTo)
        exchange(hint, batch.hints[backFrom], isEarlier: (isLost || isBehind, isLost || isOtherEarlier), now)
      case .exchangeWithUnseen(let backFrom)
      where finder.isCertain(index, backFrom) || remains(backFrom, finder, batch):
        done.insert(backFrom)
        exchangeWithUnseen(hint, batch.hints[backFrom], now)
      case .undecided(let to) where mustWait(index, to, batch, now):
        return carry(batch, from: index, now)
      case .rename, .exchange, .exchangeWithUnseen, .undecided:
        follow(hint, isEarlier: isEarlier, now)
      }
      if isRootLost { return }
    }
  }

  /// Whether the four halves of an exchange came together, and both its places were occupied.
  private func isWhole(_ halves: (from: Int, to: Int, backFrom: Int, backTo: Int), _ batch: CarriedHints) -> Bool {
    areTogether(halves.from, halves.backTo, batch) && areTogether(halves.to, halves.backFrom, batch)
      && [halves.from, halves.to].allSatisfy { isOccupied($0, batch, before: halves.from) }
  }

  /// Carries the rest of a batch over to the next: the hints of an exchange may be split between two reads.
  private func carry(_ batch: CarriedHints, from index: Int, _ now: MonotonicTime) {
    carried = CarriedHints(
      hints: Array(batch.hints[index...]), first: batch.number(of: index), next: batch.next, loss: batch.loss,
      due: (index == 0 ? batch.due : nil) ?? now + state.classify { $0.exchangeDelay })
  }

  /// Whether the hints alone have changed something.
  private var hasNews: Bool { state.classify { $0.hasNews } }

  /// Whether looks have waited for too long; begins the wait.
  private func mustLook(_ now: MonotonicTime) -> Bool {
    guard let since = inspectionDueSince else {
      if !changedDirectories.isEmpty || state.classify({ $0.hasPlacesToInspect }) { inspectionDueSince = now }
      return false
    }
    return now - since > 50_000_000
  }

  func inspectPlaces(_ now: MonotonicTime) {
    inspectionDueSince = nil
    lookAtPostponed(now)
    while true {
      performRequests(now)
      let touched = state.classify { $0.takePlacesToInspect() }
      if touched.isEmpty { return refreshDirectoryTimes() }
      let mayWait = mayPostponeLooks
      for place in touched.places {
        let kinds = touched.kinds(of: place)
        if mayWait, postpone(place, kinds) { continue }
        lookIfLive(place, .hint(kinds), now)
        noteAttributes(at: place)
      }
    }
  }

  private func follow(_ hint: Hint, isEarlier: Bool, _ now: MonotonicTime) {
    if ancestorMarks.contains(hint.directory) { checkRoot(now) }
    // Hints of a directory that is no longer observed were on their way.
    guard let directory = markedDirectories[hint.directory], state.classify({ $0.graph.isLive(directory) }) else {
      // The directory was marked just before its removal: no entry has this mark, so it is removed here.
      if hint.kinds.contains(.selfRemoved) { source.unmark(hint.directory) }
      return
    }
    guard let name = hint.name else { return handleSelf(hint, directory, now) }
    // It is known what happens in a directory, even while it is not known where it is.
    if isUnresolved(directory) { noteNeedsListing(directory) }
    let place = Place(parent: directory, name: name)
    if isExcluded(place, isDirectory: hint.isDirectory) { return followUnobserved(hint, place, now) }
    // The kernel may have merged a change of attributes by this process with that of the tag.
    if isOwnTag(hint, at: place) { return noteAttributes(at: place) }
    if hint.traits.contains(.look) { state.classify { $0.inspect(place, []) } }
    if isOfAnotherFile(hint, at: place) { return state.classify(at: now) { $0.replayForOtherFile(hint, at: place) } }
    if isEarlier { return replayStale(hint, place, now) }
    state.classify(at: now) { $0.follow(hint, at: place) }
    if hint.kinds.contains(.directory), hint.kinds.hasAny(of: .appearances),
      !state.classify({ $0.isOccupied(place) })
    {
      // No event reports changes in a new directory before it has a mark. It may have left another place.
      performRequests(now)
      lookIfLive(place, .hint(hint.kinds), now)
      performRequests(now)
    }
  }

  /// Replays a hint of an unobserved name.
  ///
  /// Such a name matters as one end of a rename, because its file is not new from outside, and when a file is removed
  /// that was renamed to it. It also matters when it is written, because it may be the next version of a document.
  private func followUnobserved(_ hint: Hint, _ place: Place, _ now: MonotonicTime) {
    // The filter may exclude the name for a directory and admit it for a file, or the other way round. A look decides.
    if settings.filter.needsKinds, state.classify({ $0.isOccupied(place) }) {
      state.classify { $0.inspect(place, []) }
      if hint.kinds.contains(.movedFrom) { return }
    }
    if hint.kinds.contains(.movedFrom) {
      state.classify(at: now) { $0.departUnobserved(from: place, hint) }
    } else if hint.kinds.contains(.movedTo) {
      state.classify(at: now) { $0.arriveUnobserved(at: place, cookie: hint.cookie) }
    } else if hint.kinds.contains(.removed) {
      state.classify(at: now) { $0.noteRemovedUnobserved(at: place) }
    } else if hint.kinds.hasAny(of: [.created, .written, .closed]), !hint.kinds.contains(.directory) {
      state.classify(at: now) { $0.noteUnobservedWriting(in: place.parent) }
    }
  }

  /// Replays a hint from before the listing of its directory: it only says where to look.
  private func replayStale(_ hint: Hint, _ place: Place, _ now: MonotonicTime) {
    state.classify(at: now) { classifier in
      if hint.kinds.contains(.movedFrom) {
        classifier.departEarlier(from: place, cookie: hint.cookie)
      } else if hint.kinds.contains(.movedTo) {
        classifier.arriveEarlier(at: place, cookie: hint.cookie)
      } else {
        classifier.replayStale(hint.kinds, at: place)
      }
    }
  }

  private func handleSelf(_ hint: Hint, _ directory: NodeID, _ now: MonotonicTime) {
    if directory == .root {
      if hint.kinds.hasAny(of: [.selfRemoved, .selfMoved, .unmounted, .markGone]) { checkRoot(now) }
      if hint.kinds.contains(.unmounted), !isRootLost { lookAtMounts(now) }
      if hint.kinds.contains(.markAgain) { scanRootAgain(now) }
      return
    }
    if hint.kinds.contains(.markAgain) { markAgain(directory) }
    if hint.kinds.contains(.markGone) {
      markedDirectories[hint.directory] = nil
      if marks[directory] == hint.directory { marks[directory] = nil }
    }
    // An unmount explains missing entries, so it must be noted before they are missed.
    if hint.kinds.contains(.unmounted), !hasLookedAtMounts { lookAtMounts(now) }
    guard let place = place(of: directory) else { return }
    if hint.kinds.hasAny(of: [.selfRemoved, .unmounted]) { look(at: place, .check, now) }
    // The source asks for a mark again and again while the directory is missing. A look each time at what has its place
    // would put off the decision for ever.
    if hint.kinds.contains(.markAgain), state.classify({ $0.isUnresolved(directory) }) { return }
    if hint.kinds.contains(.attributes), !isOwnTag(hint, at: place) {
      state.classify { $0.inspect(place, .attributes) }
    }
  }

  private func markAgain(_ directory: NodeID) {
    if isUnresolved(directory) {
      noteNeedsListing(directory)
    } else {
      state.classify { $0.request([.scan(directory)]) }
    }
  }
}

extension Hint {
  /// Whether the hint is about a directory; `nil` if it only says where to look.
  var isDirectory: Bool? { kinds.isEmpty ? nil : kinds.contains(.directory) }
}
