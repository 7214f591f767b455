import FileIdentity
import LinuxFileSystem

// Files that are complete: only now is it decided what a newcomer is.

extension Classifier {
  /// Takes in what an arrival looks like when it may be finished, and what the probe for writers said.
  mutating func finish(
    _ place: Place, _ entry: Entry?, _ probe: WriterProbe?, isVerified: Bool, at now: MonotonicTime
  ) {
    guard var arrival = arrivals[place] else { return }
    guard let entry, entry.key == arrival.entry?.key else {
      return observe(Sighting(place: place, entry: entry, cause: .check), at: now)
    }
    noteProgress(&arrival.progress, entry, now)
    // A further name of a file that is known needs no finishing.
    let isLink = arrival.progress.isClosed && graph.node(with: entry.key).map { writing[$0] == nil } ?? false
    switch isLink ? .finished : verdict(on: arrival.progress, at: place, probe, now) {
    case .finished:
      conclude(arrival, entry, at: place, isVerified, now)
    case .wait(let until):
      waitForArrival(arrival, entry, at: place, until: until, now)
    }
  }

  /// Hints that have not been followed up may tell more of an arrival.
  mutating func finishLater(_ place: Place, _ now: MonotonicTime) {
    arrivals[place]?.progress.nextCheck = now + timing.hintDelay
    timers.schedule(.arrival(place), at: now + timing.hintDelay)
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
    var untagged = entry
    untagged.tag = .none
    let id = insert(untagged, at: place, copyOf: nil, flags: [.arrived, .copying])
    log.append(.discovered, id, in: graph, reason: departed.contains(graph[id].uuid) ? .returned : nil)
    var progress = arrival.progress
    progress.nextCheck = until
    writing[id] = progress
    timers.schedule(.writing(id), at: until)
    noteTagInDoubt(id, entry.tag)
  }

  /// An arrival is complete: says what it is.
  private mutating func conclude(
    _ arrival: Arrival, _ entry: Entry, at place: Place, _ isVerified: Bool, _ now: MonotonicTime
  ) {
    let asked = Sighting(place: place, entry: entry, cause: .check, isVerified: isVerified)
    var bearer = entry.tag.uuid.flatMap { graph.node(with: $0) }
    let occupant = graph.node(at: place)
    if bearer == occupant { bearer = nil }
    let known = graph.node(with: entry.key)
    var doubtful = graph.names(ofEach: [known, bearer].compactMap { $0 }).filter { displaced[$0] == nil }
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
    takeArrival(at: place)
    if let known { return concludeKnown(known, entry, over: occupant, asked, now) }
    if let occupant { vacate(occupant, now) }
    if graph.node(at: place) == nil { concludeNew(arrival.progress, entry, bearer, at: place, now) }
  }

  /// The inode has become known meanwhile: it was moved here, or this is a further name of it.
  private mutating func concludeKnown(
    _ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    if let moved = graph.names(of: known).first(where: { displaced[$0] != nil }) {
      if arrivals[graph.place(moved)] != nil, isBackup(moved, sighting.place) {
        // A backup by hard link: the document is about to be saved.
        return setWhereabouts(of: moved, .at(sighting.place))
      }
      commitMove(moved, to: sighting.place, now)
      return noteFound(moved, entry, now)
    }
    if let occupant { vacate(occupant, now) }
    guard graph.node(at: sighting.place) == nil, graph.isLive(known) else { return }
    link(known, at: sighting.place, entry)
  }

  /// Ends an entry whose place is another's now.
  mutating func vacate(_ id: NodeID, _ now: MonotonicTime) {
    if case .at(let elsewhere) = displaced[id]?.whereabouts {
      commitMove(id, to: elsewhere, now)
    } else {
      delete(id, reason: .replaced, now)
    }
  }

  private mutating func concludeNew(
    _ progress: Progress, _ entry: Entry, _ bearer: NodeID?, at place: Place, _ now: MonotonicTime
  ) {
    if let bearer, hasGone(bearer) { return moveBearer(bearer, to: place, entry, now) }
    let id = insert(entry, at: place, copyOf: bearer, flags: .arrived)
    if let bearer {
      graph.setFlags(id, .knownCopy, true)
      log.append(.duplicated, id, in: graph, original: bearer)
    } else {
      log.append(.discovered, id, in: graph, reason: departed.contains(graph[id].uuid) ? .returned : nil)
    }
    if entry.kind == .file { log.append(.copyFinished, id, in: graph) }
    announced[id] = now + timing.settle
    expiring.append(.announced(id, now + timing.settle))
    requestTag(id, entry)
  }
}

// MARK: - Saves

