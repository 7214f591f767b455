package import FileEvents
import FileIdentity
package import LinuxFileSystem
import SystemPackage

// Following up hints.

extension Engine {
  /// Follows up a batch of hints, and publishes what they meant as one change set.
  ///
  /// First the hints are taken at their word, in their order; then the places they touched are looked at, once each.
  /// Where the hints alone say something, that is published first, and the looks are due at once: they take as long as
  /// all the rest. While more hints wait, looks can wait, too: what is found would be the end of what they tell.
  ///
  /// - Parameter isLast: Whether no more hints are at hand.
  package func handle(_ batch: HintBatch, isLast: Bool = true, at now: MonotonicTime) {
    hasLookedAtMounts = false
    var waiting = carried
    carried = CarriedHints()
    waiting.append(batch)
    follow(waiting, now)
    toFollow = []
    if isRootLost { return }
    nextHint = batch.next
    listedAt.forget(before: carried.hints.isEmpty ? nextHint : carried.first)
    if isLast && !hasNews || mustLook(now) { lookAtTouched(now) } else { performRequests(now) }
    if isLast { endRecoveryIfStable() }
    publish()
  }

  private func follow(_ batch: CarriedHints, _ now: MonotonicTime) {
    limitDoubt()
    let finder = ExchangeFinder(hints: batch.hints)
    let isRecovering = state.classify { $0.isRecovering }
    var done: Set<Int> = []
    for (index, hint) in batch.hints.enumerated() {
      noteChangedDirectory(hint)
      if done.remove(index) != nil { continue }
      toFollow = batch.hints[(index + 1)...]
      let isInDoubt = isInDoubt(hint)
      let isBehind = batch.isEarlier(index, than: listedAt)
      let isEarlier = isRecovering || isInDoubt || isBehind || batch.isAfterLoss(index)
      switch isInDoubt ? .rename : finding(finder, index, isEarlier: isEarlier) {
      case .exchange(let to, let backFrom, let backTo)
      where finder.isCertain(index, backFrom)
        || areTogether(index, backTo, batch) && areTogether(to, backFrom, batch)
          && [index, to].allSatisfy { isOccupied($0, batch, before: index) }:
        done.formUnion([to, backFrom, backTo])
        let isOtherEarlier = batch.isEarlier(to, than: listedAt)
        let isLost = isRecovering || isInDoubt || batch.isAfterLoss(backTo)
        exchange(hint, batch.hints[to], isEarlier: (isLost || isBehind, isLost || isOtherEarlier), now)
      case .exchangeWithUnseen(let backFrom)
      where finder.isCertain(index, backFrom) || remains(backFrom, finder, batch):
        done.insert(backFrom)
        exchangeWithUnseen(hint, now)
      case .undecided(let to) where mustWait(index, to, batch, now):
        return carry(batch, from: index, now)
      case .rename, .exchange, .exchangeWithUnseen, .undecided:
        follow(hint, isEarlier: isEarlier, now)
      }
      if isRootLost { return }
    }
  }

  /// The rest of a batch waits for the next: both halves of an exchange are made within one system call.
  private func carry(_ batch: CarriedHints, from index: Int, _ now: MonotonicTime) {
    carried = CarriedHints(
      hints: Array(batch.hints[index...]), first: batch.number(of: index), next: batch.next, loss: batch.loss,
      due: (index == 0 ? batch.due : nil) ?? now + state.classify { $0.timing.exchangeDelay })
  }

  /// Whether the hints alone have said something.
  private var hasNews: Bool { state.classify { !$0.log.isEmpty } }

  /// Whether looks have waited long; from now on they wait.
  private func mustLook(_ now: MonotonicTime) -> Bool {
    guard let since = touchedSince else {
      if !changedDirectories.isEmpty || state.classify({ !$0.touched.isEmpty }) { touchedSince = now }
      return false
    }
    return now - since > 50_000_000
  }

  /// Looks at the places that hints have touched.
  func lookAtTouched(_ now: MonotonicTime) {
    touchedSince = nil
    while true {
      performRequests(now)
      let touched = state.classify { $0.takeTouched() }
      if touched.isEmpty { return refreshDirectoryTimes() }
      for place in touched.places {
        lookIfLive(place, .hint(touched.kinds(of: place)), now)
        noteAttributes(at: place)
      }
    }
  }

  /// Follows up one hint.
  private func follow(_ hint: Hint, isEarlier: Bool, _ now: MonotonicTime) {
    if ancestorMarks.contains(hint.directory) { checkRoot(now) }
    // A hint of a directory that is not observed any more is normal: it was on its way.
    guard let directory = markedDirectories[hint.directory], state.classify({ $0.graph.isLive(directory) }) else {
      // Marked when it was about to be removed: nobody else lets go of it.
      if hint.kinds.contains(.selfRemoved) { source.unmark(hint.directory) }
      return
    }
    guard let name = hint.name else { return handleSelf(hint, directory, now) }
    if isDisplaced(directory) {
      staleDirectories.insert(directory)
      return
    }
    let place = Place(parent: directory, name: name)
    if isExcluded(place, isDirectory: hint.isDirectory) { return followUnobserved(hint, place, now) }
    // The kernel may have merged another change of attributes by this process with that of the tag.
    if isOwnTag(hint, at: place) { return noteAttributes(at: place) }
    if hint.traits.contains(.look) { state.classify { $0.touched.insert(place, []) } }
    if isOfAnotherFile(hint, at: place) { return state.classify { $0.followAnother(hint, at: place, now) } }
    if isEarlier { return followEarlier(hint, place, now) }
    state.classify { $0.follow(hint, at: place, now) }
    if hint.kinds.contains(.directory), !hint.kinds.isDisjoint(with: [.created, .movedTo]),
      !state.classify({ $0.isOccupied(place) })
    {
      // What is made in a new directory is not told until that is marked, and may be what left another.
      performRequests(now)
      lookIfLive(place, .hint(hint.kinds), now)
      performRequests(now)
    }
  }

