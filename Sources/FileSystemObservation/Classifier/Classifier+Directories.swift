import FileIdentity
import LinuxFileSystem

// New directories. They are announced at once: what is below them cannot be told before them.

extension Classifier {
  mutating func observeNewDirectory(
    _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    takeArrival(at: sighting.place)
    guard let occupant, let displacement = displaced[occupant] else {
      return announceDirectory(entry, sighting, now)
    }
    // What was there until now may be what the next look finds elsewhere.
    let isDecided = sighting.cause == .check && displacement.since < now
    switch displacement.whereabouts {
    case .at(let elsewhere):
      commitMove(occupant, to: elsewhere, now)
      announceDirectory(entry, sighting, now)
    case .unknown where !isDecided:
      // The entry that stood here may have been renamed, and the kernel has not said so yet, or it is to be seen
      // elsewhere.
      deferred.insert(sighting.place)
    case .unknown where displacement.leftByRename, .outside:
      endReplaced(occupant, now)
      announceDirectory(entry, sighting, now)
    case .unknown, .gone:
      if graph[occupant].kind == .directory, !bringsIdentity(entry), !coverage.has(.covered, occupant) {
        adopt(entry, as: occupant)
      } else {
        endReplaced(occupant, otherwise: .removed, now)
        announceDirectory(entry, sighting, now)
      }
    }
  }

  /// Whether a directory bears a tag that nothing else here does: it was not made here, but came, or was here all the
  /// time, unseen.
  private func bringsIdentity(_ entry: Entry) -> Bool {
    entry.tag.uuid.map { graph.node(with: $0) == nil } ?? false
  }

  /// A directory was removed and made anew: the identity stays with the path, and what is below is compared by name.
  private mutating func adopt(_ entry: Entry, as id: NodeID) {
    log.record(.continued, id, in: graph, by: .directoryMadeAnew)
    deferred.remove(graph.place(id))
    endDisplacement(id)
    graph.setIdentity(id, uuid: graph[id].uuid, key: entry.key)
    graph.setFlags(id, .tagged, false)
    requests.append(.forget(id))
    requests.append(.writeTag(id, claiming: false))
    requests.append(.scan(id))
  }

  private mutating func announceDirectory(_ entry: Entry, _ sighting: Sighting, _ now: MonotonicTime) {
    guard isFree(sighting.place) else {
      if graph.isLive(sighting.place.parent) { lookAgain(at: sighting.place, after: now) }
      return
    }
    var original: NodeID?
    if let bearer = bearer(ofTagIn: entry, besides: nil) {
      if hasGone(bearer) {
        // Whether it is the one that has gone is decided with all that was in that.
        guard mayWait(sighting) else { return moveBearer(bearer, to: sighting.place, entry, now) }
        announce(entry, copyOf: bearer, at: sighting.place, waits: true, now)
        return
      }
      guard sighting.isVerified else {
        return requests.append(.verify([bearer], then: sighting.place, sighting.cause))
      }
      let recovery = isFoundLate(sighting.place, sighting.cause, now) ? coverage.recovery : nil
      if isOriginal(entry, ofFound: bearer, in: recovery, now) {
        return announceOriginal(entry, of: bearer, at: sighting.place, now)
      }
      original = bearer
    }
    let id = announce(entry, copyOf: original, at: sighting.place, waits: mayWait(sighting), now)
    if isFoundLate(sighting.place, sighting.cause, now) || isBlind(now) {
      noteLateFind(id, isCopy: original != nil, isMade: isMade(sighting), now)
    }
  }

  /// Whether a newcomer can be told to be at a place: what made room for it may have taken its directory along.
  func isFree(_ place: Place) -> Bool { graph.isLive(place.parent) && graph.node(at: place) == nil }

  /// Tells of a newcomer that is complete.
  ///
  /// - Parameters:
  ///   - waits: Whether a directory is announced only when something in it is, or after a moment.
  ///   - isRevealed: Whether it was there before it was observed: then it has not arrived.
  @discardableResult
  mutating func announce(
    _ entry: Entry, copyOf original: NodeID?, at place: Place, waits: Bool = false, isRevealed: Bool = false,
    _ now: MonotonicTime
  ) -> NodeID {
    freeTag(of: entry)
    let original = original ?? ownOriginal(of: entry)
    let id = insert(entry, at: place, copyOf: original, flags: [.arrived, .mayBeVersion])
    let isReturned = departed.contains(graph[id].uuid)
    if waits, !isReturned { holdAnnouncement(of: id, now) }
    if let original {
      tellCopy(id, of: original, now)
    } else if untold[id] == nil {
      let rule: DecisionReason = isReturned ? .returned : isRevealed || isRevealing ? .revealed : .newItem
      log.appendDiscovery(of: id, in: graph, isReturned: isReturned, by: rule)
    }
    if entry.kind == .file, !isRevealed { log.append(.copyFinished, id, in: graph) }
    if entry.kind == .directory { requests.append(.scan(id)) }
    if !tagsWhatIsFound, isRevealed || isRevealing { return id }
    // What may turn out to be the original keeps its tag until then.
    if untold[id] != nil, let original, displaced[original] != nil {
      lookLater(at: id, now)
    } else {
      requestTag(id, entry)
    }
    return id
  }

