import FileIdentity
import LinuxFileSystem

// Entries that have been missing for the whole settle window.

extension Classifier {
  /// Decides an unresolved entry by looks at its announced and its believed place.
  mutating func resolve(_ id: NodeID, here: Entry?, elsewhere: Entry?) {
    guard graph.isLive(id), let unresolvedEntry = unresolved[id] else { return }
    let place = graph.place(id)
    scheduleRecheck(at: place, after: now)
    if unresolvedEntry.believedLocation == .unknown, let here, mayHaveInode(id, of: here) {
      // The entry was missing at its first look.
      takeArrival(at: place)
      markResolved(id)
      return observe(Look(place: place, entry: here, cause: .check))
    }
    if let here, here.key == graph.key(id) { return confirm(id, here, .check) }
    if unresolvedEntry.believedPlace != nil, elsewhere?.key != graph.key(id) { setBelievedLocation(of: id, .gone) }
    if mayBeSavedElsewhere(id), continueWhereReported(id) { return }
    if let here {
      // Another inode is in its place, and is identified when it is complete.
      return replace(id, here)
    }
    if continueInFoundVersion(at: place) { return observe(Look(place: place, entry: nil, cause: .check)) }
    dropArrival(at: place)
    if let place = believedPlace(of: id) {
      // The occupant of the target may be about to be found elsewhere.
      if plan(id, to: place) == nil, !isLongMissing(id) { return examineLater(id) }
      by(unresolvedEntry.isFound ? .foundElsewhere : .renamedWithoutSave) { $0.commitMove(id, to: place) }
      return noteFound(id, elsewhere)
    }
    if moveToReportedVersion(id) { return }
    if mayTurnUp(id) || mayBeNewFile(id) || mayBeBrought(id) { return postpone(id) }
    end(id, unresolvedEntry)
  }

  /// Ends an entry that is neither at its place nor known to be elsewhere.
  mutating func end(_ id: NodeID, _ unresolvedEntry: UnresolvedEntry) {
    // A document may have been written anew at its former name. An entry renamed to an unobserved place still exists.
    let isOutside = unresolvedEntry.believedLocation == .outside || hasLeft(id)
    setBelievedLocation(of: id, isOutside ? .outside : .gone)
    continueIdentity(of: id)
    guard graph.isLive(id), unresolved[id] != nil else { return }
    if continueInSavedCopy(id) { return }
    if !unresolvedEntry.hasLeft, !isOwnRemoval(of: id), graph[id].kind == .directory, endByCopying(id) { return }
    delete(id, reason: unresolvedEntry.hasLeft ? .movedOut : .removed, leaving: missingInode(of: id, unresolvedEntry))
  }

  /// Decides an entry whose place another inode has.
  mutating func replace(_ id: NodeID, _ here: Entry) {
    let place = graph.place(id)
    if arrivals[place] == nil { observe(Look(place: place, entry: here, cause: .check)) }
    // An entry found here waits for this one, and others for that entry: the wait ends here.
    if unresolved.entry(at: place) != nil, isLongMissing(id) { noteNameTaken(from: id) }
    if let elsewhere = believedPlace(of: id), arrivals[place] == nil, plan(id, to: elsewhere) != nil {
      return commitMove(id, to: elsewhere)
    }
    guard graph.isLive(id), unresolved[id] != nil, var arrival = arrivals[place] else { return }
    // The old inode of a document that was saved may have been released here, and not been looked at.
    if arrival.entry == nil, arrival.key == here.key { arrival.entry = here }
    if !canContinue(id, with: arrival) || isPlainRename(id) { return vacate(id) }
    continueIdentity(of: id, with: arrival)
  }

  /// Whether a missing entry may continue under a further name, or in an unfinished file with its tag.
  private func mayTurnUp(_ id: NodeID) -> Bool {
    let hasOldName = arrivals.hasFurtherName(of: graph.key(id))
    guard hasOldName || mayBeMoving(id), let since = unresolved[id]?.since else { return false }
    // A file whose writers cannot be probed counts as finished only after `unprovenQuiet`.
    return now - since < (hasOldName ? 1 : 2) * timing.unprovenQuiet
  }

  /// Whether an unfinished file has the tag of a missing entry that the app has not removed itself.
  private func mayBeMoving(_ id: NodeID) -> Bool {
    unconfirmedTags.has(graph[id].uuid, besides: id) && !isOwnRemoval(of: id)
  }
}