extension Classifier {
  /// Whether a displaced entry was just renamed: to a name that is no backup's, and not in exchange for the newcomer.
  func isPlainRename(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id], case .at(let elsewhere) = displacement.whereabouts else { return false }
    return !displacement.isExchange && !isBackup(id, elsewhere)
  }

  /// A newcomer stands at a place: perhaps it is the document that stood there.
  mutating func adoptNewcomer(at place: Place, _ now: MonotonicTime) {
    if let occupant = graph.node(at: place) { adoptNewcomer(as: occupant, now) }
  }

  /// A newcomer stands in an entry's place, and it is known what became of the old inode: the document is being saved.
  ///
  /// From now on the newcomer is the document: when it is renamed or removed, the document is. What it is in the end, a save or a document
  /// of its own, is decided when it is complete.
  mutating func adoptNewcomer(as id: NodeID, _ now: MonotonicTime) {
    guard let displacement = displaced[id], displacement.isDecided, !isPlainRename(id) else { return }
    let place = graph.place(id)
    if let arrival = arrivals[place], canAdopt(arrival, as: id) { return adopt(arrival, as: id, now) }
    guard displacement.whereabouts == .gone, let former = formerPlaces[id], isLeftForASave(by: id, former),
      let arrival = arrivals[former], canAdopt(arrival, as: id)
    else { return }
    // Renamed to some name and removed there, while a new file came to stand at the name it had.
    forgetVacancy(at: former)
    takeArrival(at: former)
    commitMove(id, to: former, now)
    put(arrival, at: former)
    if graph.isLive(id), graph.place(id) == former { adopt(arrival, as: id, now) }
  }

  /// A document is not saved by a directory, nor by an inode that is another document.
  func canAdopt(_ arrival: Arrival, as id: NodeID) -> Bool {
    let kind = graph[id].kind
    guard kind != .directory, arrival.entry == nil || arrival.entry?.kind == kind else { return false }
    return graph.node(with: arrival.key).map { $0 == id } ?? true
  }

  /// The identity goes from the old inode to the new one.
  mutating func adopt(_ arrival: Arrival, as id: NodeID, _ now: MonotonicTime) {
    let former = graph.key(id)
    var putAside: Place?
    if case .at(let elsewhere) = displaced[id]?.whereabouts { putAside = elsewhere }
    takeArrival(at: graph.place(id))
    endDisplacement(id)
    // What was announced as copying under any of its names is told to be finished under this one.
    let isCopying = graph.names(of: id).contains { graph[$0].flags.contains(.copying) }
    if isCopying { graph.setFlags(id, .copying, true) }
    releaseOtherNames(of: id, now)
    graph.setIdentity(id, uuid: graph[id].uuid, key: arrival.key)
    graph.setFlags(id, .tagged, arrival.entry?.tag.uuid == graph[id].uuid)
    var progress = arrival.progress
    progress.isSave = true
    progress.former = writing[id]?.former ?? former
    writing[id] = progress
    timers.schedule(.writing(id), at: progress.nextCheck)
    noteTagInDoubt(id, arrival.entry?.tag ?? .none)
    if arrival.entry == nil { touched.insert(graph.place(id), []) }
    if let putAside { leaveBehind(former, at: putAside, now) }
  }

  /// The old inode of a document that was saved is at another name.
  ///
  /// Nobody has written to it. It may be removed in a moment, as backups are that were made for the save only.
  private mutating func leaveBehind(_ key: FileKey, at place: Place, _ now: MonotonicTime) {
    var arrival = Arrival(unseen: key, at: now, nextCheck: now + timing.quiet)
    arrival.progress.isClosed = true
    put(arrival, at: place)
    touched.insert(place, [])
  }

  /// Between a name and its backup the identity belongs to the name: other names of the old inode become files of their own.
  private mutating func releaseOtherNames(of id: NodeID, _ now: MonotonicTime) {
    for other in graph.names(of: id) where other != id {
      var place: Place? = graph.place(other)
      if let displacement = displaced[other] {
        if case .at(let elsewhere) = displacement.whereabouts { place = elsewhere } else { place = nil }
      }
      log.append(.unlinked, other, in: graph)
      let key = graph.key(other)
      removeEntry(other)
      if let place { leaveBehind(key, at: place, now) }
    }
  }

  /// A saved document is complete: it keeps its identity, unless the newcomer is another document that was put over it.
  private mutating func endSave(
    _ id: NodeID, _ entry: Entry, _ progress: Progress, isVerified: Bool, _ now: MonotonicTime
  ) {
    let bearer = entry.tag.uuid.flatMap { graph.node(with: $0) }.flatMap { $0 == id ? nil : $0 }
    if let bearer, !isVerified { return requests.append(.verifyThenCheckWriting(graph.names(of: bearer), id)) }
    let place = graph.place(id)
    if let bearer, hasGone(bearer) {
      delete(id, reason: .replaced, now)
      return moveBearer(bearer, to: place, entry, now)
    }
    if bearer == nil, progress.cameFromOutside, let tag = entry.tag.uuid, departed.contains(tag), tag != graph[id].uuid
    {
      delete(id, reason: .replaced, now)
      return concludeNew(progress, entry, nil, at: place, now)
    }
    endWriting(id, entry, progress)
  }
}

