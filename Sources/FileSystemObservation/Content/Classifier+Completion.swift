import FileEvents
import FileIdentity
import LinuxFileSystem

// Complete files: an arrival is identified only now.

extension Classifier {
  /// Takes in a look at an arrival that may be finished, and the result of the probe for writers.
  mutating func finish(_ place: Place, _ entry: Entry?, _ probe: WriterProbe?, isVerified: Bool) {
    guard var arrival = arrivals[place] else { return }
    if let entry, isFirstLook(at: arrival, entry) { arrival.take(entry) }
    guard let entry, entry.key == arrival.key else {
      // The arrival may stay undecided until more is known.
      finishLater(place, after: timing.quiet)
      return observe(Look(place: place, entry: entry, cause: .check))
    }
    noteLook(&arrival.activity, entry)
    // A further name of a known file is complete.
    let isLink = arrival.activity.isClosed && graph.node(with: entry.key).map { writing[$0] == nil } ?? false
    switch isLink ? .finished : verdict(on: arrival.activity, of: entry.kind, at: place, probe) {
    case .finished:
      if let delay = contentDelay(entry, at: place) { return keep(arrival, entry, at: place, until: now + delay) }
      let restored = presumingTag(recognizing(entry, restoredAt: place))
      let presumed = recognizing(restored, absentItem: arrival.absentItem)
      let entry = recognizing(presumed, broughtAs: arrival.broughtAs, at: place)
      // Its folder's or its own end waits for whatever has the tag.
      if entry.isPresumed { keepPresumption(&arrival, entry, at: place) }
      conclude(arrival, entry, at: place, isVerified)
    case .wait(let until):
      waitForArrival(arrival, entry, at: place, until: until, isVerified)
    }
  }

  /// Keeps an unfinished arrival waiting.
  ///
  /// It is announced as being copied after the flash guard, unless it is in a document's place. If it is a further name
  /// of an announced file, it waits no longer: who writes a file does not matter for its names.
  private mutating func waitForArrival(
    _ arrival: Arrival, _ entry: Entry, at place: Place, until: MonotonicTime, _ isVerified: Bool
  ) {
    var arrival = arrival
    let guardEnds =
      arrival.activity.firstSeen + flashGuard(at: place) + (arrival.activity.isClosed ? timing.quiet : 0)
    if now >= guardEnds {
      if graph.node(with: entry.key) != nil { return conclude(arrival, entry, at: place, isVerified) }
      if graph.node(at: place) == nil { return announceCopying(arrival, entry, at: place, until: until) }
    }
    arrival.activity.checks += 1
    keep(arrival, entry, at: place, until: now < guardEnds ? min(until, guardEnds) : until)
  }

  /// How long an unfinished file stays unannounced, in nanoseconds.
  func flashGuard(at place: Place) -> Int64 {
    timing.flashGuard + (patterns.isTransient(place.name) ? timing.unprovenQuiet : 0)
  }

  private mutating func keepPresumption(_ arrival: inout Arrival, _ entry: Entry, at place: Place) {
    arrival.entry = entry
    if arrivals[place]?.entry != entry { put(arrival, at: place) }
  }

  /// Keeps an arrival as the last look has found it: its writer has not ended, or its content has not been read.
  private mutating func keep(_ arrival: Arrival, _ entry: Entry, at place: Place, until time: MonotonicTime) {
    var arrival = arrival
    arrival.activity.nextCheck = time
    arrival.entry = entry
    put(arrival, at: place)
  }

  private mutating func announceCopying(_ arrival: Arrival, _ entry: Entry, at place: Place, until: MonotonicTime) {
    takeArrival(at: place)
    // The tag may change before the file is complete, so the provisional UUID is not taken from it. There are two
    // exceptions: a listing found the file, so that nobody saw it written; or a document came back.
    var provisional = entry
    if arrival.activity.recovery == nil, !isReturn(entry, arrival.activity) { provisional.tag = .none }
    let id = insert(provisional, at: place, copyOf: nil, flags: [.arrived, .copying, .mayBeVersion])
    log.appendDiscovery(of: id, in: graph, isReturned: endedIdentities.contains(graph[id].uuid), by: .stillBeingWritten)
    var activity = arrival.activity
    activity.nextCheck = until
    beginWriting(id, activity)
    unconfirmedTags.set(entry.tag.uuid, of: id)
  }

  /// Identifies a complete arrival.
  private mutating func conclude(_ arrival: Arrival, _ entry: Entry, at place: Place, _ isVerified: Bool) {
    let occupant = graph.node(at: place)
    let owner = owner(ofTagIn: entry, besides: occupant)
    let known = graph.node(with: entry.key)
    if !isVerified {
      let entries = entriesToVerify(known, owner, over: occupant)
      if !entries.isEmpty { return requests.append(.verify(entries, then: .arrival(place))) }
    }
    if let delay = identificationDelay(arrival, entry, owner, over: occupant, at: place) {
      return finishLater(place, after: delay)
    }
    if let owner, mayBeInChain(owner, bearing: entry, arrival.activity) {
      return keep(arrival, entry, at: place, until: now + timing.quiet)
    }
    takeArrival(at: place)
    if let known {
      let look = Look(place: place, entry: entry, cause: .check, isVerified: isVerified)
      return concludeKnown(known, entry, over: occupant, look)
    }
    if let occupant {
      vacate(occupant)
      // It has made room for a new file, whose content may tell what that is.
      if isFree(place), let delay = contentDelay(entry, at: place) {
        return keep(arrival, entry, at: place, until: now + delay)
      }
    }
    let claimant = claimant(owner, besides: occupant, entry)
    if isFree(place) { concludeNew(arrival.activity, entry, claimant, at: place) }
  }

