import FileIdentity
import LinuxFileSystem

// Documents that are saved by replacement: the identity goes from the old inode to the new one.

extension Classifier {
  /// Whether a displaced entry was just renamed: to a name that is no backup's, and not to make room for the newcomer.
  func isPlainRename(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id], case .at(let elsewhere) = displacement.whereabouts else { return false }
    return !displacement.isExchange && !displacement.isAside && !isBackup(id, elsewhere)
  }

  /// A newcomer stands at a place: perhaps it is the document that stood there.
  mutating func adoptNewcomer(at place: Place, _ now: MonotonicTime) {
    if let occupant = graph.node(at: place) { adoptNewcomer(as: occupant, now) }
  }

  /// A newcomer stands in an entry's place, and it is known what became of the old inode: the document is being saved.
  ///
  /// From now on the newcomer is the document: when it is renamed or removed, the document is. What it is in the end, a
  /// save or a document of its own, is decided when it is complete.
  mutating func adoptNewcomer(as id: NodeID, _ now: MonotonicTime) {
    guard let displacement = displaced[id], displacement.isDecided, !isPlainRename(id) else { return }
    let place = graph.place(id)
    if let arrival = arrivals[place], canAdopt(arrival, as: id) {
      // One of several names may have been removed and linked again: that is seen only when it is looked at.
      if arrival.entry == nil, mayBeLinkedAgain(id, arrival.progress) { return waitForOtherNames(id) }
      return adopt(arrival, as: id, now)
    }
    guard displacement.whereabouts == .gone, own?.leaving.contains(graph[id].uuid) != true,
      let former = recentDepartures.latestPlace(of: id), isLeftForASave(by: id, former),
      let arrival = arrivals[former], canAdopt(arrival, as: id)
    else { return }
    // Renamed to some name and removed there, while a new file came to stand at the name it had.
    recentDepartures.forget(from: former)
    takeArrival(at: former)
    commitMove(id, to: former, now)
    put(arrival, at: former)
    if graph.isLive(id), graph.place(id) == former { adopt(arrival, as: id, now) }
  }

  /// Whether the document stands under another name, too: beside one that waits to be told, what was written, or came
  /// by a rename, is no link of it.
  private func mayBeLinkedAgain(_ id: NodeID, _ progress: Progress) -> Bool {
    let key = graph.key(id)
    if key != .unseen, oldNameCounts[key] != nil, !progress.isNoLink { return true }
    guard graph.hasOtherNames(id) else { return false }
    let missing = graph.names(of: id, with: .displaced)
    return missing.count < graph.nameCount(of: id) || missing.contains { $0 != id && stands($0) }
  }

  /// As long as another name of a document stands, what came to this one may be a link of it.
  private mutating func waitForOtherNames(_ id: NodeID) {
    if graph.hasOtherNames(id) { waitingNames.insert(id, for: graph[id].uuid) }
  }

  /// Whether a name is where the graph has it, or where it is known to have gone.
  private func stands(_ name: NodeID) -> Bool {
    switch displaced[name]?.whereabouts {
    case nil, .at: true
    case .unknown, .gone, .outside: false
    }
  }

  /// A document is not saved by a directory, by an inode that is another document, or by what is on another mount.
  func canAdopt(_ arrival: Arrival, as id: NodeID) -> Bool {
    let kind = graph[id].kind
    guard kind != .directory, arrival.kind == nil || arrival.kind == kind, !coverage.has(.covered, id) else {
      return false
    }
    if arrival.entry.map({ isReturn($0, arrival.progress) }) ?? arrival.mayBeBack { return false }
    if isLeft(arrival, byAnotherThan: id) { return false }
    return graph.node(with: arrival.key).map { $0 == id } ?? true
  }

  /// Whether a newcomer is a document that went away: no program has just written it.
  func isReturn(_ entry: Entry, _ progress: Progress) -> Bool { !progress.wasAbsorbed && isReturn(entry) }

  /// Whether an inode bears the identity with which it went away.
  func isReturn(_ entry: Entry) -> Bool {
    guard let tag = entry.tag.uuid, graph.node(with: tag) == nil else { return false }
    return departed.contains(tag, on: entry.key)
  }

  /// The identity goes from the old inode to the new one.
  mutating func adopt(_ arrival: Arrival, as id: NodeID, _ now: MonotonicTime) {
    log.record(.continued, id, in: graph, by: .savedByReplacement)
    let former = graph.key(id)
    let isFormerClosed = writing[id]?.isClosed ?? true
    coverage.noteSaved(id, now)
    var putAside: Place?
    if case .at(let elsewhere) = displaced[id]?.whereabouts { putAside = elsewhere }
    let left = displaced[id].flatMap { $0.whereabouts == .outside && !$0.isExchange ? $0.since : nil }
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
    progress.mayBeCarried = arrival.previous == nil && !progress.wasAbsorbed
    progress.former = writing[id]?.former ?? former
    progress.formerLeft = writing[id]?.formerLeft ?? left
    if !isCopying { continueWriting(of: id, &progress, now) }
    beginWriting(id, progress)
    noteTagInDoubt(id, arrival.entry?.tag ?? .none)
    if arrival.entry == nil { touched.insert(graph.place(id), []) }
    if let putAside { leaveBehind(former, graph[id].kind, isClosed: isFormerClosed, at: putAside, now) }
  }

  /// The old inode of a document that was saved is at another name.
  ///
  /// It may be removed in a moment, as backups are that were made for the save only.
  ///
  /// - Parameter isClosed: Whether nobody was writing to it.
  mutating func leaveBehind(
    _ key: FileKey, _ kind: FileKind, isClosed: Bool, at place: Place, _ now: MonotonicTime
  ) {
    var arrival = Arrival(unseen: key, kind, at: now, nextCheck: now + timing.quiet)
    arrival.progress.isClosed = isClosed
    arrival.progress.isOld = true
    put(arrival, at: place)
    touched.insert(place, [])
  }

  /// Between a name and its backup the identity belongs to the name: other names of the old inode become files of their
  /// own.
  private mutating func releaseOtherNames(of id: NodeID, _ now: MonotonicTime) {
    for other in graph.names(of: id) where other != id {
      var place: Place? = graph.place(other)
      if let displacement = displaced[other] {
        if case .at(let elsewhere) = displacement.whereabouts { place = elsewhere } else { place = nil }
      }
      let key = graph.key(other)
      removeName(other)
      if let place { leaveBehind(key, graph[id].kind, isClosed: writing[id]?.isClosed ?? true, at: place, now) }
    }
  }

  /// A saved document is complete: it keeps its identity, unless the newcomer is another document that was put over it.
  mutating func endSave(
    _ id: NodeID, _ entry: Entry, _ progress: Progress, isVerified: Bool, _ now: MonotonicTime
  ) {
    switch interchange(with: id, entry) {
    // What cannot be known for long is not waited for.
    case .undecided where now - progress.firstSeen < timing.patience:
      return settleWritingLater(id, now, after: timing.hintDelay)
    case .none, .undecided: break
    case .of(let all) where isVerified: return changePlaces(all, now)
    case .of(let all): return requests.append(.verifyThenCheckWriting(Array(all.dropFirst()), id))
    }
    let bearer = bearer(ofTagIn: entry, besides: id)
    if let bearer, !isVerified { return requests.append(.verifyThenCheckWriting(someNames(of: bearer), id)) }
    if let bearer, hasGone(bearer) { return endAsOriginal(bearer, id, entry, isReplaced: true, now) }
    if bearer == nil, let tag = entry.tag.uuid, tag != graph[id].uuid,
      isReturn(entry, progress) || progress.cameFromOutside && departed.contains(tag)
    {
      if let until = awaitsFormer(progress, now) { return settleWritingLater(id, now, after: until - now) }
      return endAsReturned(id, entry, progress, now)
    }
    endWriting(id, entry, progress, now)
  }

  /// Until when a document's old inode, which left by a rename, may still turn up in a folder that has just come back.
  private func awaitsFormer(_ progress: Progress, _ now: MonotonicTime) -> MonotonicTime? {
    guard let left = progress.formerLeft, now - left < timing.settle else { return nil }
    return left + timing.settle
  }

  /// Whether a newcomer is the old inode of another document whose save is not over: it may turn out to be that
  /// document yet.
  private func isLeft(_ arrival: Arrival, byAnotherThan id: NodeID) -> Bool {
    guard let tag = arrival.entry?.tag.uuid, let bearer = graph.node(with: tag), bearer != id else { return false }
    return writing[unfinishedName(of: bearer)]?.former == arrival.key
  }

  /// Whether a newcomer is the old inode of a document whose place another has taken: it is not decided yet which of
  /// them is the document.
  ///
  /// What took its place may never be finished: it is not waited for longer than for anything else.
  func isLeft(_ entry: Entry, by document: NodeID, _ now: MonotonicTime) -> Bool {
    guard let progress = writing[unfinishedName(of: document)], let left = progress.formerLeft else { return false }
    return progress.former == entry.key && now - left < timing.patience
  }

  /// What was put over a document is another that had left: all names of the inode are that one's now.
  private mutating func endAsReturned(_ id: NodeID, _ entry: Entry, _ progress: Progress, _ now: MonotonicTime) {
    let links = unlinkOthers(of: id)
    let place = graph.place(id)
    giveUpPlace(id, progress, now)
    concludeNew(progress, entry, nil, at: place, now)
    guard let returned = graph.node(at: place) else { return }
    for place in links where graph.node(at: place) == nil { link(returned, at: place) }
  }

  /// The document is where its inode is, if that still stands, and has not been told to be another file by a further
  /// name.
  private mutating func giveUpPlace(_ id: NodeID, _ progress: Progress, _ now: MonotonicTime) {
    guard let former = progress.former, graph.node(with: former) == nil,
      let aside = arrivalPlaces.members(of: former).min(by: isBefore)
    else {
      return endReplaced(id, now)
    }
    stopWriting(id)
    noteTagInDoubt(id, .none)
    takeArrival(at: aside)
    graph.setIdentity(id, uuid: graph[id].uuid, key: former)
    commitMove(id, to: aside, now)
    if graph.isLive(id) { requests.append(.look(graph.place(id), .check)) }
  }
}
