import FileIdentity
import LinuxFileSystem

// Entries that were missing for the whole settle window.

extension Classifier {
  /// Decides about a displaced entry, with what was just found at its place and where its inode was put.
  mutating func resolve(_ id: NodeID, here: Entry?, elsewhere: Entry?) {
    guard graph.isLive(id), let unresolvedEntry = unresolved[id] else { return }
    let place = graph.place(id)
    scheduleRecheck(at: place, after: now)
    if graph.key(id) == .unseen, unresolvedEntry.believedLocation == .unknown, let here, here.kind == graph[id].kind,
      graph.node(with: here.key) == nil
    {
      // It was missing when it was looked at for the first time.
      takeArrival(at: place)
      markResolved(id)
      return observe(Look(place: place, entry: here, cause: .check))
    }
    if let here, here.key == graph.key(id) { return confirm(id, here, .check) }
    if case .at = unresolvedEntry.believedLocation, elsewhere?.key != graph.key(id) {
      setBelievedLocation(of: id, .gone)
    }
    if let here {
      // A newcomer stands in its place: when that is complete, it tells what it is.
      return replace(id, here)
    }
    dropArrival(at: place)
    if case .at(let place) = unresolved[id]?.believedLocation {
      // What is in its way may be where something else was that is being looked for.
      if plan(id, to: place) == nil, !isLongMissing(id) { return examineLater(id) }
      by(unresolvedEntry.isFound ? .foundElsewhere : .renamedWithoutSave) { $0.commitMove(id, to: place) }
      return noteFound(id, elsewhere)
    }
    if !mayTurnUp(id) { end(id, unresolvedEntry) }
  }

  /// Nothing is where an entry was, and nothing shows that it is elsewhere.
  mutating func end(_ id: NodeID, _ unresolvedEntry: UnresolvedEntry) {
    // Written anew under the name it had before, perhaps; but what was renamed to where nobody looks still is
    // somewhere.
    let isOutside = unresolvedEntry.believedLocation == .outside || hasLeft(id)
    setBelievedLocation(of: id, isOutside ? .outside : .gone)
    continueIdentity(as: id)
    guard graph.isLive(id), unresolved[id] != nil else { return }
    let isRemovedByApp = own?.leaving.contains(graph[id].uuid) == true
    if !unresolvedEntry.hasLeft, !isRemovedByApp, graph[id].kind == .directory, endByCopying(id) { return }
    delete(id, reason: unresolvedEntry.hasLeft ? .movedOut : .removed, leaving: missingInode(of: id, unresolvedEntry))
  }

  /// Something else stands in the entry's place, and the window is over.
  mutating func replace(_ id: NodeID, _ here: Entry) {
    let place = graph.place(id)
    if arrivals[place] == nil { observe(Look(place: place, entry: here, cause: .check)) }
    // What was found in its place waits for it to turn up, and others for that one.
    if unresolved.entry(at: place) != nil, isLongMissing(id) { noteNameTaken(from: id) }
    if case .at(let elsewhere) = unresolved[id]?.believedLocation, arrivals[place] == nil {
      if plan(id, to: elsewhere) != nil { return commitMove(id, to: elsewhere) }
    }
    guard graph.isLive(id), unresolved[id] != nil, let arrival = arrivals[place] else { return }
    if !canAdopt(arrival, as: id) || isPlainRename(id) { return vacate(id) }
    adopt(arrival, as: id)
  }

  /// Whether an entry that is gone may live on under a further name, or in a file that is not complete and bears its
  /// tag.
  private mutating func mayTurnUp(_ id: NodeID) -> Bool {
    let hasOldName = arrivals.hasFurtherName(of: graph.key(id))
    guard hasOldName || unconfirmedTags.has(graph[id].uuid), let since = unresolved[id]?.since else {
      return false
    }
    // Where nobody can tell whether a file is still written, it counts as finished when it has rested for as long as
    // patience lasts.
    guard now - since < (hasOldName ? 1 : 2) * timing.unprovenQuiet else { return false }
    postpone(id)
    return true
  }
}
