import FileEvents
import FileIdentity
import LinuxFileSystem

// Files that are complete: only now is it decided what a newcomer is.

extension Classifier {
  /// Takes in what an arrival looks like when it may be finished, and what the probe for writers said.
  mutating func finish(_ place: Place, _ entry: Entry?, _ probe: WriterProbe?, isVerified: Bool) {
    guard var arrival = arrivals[place] else { return }
    guard let entry, entry.key == arrival.key else {
      // It may stay undecided, until something else is known.
      finishLater(place, after: timing.quiet)
      return observe(Look(place: place, entry: entry, cause: .check))
    }
    noteLook(&arrival.activity, entry)
    // A further name of a file that is known needs no finishing.
    let isLink = arrival.activity.isClosed && graph.node(with: entry.key).map { writing[$0] == nil } ?? false
    switch isLink ? .finished : verdict(on: arrival.activity, of: entry.kind, at: place, probe) {
    case .finished:
      conclude(arrival, entry, at: place, isVerified)
    case .wait(let until):
      waitForArrival(arrival, entry, at: place, until: until)
    }
  }

  /// Not finished: announced as copying when the flash guard has passed, unless it stands in a document's place.
  private mutating func waitForArrival(_ arrival: Arrival, _ entry: Entry, at place: Place, until: MonotonicTime) {
    var arrival = arrival
    var guardEnds = arrival.activity.firstSeen + timing.flashGuard + (arrival.activity.isClosed ? timing.quiet : 0)
    if patterns.isTransient(place.name) { guardEnds = guardEnds + timing.unprovenQuiet }
    let isNew = graph.node(at: place) == nil && graph.node(with: entry.key) == nil
    if now >= guardEnds, isNew {
      return announceCopying(arrival, entry, at: place, until: until)
    }
    arrival.activity.checks += 1
    arrival.activity.nextCheck = now < guardEnds ? min(until, guardEnds) : until
    arrival.entry = entry
    put(arrival, at: place)
  }

  private mutating func announceCopying(_ arrival: Arrival, _ entry: Entry, at place: Place, until: MonotonicTime) {
    takeArrival(at: place)
    // A tag that is there now may be overwritten before the file is complete; the provisional UUID does not rest on it.
    // But nobody saw what a listing has found being written, and a document that is back is itself, whoever writes to
    // it.
    var provisional = entry
    if arrival.activity.recovery == nil, !isReturn(entry, arrival.activity) { provisional.tag = .none }
    let id = insert(provisional, at: place, copyOf: nil, flags: [.arrived, .copying, .mayBeVersion])
    log.appendDiscovery(of: id, in: graph, isReturned: endedIdentities.contains(graph[id].uuid), by: .stillBeingWritten)
    var activity = arrival.activity
    activity.nextCheck = until
    beginWriting(id, activity)
    noteUnconfirmedTag(id, entry.tag)
  }

  /// An arrival is complete: says what it is.
  private mutating func conclude(_ arrival: Arrival, _ entry: Entry, at place: Place, _ isVerified: Bool) {
    let occupant = graph.node(at: place)
    let owner = owner(ofTagIn: entry, besides: occupant)
    let known = graph.node(with: entry.key)
    var unorderedPlaces = [known, owner].compactMap { $0 }.flatMap { someNames(of: $0) }
    if let occupant, case .at = unresolved[occupant]?.believedLocation { unorderedPlaces.append(occupant) }
    if !isVerified && !unorderedPlaces.isEmpty {
      let probes = entry.kind == .file && !arrival.activity.isClosed
      return requests.append(.verifyThenFinish(unorderedPlaces, place, probeWriters: probes))
    }
    if let occupant, let unresolvedEntry = unresolved[occupant], unresolvedEntry.believedLocation == .unknown {
      // Not before it is known what became of the entry that stood here.
      arrivals.update(at: place) { $0.nextCheck = unresolvedEntry.due + 1 }
      return timers.schedule(.arrival(place), at: unresolvedEntry.due + 1)
    }
    if owner.map({ isLeft(entry, by: $0) || isBeingReplaced($0) || isInRemovedFolder($0) })
      ?? awaitsOriginal(entry, arrival.activity, at: place)
    {
      return finishLater(place, after: timing.quiet)
    }
    takeArrival(at: place)
    if let known {
      let look = Look(place: place, entry: entry, cause: .check, isVerified: isVerified)
      return concludeKnown(known, entry, over: occupant, look)
    }
    if let occupant { vacate(occupant) }
    let claimant = claimant(owner, besides: occupant, entry)
    if isFree(place) { concludeNew(arrival.activity, entry, claimant, at: place) }
  }

