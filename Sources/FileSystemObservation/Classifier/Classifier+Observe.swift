import FileEvents
import FileIdentity
import LinuxFileSystem

// Facts about one place.

extension Classifier {
  /// Takes in what is at a place now.
  mutating func observe(_ sighting: Sighting, at now: MonotonicTime) {
    let place = sighting.place
    guard graph.isLive(place.parent), graph[place.parent].kind == .directory else { return }
    let occupant = graph.node(at: place)
    guard let entry = sighting.entry, entry.kind != .special else {
      dropArrival(at: place, now)
      if sighting.cause.isCurrent { successors[place] = nil }
      if let occupant { markAbsent(occupant, sighting.cause, now) }
      if let holder = held[place], sighting.cause.isCurrent {
        setWhereabouts(of: holder, .gone)
        adoptNewcomer(as: holder, now)
      }
      return
    }
    if let occupant, graph.key(occupant) == entry.key {
      confirm(occupant, entry, sighting.cause, now)
    } else if isAheadOfItsHint(entry, sighting.cause) {
      unexplained.insert(place)
      noteHintAlone(occupant, sighting.cause, now)
    } else {
      observeNewcomer(entry, over: occupant, sighting, now)
    }
  }

  /// Whether what is found at a place is what a later hint will tell of.
  ///
  /// A removal says nothing of what came after it; and an inode that is known elsewhere came here by a rename, unless it has several names.
  private func isAheadOfItsHint(_ entry: Entry, _ cause: Cause) -> Bool {
    let known = graph.node(with: entry.key)
    switch cause {
    case .hint(let kinds):
      if kinds.contains(.removed) { return true }
      return known != nil && (!kinds.contains(.created) || entry.linkCount < 2 || entry.kind == .directory)
    case .arrivedByRename:
      // What was renamed here was something else, or its first half would have said so.
      return known.map { displaced[$0] == nil && (entry.linkCount < 2 || entry.kind == .directory) } ?? false
    case .scan, .check, .leftBehind:
      return false
    }
  }

  private mutating func noteHintAlone(_ occupant: NodeID?, _ cause: Cause, _ now: MonotonicTime) {
    guard let occupant, case .hint(let kinds) = cause, !kinds.isDisjoint(with: [.removed, .created]) else { return }
    markAbsent(occupant, .hint(.removed), now)
  }

  /// The name of an entry is missing.
  mutating func markAbsent(_ id: NodeID, _ cause: Cause, _ now: MonotonicTime) {
    var removed = false
    if case .hint(let kinds) = cause { removed = kinds.contains(.removed) }
    if displaced[id] == nil {
      displace(id, removed ? .gone : .unknown, leftByRename: false, now)
    } else if removed {
      setWhereabouts(of: id, .gone)
    }
    if removed { adoptNewcomer(as: id, now) }
  }

  mutating func displace(
    _ id: NodeID, _ whereabouts: Displacement.Whereabouts, leftByRename: Bool, _ now: MonotonicTime
  ) {
    let due = now + timing.settle
    displaced[id] = Displacement(whereabouts: .unknown, since: now, due: due, leftByRename: leftByRename)
    setWhereabouts(of: id, whereabouts)
    timers.schedule(.displaced(id), at: due)
    wakeFileHeldUp(by: graph.place(id), now)
  }

  /// Where the graph has an entry, and where its inode was put meanwhile.
  func places(of id: NodeID) -> (Place?, elsewhere: Place?) {
    guard graph.isLive(id) else { return (nil, nil) }
    if case .at(let elsewhere) = displaced[id]?.whereabouts { return (graph.place(id), elsewhere) }
    return (graph.place(id), nil)
  }

  mutating func setWhereabouts(of id: NodeID, _ whereabouts: Displacement.Whereabouts) {
    guard let old = displaced[id]?.whereabouts else { return }
    if case .at(let place) = old, held[place] == id { held[place] = nil }
    if case .at(let place) = whereabouts { held[place] = id }
    displaced[id]?.whereabouts = whereabouts
  }

  /// The entry stands at its place again.
  mutating func endDisplacement(_ id: NodeID) {
    setWhereabouts(of: id, .unknown)
    displaced[id] = nil
    if !successors.isEmpty { successors = successors.filter { $0.value != id } }
    if let progress = writing[id] { timers.schedule(.writing(id), at: progress.nextCheck) }
    let place = graph.place(id)
    if deferred.remove(place) != nil { requests.append(.look(place, .check)) }
  }

  /// An entry is where the graph has it, with the same inode.
  private mutating func confirm(_ id: NodeID, _ entry: Entry, _ cause: Cause, _ now: MonotonicTime) {
    if displaced[id] != nil {
      endDisplacement(id)
      dropArrival(at: graph.place(id), now)
      if entry.kind == .directory { requests.append(.moved(id)) }
    }
    noteTag(of: id, entry, now)
    noteContent(of: id, entry, cause, now)
    if entry.kind == .directory, graph[id].flags.contains(.unreadable) { requests.append(.scan(id)) }
  }

  private mutating func noteContent(of id: NodeID, _ entry: Entry, _ cause: Cause, _ now: MonotonicTime) {
    guard entry.kind == .file else { return }
    // One hint may say several things: a close that came together with an attribute is still a close.
    if case .hint(let kinds) = cause, !kinds.isDisjoint(with: [.written, .closed]) {
      return noteActivity(of: id, kinds: kinds, now)
    }
    let node = graph[id]
    guard entry.modified != node.modified || entry.size != node.size else { return }
    switch cause {
    case .hint(let kinds) where kinds.isSubset(of: [.attributes]) && entry.size == node.size && writing[id] == nil:
      // Times set by hand are no change of content.
      graph.setContent(id, modified: entry.modified, size: entry.size)
    default:
      noteActivity(of: id, kinds: [], now)
    }
  }