  /// The entries on which the identity of an arrival depends: where they are must be certain.
  private func entriesToVerify(_ known: NodeID?, _ owner: NodeID?, over occupant: NodeID?) -> [NodeID] {
    var entries = [known, owner].compactMap { $0 }.flatMap { someNames(of: $0) }
    if let occupant, believedPlace(of: occupant) != nil { entries.append(occupant) }
    return entries
  }

  /// How long an arrival waits for what must be decided first, in nanoseconds; `nil` if it can be identified.
  private func identificationDelay(
    _ arrival: Arrival, _ entry: Entry, _ owner: NodeID?, over occupant: NodeID?, at place: Place
  ) -> Int64? {
    if let occupant, let former = unresolved[occupant], former.believedLocation == .unknown {
      return former.due + 1 - now
    }
    if let occupant, isHeldUp(occupant) { return timing.quiet }
    if let due = owner.flatMap({ decision(onDepartureOf: $0, before: arrival.activity) }) { return due + 1 - now }
    // An app that saves at a place from which it has moved the document away makes another document.
    let isOwn = own?.key == entry.key
    let mustWait =
      owner.map { isLeft(entry, by: $0) || !isOwn && isBeingReplaced($0) || isInRemovedFolder($0) }
      ?? (awaitsOriginal(entry, arrival.activity, at: place) || awaitsNextVersion(entry, at: place))
    return mustWait ? timing.quiet : nil
  }

  /// When it is decided where an item is that left by a rename, itself or with its folder, before its copy came.
  ///
  /// If it is outside of the tree, it goes on in the copy, as it would if the copy came later.
  private func decision(onDepartureOf owner: NodeID, before activity: WriteActivity) -> MonotonicTime? {
    guard !unresolved.isEmpty, !graph.hasOtherNames(owner),
      let left = graph.nearest(from: owner, where: { unresolved[$0] != nil }), let departure = unresolved[left],
      departure.leftByRename, departure.believedPlace == nil, !departure.isGone, departure.since < activity.firstSeen,
      departure.due >= now
    else { return nil }
    return departure.due
  }

  /// The entry with the identity in an arrival's tag, after an unfinished file has given up a provisional one.
  private mutating func claimant(_ owner: NodeID?, besides occupant: NodeID?, _ entry: Entry) -> NodeID? {
    // The former occupant may have been renamed over the tag's owner.
    guard let owner, graph.isLive(owner) else { return nil }
    guard graph.hasOtherNames(owner), unconfirmedTags[unfinishedName(of: owner)] != entry.tag.uuid else { return owner }
    giveUpClaimed(unfinishedName(of: owner), entry)
    return self.owner(ofTagIn: entry, besides: occupant)
  }

  /// Whether an arrival is in a missing document's place: the document is being saved, and not moved to a copy.
  private func isBeingReplaced(_ document: NodeID) -> Bool {
    guard unresolved[document] != nil, let arrival = arrivals[graph.place(document)] else { return false }
    return canContinue(document, with: arrival)
  }

  /// Whether the original of an arrival's tag has come back, and is still to be announced before its copies.
  private func awaitsOriginal(_ entry: Entry, _ activity: WriteActivity, at place: Place) -> Bool {
    guard let tag = entry.tag.uuid, unconfirmedTags.count(of: tag) > 1, let original = endedIdentities.key(of: tag),
      original != entry.key, now - activity.lastActivity < timing.unprovenQuiet
    else { return false }
    return arrivals.places(of: original).contains { other in
      other != place && arrivals[other]?.entry?.tag.uuid == tag && !isBackup(at: other, ofAbsentItemAt: place)
    }
  }

  /// Concludes an arrival whose inode has become known: it was moved here, or has a further name.
  private mutating func concludeKnown(_ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ look: Look) {
    if let moved = graph.names(of: known, with: .unresolved).first {
      if let elsewhere = believedPlace(of: moved), entry.linkCount > 1 {
        // The inode was renamed, and has a further name.
        commitMove(moved, to: elsewhere)
        return requestLook(at: look.place)
      }
      if arrivals[graph.place(moved)] != nil, isBackup(moved, look.place) {
        // A backup by hard link: the document is about to be saved.
        return setBelievedLocation(of: moved, .at(look.place))
      }
      commitMove(moved, to: look.place)
      return noteFound(moved, entry)
    }
    if let occupant { vacate(occupant) }
    // The inode's known name may have been below the former occupant, if that was a directory.
    guard let left = graph.node(with: entry.key) else { return requestLook(at: look.place) }
    if isFree(look.place) { noteContent(of: link(left, at: look.place), entry, .check) }
  }

  mutating func concludeNew(_ activity: WriteActivity, _ entry: Entry, _ owner: NodeID?, at place: Place) {
    if let owner, hasGone(owner) || isUnseenVersion(entry, of: owner) {
      return moveOwner(owner, to: place, entry)
    }
    if let owner, !entry.isPresumed, isOriginal(entry, ofFound: owner, in: activity.recovery) {
      return announceOriginal(entry, of: owner, at: place)
    }
    let id = by(activity.isClosed ? .finishedByClose : .finishedAfterQuiet) {
      $0.announce(entry, copyOf: owner, at: place, isRevealed: activity.isRevealed)
    }
    keepContent(of: id, entry)
    noteRecentlyAnnounced(id)
    if activity.recovery != nil || hasCoverageGap { noteLateFind(id, isCopy: owner != nil) }
    wakeBlockedFile(by: place)
  }
}