  /// The entry that has the identity in a newcomer's tag; one that was minted for an unfinished file is given up first.
  private mutating func claimant(_ owner: NodeID?, besides occupant: NodeID?, _ entry: Entry) -> NodeID? {
    // What moved away may have been renamed over the bearer.
    guard let owner, graph.isLive(owner) else { return nil }
    guard graph.hasOtherNames(owner), unconfirmedTags[unfinishedName(of: owner)] != entry.tag.uuid else { return owner }
    giveUpClaimed(unfinishedName(of: owner), entry)
    return self.owner(ofTagIn: entry, besides: occupant)
  }

  /// Whether a newcomer stands in a missing document's place: whoever has a copy of its tag is no move of it, for it is
  /// being saved.
  private func isBeingReplaced(_ document: NodeID) -> Bool {
    guard unresolved[document] != nil, let newcomer = arrivals[graph.place(document)] else { return false }
    return canAdopt(newcomer, as: document)
  }

  /// Whether the file that a newcomer's tag was copied from has come back, and is not told yet: it goes first.
  private func awaitsOriginal(_ entry: Entry, _ activity: WriteActivity, at place: Place) -> Bool {
    guard let tag = entry.tag.uuid, unconfirmedTags.count(of: tag) > 1, let original = endedIdentities.key(of: tag),
      original != entry.key, now - activity.lastActivity < timing.unprovenQuiet
    else { return false }
    return arrivals.places(of: original).contains { $0 != place && arrivals[$0]?.entry?.tag.uuid == tag }
  }

  /// The inode has become known meanwhile: it was moved here, or this is a further name of it.
  private mutating func concludeKnown(_ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ look: Look) {
    if let moved = graph.names(of: known, with: .unresolved).first {
      if case .at(let elsewhere) = unresolved[moved]?.believedLocation, entry.linkCount > 1 {
        // It was renamed, and has a further name.
        commitMove(moved, to: elsewhere)
        return requests.append(.look(look.place, .check))
      }
      if arrivals[graph.place(moved)] != nil, isBackup(moved, look.place) {
        // A backup by hard link: the document is about to be saved.
        return setBelievedLocation(of: moved, .at(look.place))
      }
      if case .at(let elsewhere) = unresolved[moved]?.believedLocation, elsewhere != look.place, entry.linkCount > 1 {
        // It was renamed, and this is a further name.
        commitMove(moved, to: elsewhere)
        return linkNewName(of: known, look, entry)
      }
      commitMove(moved, to: look.place)
      return noteFound(moved, entry)
    }
    if let occupant { vacate(occupant) }
    // Where that was a directory, the name by which the inode was known may have been in it.
    guard let left = graph.node(with: entry.key) else { return requests.append(.look(look.place, .check)) }
    linkNewName(of: left, look, entry)
  }

  private mutating func linkNewName(of known: NodeID, _ look: Look, _ entry: Entry) {
    guard isFree(look.place), graph.isLive(known) else { return }
    noteContent(of: link(known, at: look.place), entry, .check)
  }

  mutating func concludeNew(_ activity: WriteActivity, _ entry: Entry, _ owner: NodeID?, at place: Place) {
    if let owner, hasGone(owner) || isUnseenVersion(entry, of: owner) {
      return moveOwner(owner, to: place, entry)
    }
    if let owner, isOriginal(entry, ofFound: owner, in: activity.recovery) {
      return announceOriginal(entry, of: owner, at: place)
    }
    let id = by(activity.isClosed ? .finishedByClose : .finishedAfterQuiet) {
      $0.announce(entry, copyOf: owner, at: place, isRevealed: activity.isRevealed)
    }
    noteRecentlyAnnounced(id)
    if activity.recovery != nil || isBlind() { noteLateFind(id, isCopy: owner != nil) }
    wakeBlockedFile(by: place)
  }
}
