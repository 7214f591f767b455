import FileEvents
import FileIdentity
import LinuxFileSystem

// Files that are complete: only now is it decided what a newcomer is.

extension Classifier {
  /// Takes in what an arrival looks like when it may be finished, and what the probe for writers said.
  mutating func finish(
    _ place: Place, _ entry: Entry?, _ probe: WriterProbe?, isVerified: Bool, at now: MonotonicTime
  ) {
    guard var arrival = arrivals[place] else { return }
    guard let entry, entry.key == arrival.key else {
      // It may stay undecided, until something else is known.
      finishLater(place, now, after: timing.quiet)
      return observe(Sighting(place: place, entry: entry, cause: .check), at: now)
    }
    noteProgress(&arrival.progress, entry, now)
    // A further name of a file that is known needs no finishing.
    let isLink = arrival.progress.isClosed && graph.node(with: entry.key).map { writing[$0] == nil } ?? false
    switch isLink ? .finished : verdict(on: arrival.progress, of: entry.kind, at: place, probe, now) {
    case .finished:
      conclude(arrival, entry, at: place, isVerified, now)
    case .wait(let until):
      waitForArrival(arrival, entry, at: place, until: until, now)
    }
  }

  /// Not finished: announced as copying when the flash guard has passed, unless it stands in a document's place.
  private mutating func waitForArrival(
    _ arrival: Arrival, _ entry: Entry, at place: Place, until: MonotonicTime, _ now: MonotonicTime
  ) {
    var arrival = arrival
    var guardEnds = arrival.progress.firstSeen + timing.flashGuard + (arrival.progress.isClosed ? timing.quiet : 0)
    if patterns.isTransient(place.name) { guardEnds = guardEnds + timing.patience }
    let isNew = graph.node(at: place) == nil && graph.node(with: entry.key) == nil
    if now >= guardEnds, isNew {
      return announceCopying(arrival, entry, at: place, until: until)
    }
    arrival.progress.checks += 1
    arrival.progress.nextCheck = now < guardEnds ? min(until, guardEnds) : until
    arrival.entry = entry
    put(arrival, at: place)
  }

  private mutating func announceCopying(_ arrival: Arrival, _ entry: Entry, at place: Place, until: MonotonicTime) {
    takeArrival(at: place)
    // A tag that is there now may be overwritten before the file is complete; the provisional UUID does not rest on it.
    // But nobody saw what a listing has found being written, and a document that is back is itself, whoever writes to
    // it.
    var provisional = entry
    if arrival.progress.recovery == nil, !isReturn(entry, arrival.progress) { provisional.tag = .none }
    let id = insert(provisional, at: place, copyOf: nil, flags: [.arrived, .copying, .mayBeVersion])
    log.appendDiscovery(of: id, in: graph, isReturned: departed.contains(graph[id].uuid), by: .stillBeingWritten)
    var progress = arrival.progress
    progress.nextCheck = until
    beginWriting(id, progress)
    noteTagInDoubt(id, entry.tag)
  }

  /// An arrival is complete: says what it is.
  private mutating func conclude(
    _ arrival: Arrival, _ entry: Entry, at place: Place, _ isVerified: Bool, _ now: MonotonicTime
  ) {
    let occupant = graph.node(at: place)
    let bearer = bearer(ofTagIn: entry, besides: occupant)
    let known = graph.node(with: entry.key)
    var doubtful = [known, bearer].compactMap { $0 }.flatMap { someNames(of: $0) }
    if let occupant, case .at = displaced[occupant]?.whereabouts { doubtful.append(occupant) }
    if !isVerified && !doubtful.isEmpty {
      let probes = entry.kind == .file && !arrival.progress.isClosed
      return requests.append(.verifyThenFinish(doubtful, place, probeWriters: probes))
    }
    if let occupant, let displacement = displaced[occupant], displacement.whereabouts == .unknown {
      // Not before it is known what became of the entry that stood here.
      arrivals[place]?.progress.nextCheck = displacement.due + 1
      return timers.schedule(.arrival(place), at: displacement.due + 1)
    }
    if bearer.map({ isLeft(entry, by: $0, now) || isBeingReplaced($0) || isInRemovedFolder($0) })
      ?? awaitsOriginal(entry, arrival.progress, at: place, now)
    {
      return finishLater(place, now, after: timing.quiet)
    }
    takeArrival(at: place)
    if let known {
      let sighting = Sighting(place: place, entry: entry, cause: .check, isVerified: isVerified)
      return concludeKnown(known, entry, over: occupant, sighting, now)
    }
    if let occupant { vacate(occupant, now) }
    let claimant = claimant(bearer, besides: occupant, entry)
    if isFree(place) { concludeNew(arrival.progress, entry, claimant, at: place, now) }
  }

