import FileIdentity
import LinuxFileSystem

// Files that are complete: only now is it decided what a newcomer is.

extension Classifier {
  /// Takes in what an arrival looks like when it may be finished, and what the probe for writers said.
  mutating func finish(
    _ place: Place, _ entry: Entry?, _ probe: WriterProbe?, isVerified: Bool, at now: MonotonicTime
  ) {
    guard var arrival = arrivals[place] else { return }
    guard let entry, entry.key == arrival.entry.key else {
      return observe(Sighting(place: place, entry: entry, cause: .check), at: now)
    }
    noteProgress(&arrival.progress, entry, now)
    switch verdict(on: arrival.progress, at: place, probe, now) {
    case .finished:
      conclude(arrival, entry, at: place, isVerified, now)
    case .wait(let until):
      arrival.entry.size = entry.size
      waitForArrival(arrival, entry, at: place, until: until, now)
    }
  }

  /// Not finished: announced as copying when the flash guard has passed, unless it stands in a document's place.
  private mutating func waitForArrival(
    _ arrival: Arrival, _ entry: Entry, at place: Place, until: MonotonicTime, _ now: MonotonicTime
  ) {
    var arrival = arrival
    let guardEnds = arrival.progress.firstSeen + timing.flashGuard + (arrival.progress.isClosed ? timing.quiet : 0)
    let isNew = graph.node(at: place) == nil && graph.node(with: entry.key) == nil
    if now >= guardEnds, isNew, vacancies[place].map({ displaced[$0.node] == nil }) ?? true {
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
    takeArrival(at: place)
    if let known { return concludeKnown(known, entry, over: occupant, asked, now) }
    if let occupant {
      concludeReplacement(of: occupant, arrival, entry, bearer, at: place, now)
    } else if let vacancy = vacancies[place], isLeftForASave(by: vacancy.node, place) {
      returnToName(vacancy.node, at: place, entry, now)
    } else {
      concludeNew(arrival, entry, bearer, at: place, now)
    }
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
      return commitMove(moved, to: sighting.place, now)
    }
    if let occupant { vacate(occupant, now) }
    guard graph.node(at: sighting.place) == nil, graph.isLive(known) else { return }
    link(known, at: sighting.place, entry)
  }

  /// Ends an entry whose place is another's now.
  private mutating func vacate(_ id: NodeID, _ now: MonotonicTime) {
    if case .at(let elsewhere) = displaced[id]?.whereabouts {
      commitMove(id, to: elsewhere, now)
    } else {
      delete(id, reason: .replaced, now)
    }
  }

  private mutating func concludeNew(
    _ arrival: Arrival, _ entry: Entry, _ bearer: NodeID?, at place: Place, _ now: MonotonicTime
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
  /// A complete newcomer stands in the place of an entry that is displaced: a save, unless the newcomer is a document of its own.
  private mutating func concludeReplacement(
    of id: NodeID, _ arrival: Arrival, _ entry: Entry, _ bearer: NodeID?, at place: Place, _ now: MonotonicTime
  ) {
    if let bearer, hasGone(bearer) {
      vacate(id, now)
      if graph.node(at: place) == nil { moveBearer(bearer, to: place, entry, now) }
      return
    }
    let returned = arrival.cameFromOutside && entry.tag.uuid.map { departed.contains($0) } ?? false
    if returned || graph[id].kind != entry.kind || isPlainRename(id) {
      vacate(id, now)
      if graph.node(at: place) == nil { concludeNew(arrival, entry, bearer, at: place, now) }
      return
    }
    save(id, entry, now)
  }

  /// Whether a displaced entry was just renamed: to a name that is no backup's, and not in exchange for the newcomer.
  private func isPlainRename(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id], case .at(let elsewhere) = displacement.whereabouts else { return false }
    return !displacement.isExchange && !isBackup(id, elsewhere)
  }

  /// The document was written anew: its identity goes from the old inode to the new one.
  private mutating func save(_ id: NodeID, _ entry: Entry, _ now: MonotonicTime) {
    var putAside: Place?
    if case .at(let elsewhere) = displaced[id]?.whereabouts { putAside = elsewhere }
    endDisplacement(id)
    releaseOtherNames(of: id)
    takeOver(id, entry)
    log.append(.modified, id, in: graph)
    if let putAside { requests.append(.look(putAside, .leftBehind)) }
  }

  /// Between a name and its backup the identity belongs to the name: other names of the old inode become files of their own.
  private mutating func releaseOtherNames(of id: NodeID) {
    for other in graph.names(of: id) where other != id {
      let place = graph.place(other)
      log.append(.unlinked, other, in: graph)
      removeEntry(other)
      requests.append(.look(place, .leftBehind))
    }
  }

  private mutating func takeOver(_ id: NodeID, _ entry: Entry) {
    let uuid = graph[id].uuid
    graph.setIdentity(id, uuid: uuid, key: entry.key)
    graph.setContent(id, modified: entry.modified, size: entry.size)
    graph.setFlags(id, .tagged, entry.tag.uuid == uuid)
    requestTag(id, entry)
  }

  /// A document was renamed to some name and removed there, while a new file came to stand at the name it had: it was saved.
  private mutating func returnToName(_ id: NodeID, at place: Place, _ entry: Entry, _ now: MonotonicTime) {
    forgetVacancy(at: place)
    commitMove(id, to: place, now)
    guard graph.isLive(id) else { return }
    releaseOtherNames(of: id)
    takeOver(id, entry)
    log.append(.modified, id, in: graph)
  }
}

// MARK: - Writing in place

extension Classifier {
  /// Takes in what a file looks like that was written in place, or was announced as copying.
  mutating func settleWriting(_ id: NodeID, _ entry: Entry?, _ probe: WriterProbe?, at now: MonotonicTime) {
    guard graph.isLive(id), var progress = writing[id], displaced[id] == nil else { return }
    let place = graph.place(id)
    guard let entry, entry.key == graph.key(id) else {
      return observe(Sighting(place: place, entry: entry, cause: .check), at: now)
    }
    noteProgress(&progress, entry, now)
    if graph[id].flags.contains(.copying) {
      settleCopying(id, entry, progress, probe, now)
    } else if now - progress.lastActivity >= timing.quiet {
      endWriting(id, entry, progress)
    } else {
      waitForWriting(id, progress, until: progress.lastActivity + timing.quiet)
    }
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
    let hasChanged = progress.isWritten || entry.modified != node.modified || entry.size != node.size
    graph.setContent(id, modified: entry.modified, size: entry.size)
    if hasChanged { log.append(.modified, id, in: graph) }
    if entry.tag.uuid != node.uuid, entry.tag != .unreadable { requests.append(.writeTag(id, claiming: false)) }
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

  /// Takes in whether a tag could be written.
  mutating func noteTagWritten(_ id: NodeID, _ key: FileKey, _ written: Bool) {
    guard graph.isLive(id), graph.key(id) == key else { return }
    graph.setFlags(id, .tagged, written)
  }
}

extension FileGraph {
  /// The names of each of these identities.
  fileprivate func names(ofEach ids: [NodeID]) -> [NodeID] { ids.flatMap { names(of: $0) } }
}
