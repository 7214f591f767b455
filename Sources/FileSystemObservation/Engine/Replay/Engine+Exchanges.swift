import FileEvents
import FileIdentity
import LinuxFileSystem

// Exchanges of names: found among the hints, and replayed.

extension Engine {
  /// What a hint and those after it amount to.
  func finding(_ finder: ExchangeFinder, _ index: Int, isEarlier: Bool) -> ExchangeFinder.Finding {
    let hint = finder.hints[index]
    if hint.kinds.contains(.movedFrom) { return finder.finding(at: index) }
    guard hint.kinds.contains(.movedTo), !isEarlier, let place = place(of: hint),
      !isExcluded(place, isDirectory: hint.isDirectory), !isUnresolved(place.parent),
      state.classify({ $0.isOccupied(place) && !$0.awaitsSecondHalf(hint.cookie) })
    else { return .rename }
    return finder.findingOfArrival(at: index)
  }

  /// Whether a name still has an entry after a departure, so that another entry has taken the name.
  func remains(_ index: Int, _ finder: ExchangeFinder, _ batch: CarriedHints) -> Bool {
    let hint = batch.hints[index]
    let next = finder.change(after: index) { $0.directory == hint.directory && $0.name == hint.name }
    if let next { return !batch.hints[next].kinds.hasAny(of: .appearances) }
    guard let place = place(of: hint), case .entry = probe(place) else { return false }
    return true
  }

  /// Replays an exchange with an unobserved entry, of which there are two hints.
  func exchangeWithUnseen(_ hint: Hint, _ other: Hint, _ now: MonotonicTime) {
    guard let place = place(of: hint) else { return }
    let isDirectory = hint.kinds.contains(.directory)
    let arriving = hint.kinds.contains(.movedTo) ? hint : other
    state.classify(at: now) {
      $0.exchangeWithUnobserved(place, isDirectory: isDirectory, arriving: arriving.file)
    }
    performRequests(now)
  }

  /// Whether a rename must wait for hints that may show an exchange.
  func mustWait(_ index: Int, _ to: Int?, _ batch: CarriedHints, _ now: MonotonicTime) -> Bool {
    let (hint, end) = (batch.hints[index], to.map { batch.hints[$0] })
    guard mayBeExchange(hint, end, batch) else { return false }
    // Only the first hint has waited since it was carried over. The wait does not count if hints are delivered late.
    guard index == 0, batch.isOverdue(now), deliveredCount == batch.next else { return true }
    let places = [hint, end].compactMap { $0.flatMap { place(of: $0) } }.filter { !isExcluded($0, isDirectory: nil) }
    state.classify { classifier in for place in places { classifier.scheduleRecheck(at: place, after: now) } }
    return false
  }

  /// Whether the target of a rename has an entry, which may be on its way to the name that the rename left.
  ///
  /// An exchange leaves an entry at both names. Whoever removes one of them must wait for the lock of the directory, so
  /// those hints come after the hints of the exchange.
  private func mayBeExchange(_ from: Hint, _ to: Hint?, _ batch: CarriedHints) -> Bool {
    guard let origin = place(of: from), !isUnresolved(origin.parent) else { return false }
    if let to {
      guard let target = place(of: to), state.classify({ $0.isOccupied(target) }) else { return false }
    }
    var isThere = true
    if case .absent = probe(origin) { isThere = false }
    source.deliverPending()
    return isThere || deliveredCount != batch.next
  }

  /// Whether the name of a hint had an entry before another hint; if not, a file was renamed there and back.
  func isOccupied(_ index: Int, _ batch: CarriedHints, before other: Int) -> Bool {
    let hints = batch.hints
    guard let place = place(of: hints[index]) else { return false }
    if isExcluded(place, isDirectory: hints[index].isDirectory) { return true }
    if state.classify({ $0.isOccupied(place) }) { return true }
    // A listing newer than this hint found an entry there.
    if batch.isEarlier(index, than: listedAt), state.classify({ $0.isAheadOfLog(at: place) }) { return true }
    // A directory that has just arrived is not listed yet, and its entries may have moved by then.
    let latest = hints[..<other].suffix(64).last {
      $0.kinds.hasAny(of: .nameChanges) && $0.directory == hints[index].directory && $0.name == hints[index].name
    }
    return latest.map { $0.kinds.hasAny(of: .appearances) } ?? false
  }