  /// The entry that has the identity in a newcomer's tag; one that was minted for an unfinished file is given up first.
  private mutating func claimant(_ bearer: NodeID?, besides occupant: NodeID?, _ entry: Entry) -> NodeID? {
    // What moved away may have been renamed over the bearer.
    guard let bearer, graph.isLive(bearer) else { return nil }
    guard graph.hasOtherNames(bearer), copyTags[unfinishedName(of: bearer)] != entry.tag.uuid else { return bearer }
    giveUpClaimed(unfinishedName(of: bearer), entry)
    return self.bearer(ofTagIn: entry, besides: occupant)
  }

  /// Whether a newcomer stands in a missing document's place: whoever has a copy of its tag is no move of it, for it is
  /// being saved.
  private func isBeingReplaced(_ document: NodeID) -> Bool {
    guard displaced[document] != nil, let newcomer = arrivals[graph.place(document)] else { return false }
    return canAdopt(newcomer, as: document)
  }

  /// Whether the file that a newcomer's tag was copied from has come back, and is not told yet: it goes first.
  private func awaitsOriginal(_ entry: Entry, _ progress: Progress, at place: Place, _ now: MonotonicTime) -> Bool {
    guard let tag = entry.tag.uuid, tagsInDoubt.count(of: tag) > 1, let original = departed.key(of: tag),
      original != entry.key, now - progress.lastActivity < timing.patience
    else { return false }
    return arrivalPlaces.contains(original) { $0 != place && arrivals[$0]?.entry?.tag.uuid == tag }
  }

  /// The inode has become known meanwhile: it was moved here, or this is a further name of it.
  private mutating func concludeKnown(
    _ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    if let moved = graph.names(of: known, with: .displaced).first {
      if case .at(let elsewhere) = displaced[moved]?.whereabouts, entry.linkCount > 1 {
        // It was renamed, and has a further name.
        commitMove(moved, to: elsewhere, now)
        return requests.append(.look(sighting.place, .check))
      }
      if arrivals[graph.place(moved)] != nil, isBackup(moved, sighting.place) {
        // A backup by hard link: the document is about to be saved.
        return setWhereabouts(of: moved, .at(sighting.place))
      }
      if case .at(let elsewhere) = displaced[moved]?.whereabouts, elsewhere != sighting.place, entry.linkCount > 1 {
        // It was renamed, and this is a further name.
        commitMove(moved, to: elsewhere, now)
        return linkNewName(of: known, sighting, entry, now)
      }
      commitMove(moved, to: sighting.place, now)
      return noteFound(moved, entry, now)
    }
    if let occupant { vacate(occupant, now) }
    // Where that was a directory, the name by which the inode was known may have been in it.
    guard let left = graph.node(with: entry.key) else { return requests.append(.look(sighting.place, .check)) }
    linkNewName(of: left, sighting, entry, now)
  }

  private mutating func linkNewName(of known: NodeID, _ sighting: Sighting, _ entry: Entry, _ now: MonotonicTime) {
    guard isFree(sighting.place), graph.isLive(known) else { return }
    noteContent(of: link(known, at: sighting.place), entry, .check, now)
  }

  mutating func concludeNew(
    _ progress: Progress, _ entry: Entry, _ bearer: NodeID?, at place: Place, _ now: MonotonicTime
  ) {
    if let bearer, hasGone(bearer) || isUnseenVersion(entry, of: bearer) {
      return moveBearer(bearer, to: place, entry, now)
    }
    if let bearer, isOriginal(entry, ofFound: bearer, in: progress.recovery, now) {
      return announceOriginal(entry, of: bearer, at: place, now)
    }
    let id = by(progress.isClosed ? .finishedByClose : .finishedAfterQuiet) {
      $0.announce(entry, copyOf: bearer, at: place, isRevealed: progress.isRevealed, now)
    }
    noteAnnounced(id, now)
    if progress.recovery != nil || isBlind(now) { noteLateFind(id, isCopy: bearer != nil, now) }
    wakeFileHeldUp(by: place, now)
  }
}