  /// Whether a hint tells of a tag that was written here, and of nothing else.
  private func isOwnTag(_ hint: Hint, at place: Place) -> Bool {
    // Merged with something else it has been told, too.
    guard hint.kinds.contains(.attributes), ownTags.remove(place) else { return false }
    return hint.traits.contains(.own)
  }

  /// A name that is not observed matters as one end of a rename, for what comes from it is no newcomer from outside,
  /// and where it is written to: it may be the next version of a document.
  private func followUnobserved(_ hint: Hint, _ place: Place, _ now: MonotonicTime) {
    // As a directory it is not observed, and a file of that name is, or the other way round: a look tells which of them
    // is there.
    if settings.filter.needsKinds, state.classify({ $0.isOccupied(place) }) {
      state.classify { $0.touched.insert(place, []) }
      if hint.kinds.contains(.movedFrom) { return }
    }
    if hint.kinds.contains(.movedFrom) {
      state.classify { $0.depart(from: place, cookie: hint.cookie, at: now) }
    } else if hint.kinds.contains(.movedTo) {
      state.classify { $0.arriveUnobserved(cookie: hint.cookie, at: now) }
    } else if !hint.kinds.isDisjoint(with: [.created, .written]), !hint.kinds.contains(.directory) {
      state.classify { $0.noteHiddenWriting(in: place.parent, at: now) }
    }
  }

  /// A hint from before its directory was listed is no news: what it tells of is looked at.
  private func followEarlier(_ hint: Hint, _ place: Place, _ now: MonotonicTime) {
    state.classify { classifier in
      if hint.kinds.contains(.movedFrom) {
        classifier.departEarlier(from: place, cookie: hint.cookie, at: now)
      } else if hint.kinds.contains(.movedTo) {
        classifier.arriveEarlier(at: place, cookie: hint.cookie, at: now)
      } else {
        classifier.followEarlier(hint.kinds, at: place, now)
      }
    }
  }

  func place(of hint: Hint) -> Place? {
    guard let directory = markedDirectories[hint.directory], let name = hint.name else { return nil }
    return Place(parent: directory, name: name)
  }

  private func handleSelf(_ hint: Hint, _ directory: NodeID, _ now: MonotonicTime) {
    if directory == .root {
      if !hint.kinds.isDisjoint(with: [.selfRemoved, .selfMoved, .unmounted, .markGone]) { checkRoot(now) }
      if hint.kinds.contains(.unmounted), !isRootLost { lookAtMounts(now) }
      if hint.kinds.contains(.markAgain) { scanRootAgain(now) }
      return
    }
    if hint.kinds.contains(.markAgain) { markAgain(directory) }
    if hint.kinds.contains(.markGone) {
      markedDirectories[hint.directory] = nil
      if marks[directory] == hint.directory { marks[directory] = nil }
    }
    // Why something is not to be seen any more is known before that is found.
    if hint.kinds.contains(.unmounted), !hasLookedAtMounts { lookAtMounts(now) }
    guard let place = state.classify({ $0.graph.isLive(directory) ? $0.graph.place(directory) : nil }) else { return }
    if !hint.kinds.isDisjoint(with: [.selfRemoved, .unmounted]) { look(at: place, .check, now) }
    if hint.kinds.contains(.attributes), !isOwnTag(hint, at: place) {
      state.classify { $0.touched.insert(place, .attributes) }
    }
  }

  private func markAgain(_ directory: NodeID) {
    if isDisplaced(directory) {
      staleDirectories.insert(directory)
    } else {
      state.classify { $0.requests.append(.scan(directory)) }
    }
  }

  /// Whether a directory, or one above it, has left: then nothing below it is known.
  func isDisplaced(_ directory: NodeID) -> Bool {
    state.classify { classifier in
      guard !classifier.displaced.isEmpty else { return false }
      var current = directory
      while current != .root {
        if classifier.displaced[current] != nil, !classifier.isPresent(current) { return true }
        current = classifier.graph[current].parent
      }
      return false
    }
  }

  /// Whether an item is not observed at a place.
  ///
  /// - Parameter isDirectory: Where that is not known, only what is not observed whatever it turns out to be.
  func isExcluded(_ place: Place, isDirectory: Bool?) -> Bool {
    let filter = settings.filter
    let directory = filter.directory(filter.needsPaths ? relativePath(place.parent) : [])
    return place.name.withView { filter.reasonToSkip($0, isDirectory: isDirectory, in: directory) } != nil
  }

  func relativePath(_ id: NodeID) -> [UInt8] {
    state.classify { classifier in
      var bytes: [UInt8] = []
      classifier.graph.storage.appendPath(of: id, to: &bytes)
      return bytes
    }
  }
}

extension Hint {
  /// Whether it is about a directory; nothing where it only tells where to look.
  var isDirectory: Bool? { kinds.isEmpty ? nil : kinds.contains(.directory) }
}

extension Engine.Probe {
  /// What is there, if anything is known to be.
  var entry: Entry? {
    if case .entry(let entry) = self { entry } else { nil }
  }
}