// MARK: - Writing in place

extension Classifier {
  /// Takes in what a file looks like that was written in place, or was announced as copying.
  mutating func settleWriting(
    _ id: NodeID, _ entry: Entry?, _ probe: WriterProbe?, isVerified: Bool, at now: MonotonicTime
  ) {
    guard graph.isLive(id), var progress = writing[id], displaced[id] == nil else { return }
    guard let entry, entry.key == graph.key(id) else {
      return lookAgain(id, entry, now)
    }
    noteProgress(&progress, entry, now)
    if graph[id].flags.contains(.copying) {
      settleCopying(id, entry, progress, probe, now)
    } else if progress.isSave {
      settleSave(id, entry, progress, probe, isVerified, now)
    } else if now - progress.lastActivity >= timing.quiet {
      endWriting(id, entry, progress)
    } else {
      waitForWriting(id, progress, until: progress.lastActivity + timing.quiet)
    }
  }

  /// Hints that have not been followed up may tell more of a file that is being written.
  mutating func settleWritingLater(_ id: NodeID, _ now: MonotonicTime) {
    guard writing[id] != nil else { return }
    writing[id]?.nextCheck = now + timing.hintDelay
    timers.schedule(.writing(id), at: now + timing.hintDelay)
  }

  /// Something else is there than the file that is being written.
  private mutating func lookAgain(_ id: NodeID, _ entry: Entry?, _ now: MonotonicTime) {
    writing[id]?.nextCheck = now + timing.quiet
    timers.schedule(.writing(id), at: now + timing.quiet)
    observe(Sighting(place: graph.place(id), entry: entry, cause: .check), at: now)
  }

  private mutating func waitForWriting(_ id: NodeID, _ progress: Progress, until: MonotonicTime) {
    var progress = progress
    progress.checks += 1
    progress.nextCheck = until
    writing[id] = progress
    timers.schedule(.writing(id), at: until)
  }

  private mutating func endWriting(_ id: NodeID, _ entry: Entry, _ progress: Progress) {
    let node = graph[id]
    writing[id] = nil
    noteTagInDoubt(id, .none)
    let isOther = entry.modified != node.modified || entry.size != node.size
    graph.setContent(id, modified: entry.modified, size: entry.size)
    if progress.isWritten || isOther || progress.isSave && progress.former != entry.key {
      log.append(.modified, id, in: graph)
    }
    graph.setFlags(id, .tagged, entry.tag.uuid == node.uuid)
    if entry.kind == .file, entry.tag.uuid != node.uuid, entry.tag != .unreadable {
      requests.append(.writeTag(id, claiming: false))
    }
  }

  private mutating func settleSave(
    _ id: NodeID, _ entry: Entry, _ progress: Progress, _ probe: WriterProbe?, _ isVerified: Bool, _ now: MonotonicTime
  ) {
    noteTagInDoubt(id, entry.tag)
    switch verdict(on: progress, at: graph.place(id), probe, now) {
    case .wait(let until): waitForWriting(id, progress, until: until)
    case .finished: endSave(id, entry, progress, isVerified: isVerified, now)
    }
  }

  private mutating func settleCopying(
    _ id: NodeID, _ entry: Entry, _ progress: Progress, _ probe: WriterProbe?, _ now: MonotonicTime
  ) {
    noteTagInDoubt(id, entry.tag)
    switch verdict(on: progress, at: graph.place(id), probe, now) {
    case .wait(let until): waitForWriting(id, progress, until: until)
    case .finished: endCopying(id, entry, now)
    }
  }

  private mutating func endCopying(_ id: NodeID, _ entry: Entry, _ now: MonotonicTime) {
    writing[id] = nil
    noteTagInDoubt(id, .none)
    let original = entry.tag.uuid.flatMap { graph.node(with: $0) }.flatMap { $0 == id ? nil : $0 }
    if let original, hasGone(original) {
      let place = graph.place(id)
      delete(id, reason: .removed, now)
      return moveBearer(original, to: place, entry, now)
    }
    graph.setFlags(id, .copying, false)
    graph.setContent(id, modified: entry.modified, size: entry.size)
    if let original {
      graph.setFlags(id, .knownCopy, true)
      log.append(.duplicated, id, in: graph, original: original)
    }
    log.append(.copyFinished, id, in: graph)
    announced[id] = now + timing.settle
    expiring.append(.announced(id, now + timing.settle))
    requestTag(id, entry)
  }

}

extension FileGraph {
  /// The names of each of these identities.
  fileprivate func names(ofEach ids: [NodeID]) -> [NodeID] { ids.flatMap { names(of: $0) } }
}