  /// What was minted for a file whose tag could not be read is not its own where a directory bears it, nor the other
  /// way round.
  private mutating func freeTag(of entry: Entry) {
    guard let tag = entry.tag.uuid, let holder = graph.node(with: tag), holder != .root,
      bearer(ofTagIn: entry, besides: nil) == nil, graph[holder].flags.contains(.tagUnread),
      !graph.hasOtherNames(holder)
    else { return }
    takeFreeIdentity(holder, entry)
    let isFinished = graph[holder].kind == .file && !graph[holder].flags.contains(.copying)
    if isFinished { log.append(.copyFinished, holder, in: graph, by: .anotherIdentity) }
  }

  /// Adds an entry for a newcomer, with the UUID it brings or else the one that is minted for it.
  mutating func insert(_ entry: Entry, at place: Place, copyOf original: NodeID?, flags: NodeFlags) -> NodeID {
    let uuid = identity(for: entry, copyOf: original)
    let tagging: NodeFlags = entry.tag.uuid == uuid ? .tagged : entry.tag == .unreadable ? .tagUnread : .minted
    let content = FileGraph.Content(
      uuid: uuid, key: entry.key, kind: entry.kind, modified: entry.modified, size: entry.size,
      flags: flags.union(tagging))
    return graph.insert(content, named: place.name.span, in: place.parent)
  }

  /// The UUID of a newcomer: never one that another file has, or had when it went away.
  func identity(for entry: Entry, copyOf original: NodeID?) -> UUIDBits {
    if let tag = entry.tag.uuid, original == nil || own?.originals[tag] != nil, graph.node(with: tag) == nil {
      return tag
    }
    return freeIdentity(for: entry.key, on: entry.fileSystem)
  }

  /// The first UUID minted for an inode that nothing else has or had, nor bears as its tag while it waits to be told.
  func freeIdentity(for key: FileKey, on fileSystem: UInt64) -> UUIDBits {
    var minted = UUIDBits.minted(for: key, on: fileSystem)
    while graph.node(with: minted) != nil || tagsInDoubt.hasMembers(minted)
      || departed.contains(minted, onOtherThan: key)
    {
      minted = UUIDBits.minted(after: minted, for: key, on: fileSystem)
    }
    return minted
  }

  /// Asks for the tag to be written, where it does not stand there already.
  mutating func requestTag(_ id: NodeID, _ entry: Entry) {
    guard entry.kind != .symlink, entry.tag.uuid != graph[id].uuid else { return }
    requests.append(
      entry.tag == .none
        ? .writeTagInTime(id, claiming: true) : .writeTag(id, claiming: entry.tag == .unreadable))
  }

  /// The entry that has the identity which an inode's tag says: a file is no copy of a directory, whatever tag somebody
  /// gave it.
  func bearer(ofTagIn entry: Entry, besides id: NodeID?) -> NodeID? {
    guard let tag = entry.tag.uuid, let bearer = graph.node(with: tag), bearer != id,
      (graph[bearer].kind == .directory) == (entry.kind == .directory)
    else { return nil }
    return bearer
  }

  /// Whether all names of an identity are missing, and its inode with them: what left by a rename still is somewhere.
  func hasGone(_ id: NodeID) -> Bool {
    let missing = graph.names(of: id, with: .displaced)
    return missing.count == graph.nameCount(of: id)
      && missing.allSatisfy { name in
        guard let displacement = displaced[name] else { return false }
        return switch displacement.whereabouts {
        case .gone: true
        case .unknown: !displacement.leftByRename
        case .at, .outside: false
        }
      }
  }

  /// Whether an inode is the version of a document that was saved and renamed before anybody saw it.
  func isUnseenVersion(_ entry: Entry, of document: NodeID) -> Bool {
    graph.key(document) == .unseen && hasLeft(document) && writing[document].map { $0.former != entry.key } == true
  }

  /// The bearer of a newcomer's tag is gone: it was moved here by copying and removing, as `mv` does between file
  /// systems.
  mutating func moveBearer(_ bearer: NodeID, to place: Place, _ entry: Entry, _ now: MonotonicTime) {
    for name in graph.names(of: bearer) where name != bearer { unlink(name) }
    let former = requests.endIndex
    by(.movedByCopying) { $0.commitMove(bearer, to: place, now) }
    guard graph.isLive(bearer), graph.place(bearer) == place else {
      // It could not come here, for the place is inside what it was: this is another, once that one is found or gone.
      if graph.isLive(place.parent) { lookAgain(at: place, after: now) }
      return
    }
    graph.setIdentity(bearer, uuid: graph[bearer].uuid, key: entry.key)
    // What is being written is told when it rests.
    if writing[bearer] == nil {
      if entry.kind == .file, isChanged(bearer, entry) {
        log.append(.modified, bearer, in: graph, by: .changedWhileMoved)
      }
      graph.setContent(bearer, modified: entry.modified, size: entry.size)
    }
    graph.setFlags(bearer, .tagged, true)
    // It may be elsewhere all the same, and this be its copy.
    if coverage.isRecovering || isBlind(now) { noteLateFind(bearer, isCopy: false, now) }
    if entry.kind == .directory {
      // Whatever its move asks for is done with the new inode.
      requests.insert(.forget(bearer), at: former)
      requests.append(.scan(bearer))
    }
  }
}