  /// Looks at the tag of an entry that stayed where it was: the graph's own identity wins.
  mutating func noteTag(of id: NodeID, _ entry: Entry, _ now: MonotonicTime) {
    let uuid = graph[id].uuid
    guard entry.kind != .symlink, entry.tag != .unreadable else { return }
    if entry.tag.uuid == uuid {
      return graph.setFlags(id, .tagged, true)
    }
    graph.setFlags(id, .tagged, false)
    if writing[id] != nil { return noteTagInDoubt(id, entry.tag) }
    tellLateCopy(id, entry)
    requests.append(.writeTag(id, claiming: false))
  }

  /// `cp -a` tags a directory when it is full: only then does the tag tell that it is a copy.
  private mutating func tellLateCopy(_ id: NodeID, _ entry: Entry) {
    let flags = graph[id].flags
    guard flags.contains(.arrived), !flags.contains(.knownCopy), let tag = entry.tag.uuid,
      let original = graph.node(with: tag), original != id, !hasGone(original)
    else { return }
    graph.setFlags(id, .knownCopy, true)
    log.append(.duplicated, id, in: graph, original: original)
  }

  /// Remembers which tag a file bears that is still being written: its original may be about to go.
  mutating func noteTagInDoubt(_ id: NodeID, _ tag: TagReading) {
    guard copyTags[id] != tag.uuid else { return }
    if let old = copyTags.removeValue(forKey: id) { releaseTag(old) }
    guard let tag = tag.uuid else { return }
    copyTags[id] = tag
    tagsInDoubt[tag, default: 0] += 1
  }
}

// MARK: - Newcomers

extension Classifier {
  /// An inode is at a place where the graph has none, or another.
  private mutating func observeNewcomer(
    _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    if let holder = held[sighting.place], graph.isLive(holder), graph.key(holder) == entry.key { return }
    if let known = graph.node(with: entry.key) {
      return observeKnown(known, entry, over: occupant, sighting, now)
    }
    if sighting.cause.isCurrent == false { noteLeft(sighting.place) }
    if case .hint(let kinds) = sighting.cause, kinds.contains(.created) { noteLeft(sighting.place) }
    if let occupant, displaced[occupant] == nil {
      var removed = false
      if case .hint(let kinds) = sighting.cause { removed = kinds.contains(.removed) }
      let overwritten = removed || sighting.cause != .scan && sighting.cause != .check
      displace(occupant, overwritten ? .gone : .unknown, leftByRename: false, now)
    }
    if entry.kind == .directory {
      observeNewDirectory(entry, over: occupant, sighting, now)
    } else {
      noteArrival(entry, sighting, now)
    }
  }

  /// Another name has come to a place that an entry left by a rename, and the other half of that has not come.
  ///
  /// It will not come: the kernel tells both halves while it holds the lock of the directory (vfs_rename), so that nothing else can
  /// have happened to the name in between. The entry left the tree.
  func hasLeft(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id] else { return false }
    return displacement.leftByRename && displacement.whereabouts == .unknown
  }

  mutating func noteLeft(_ place: Place) {
    guard let occupant = graph.node(at: place), hasLeft(occupant) else { return }
    setWhereabouts(of: occupant, .outside)
  }

  /// An inode that the graph has elsewhere is seen here: it was moved, or has a further name.
  private mutating func observeKnown(
    _ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    let names = graph.names(of: known)
    if let moved = names.first(where: { displaced[$0] != nil && displaced[$0]?.whereabouts != .gone }) {
      let trusted = sighting.cause != .scan && sighting.cause != .check
      return settleMove(moved, to: sighting.place, entry, atOldPlace: nil, isTrusted: trusted, now)
    }
    guard sighting.isVerified else {
      return requests.append(.verify(names, then: sighting.place, sighting.cause))
    }
    if let moved = names.first(where: { displaced[$0] != nil }) {
      return settleMove(moved, to: sighting.place, entry, atOldPlace: nil, isTrusted: false, now)
    }
    if entry.kind == .directory {
      requests.append(.reportLoop(sighting.place))
    } else {
      noteLink(known, entry, over: occupant, sighting, now)
    }
  }

  /// A further name of a known inode.
  ///
  /// One that looks like a backup waits: its document may be about to be saved.
  private mutating func noteLink(
    _ known: NodeID, _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    let isBackup = graph.names(of: known).contains { patterns.isBackup(sighting.place.name, of: graph.name($0)) }
    if occupant == nil && !isBackup {
      return link(known, at: sighting.place, entry)
    }
    if let occupant, displaced[occupant] == nil { displace(occupant, .gone, leftByRename: false, now) }
    var progress = Progress(entry, at: now, nextCheck: now + (isBackup ? timing.settle : 0))
    progress.isClosed = true
    progress.lastActivity = now + (isBackup ? timing.settle - timing.quiet : -timing.quiet)
    put(Arrival(entry: entry, progress: progress), at: sighting.place)
  }

  mutating func link(_ known: NodeID, at place: Place, _ entry: Entry) {
    let node = graph[known]
    let content = FileGraph.Content(
      uuid: node.uuid, key: entry.key, kind: entry.kind, modified: entry.modified, size: entry.size,
      flags: node.flags.intersection([.tagged, .arrived]))
    let id = graph.insert(content, named: place.name.span, in: place.parent)
    log.append(.linked, id, in: graph, original: nil)
  }
}