  /// Whether two hints of one directory both precede or both follow its listing.
  ///
  /// The kernel reports both renames of an exchange under the lock of the directory, which a listing takes, too.
  func areTogether(_ one: Int, _ other: Int, _ batch: CarriedHints) -> Bool {
    batch.isEarlier(one, than: listedAt) == batch.isEarlier(other, than: listedAt)
  }

  /// Replays an exchange of two names.
  ///
  /// - Parameters:
  ///   - from: What left the one name, and got the other.
  ///   - back: What left the other name, and got the one.
  ///   - isEarlier: Whether the directory of each was listed later.
  func exchange(_ from: Hint, _ back: Hint, isEarlier: (Bool, Bool), _ now: MonotonicTime) {
    let isDirectory = (from.kinds.contains(.directory), back.kinds.contains(.directory))
    guard let one = place(of: from), let other = place(of: back) else {
      let isEarlier = isEarlier.0 || isEarlier.1
      if let one = place(of: from) { exchangeWithEnded(one, isDirectory: isDirectory.1, isEarlier: isEarlier, now) }
      if let other = place(of: back) { exchangeWithEnded(other, isDirectory: isDirectory.0, isEarlier: isEarlier, now) }
      return
    }
    // Looks say what is there if the filter excludes one of the two by its kind, or if a directory has left.
    let isUncertain = isDirectory.0 != isDirectory.1 && [one, other].contains(where: isExcludedByKind)
    if isUncertain || isUnresolved(one.parent) || isUnresolved(other.parent) { return inspectOrList([one, other]) }
    switch (isExcluded(one, isDirectory: isDirectory.0), isExcluded(other, isDirectory: isDirectory.1)) {
    case (true, true): return
    case (false, false) where isEarlier == (true, false) && isDirectory == (false, false):
      state.classify(at: now) { $0.exchange(other, withListed: one) }
    case (false, false) where isEarlier == (false, true) && isDirectory == (false, false):
      state.classify(at: now) { $0.exchange(one, withListed: other) }
    case _ where isEarlier.0 || isEarlier.1:
      inspectOrList([one, other])
    case (false, true): state.classify(at: now) { $0.exchangeWithUnobserved(one, isDirectory: isDirectory.1) }
    case (true, false): state.classify(at: now) { $0.exchangeWithUnobserved(other, isDirectory: isDirectory.0) }
    case (false, false): state.classify(at: now) { $0.exchange(one, other, isDirectory: isDirectory) }
    }
    performRequests(now)
  }

  /// Whether the filter admits a directory at a place and excludes a file there, or the other way round.
  private func isExcludedByKind(_ place: Place) -> Bool {
    guard settings.filter.needsKinds else { return false }
    return isExcluded(place, isDirectory: true) != isExcluded(place, isDirectory: false)
  }

  /// Handles an exchange with an entry of a directory that has ended since: that entry is not observed any more.
  ///
  /// - Parameter isDirectory: Whether it was a directory, which has the other name now.
  private func exchangeWithEnded(_ place: Place, isDirectory: Bool, isEarlier: Bool, _ now: MonotonicTime) {
    let isUncertain = isEarlier || isUnresolved(place.parent) || isExcludedByKind(place)
    if isUncertain { return inspectOrList([place]) }
    if isExcluded(place, isDirectory: isDirectory) { return }
    state.classify(at: now) { $0.exchangeWithUnobserved(place, isDirectory: isDirectory) }
    performRequests(now)
  }

  /// Has places looked at; a directory that has left is listed once it is found.
  private func inspectOrList(_ places: [Place]) {
    for place in places {
      if isUnresolved(place.parent) { noteNeedsListing(place.parent) } else { state.classify { $0.inspect(place, []) } }
    }
  }
}
