import FileEvents
import FileIdentity
import LinuxFileSystem

// Inodes that are seen where the graph has none, or another.

extension Classifier {
  /// An inode is at a place where the graph has none, or another.
  mutating func observeNewcomer(
    _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    var occupant = occupant
    if occupant == nil, let holder = held[sighting.place], !isInode(entry, of: holder) {
      // What was renamed here has been replaced here: it is its next version that is seen.
      tellRename(ofHeldAt: sighting.place, now)
      occupant = graph.node(at: sighting.place)
    }
    if let occupant, displaced[occupant] == nil {
      // Where its inode has not been seen, what took the document's place was no save of it.
      displace(occupant, graph.key(occupant) == .unseen ? .gone : .unknown, leftByRename: false, now)
      lookWhereItWas(occupant)
    }
    if let holder = held[sighting.place], isInode(entry, of: holder) { return dropArrival(at: sighting.place, now) }
    if let known = graph.node(with: entry.key) {
      return observeKnown(known, entry, over: occupant, sighting, now)
    }
    if entry.kind == .directory {
      observeNewDirectory(entry, over: occupant, sighting, now)
    } else {
      noteArrival(entry, sighting, now)
    }
  }

  /// Whether this is the inode of an entry that is held somewhere, which may be looked at for the first time.
  private mutating func isInode(_ entry: Entry, of holder: NodeID) -> Bool {
    if graph.key(holder) == .unseen, graph[holder].kind == entry.kind, graph.node(with: entry.key) == nil {
      graph.setIdentity(holder, uuid: graph[holder].uuid, key: entry.key)
    }
    return graph.key(holder) == entry.key
  }

  /// A file or link that the graph does not know.
  private mutating func noteArrival(_ entry: Entry, _ sighting: Sighting, _ now: MonotonicTime) {
    if let known = arrivals[sighting.place], known.key == .unseen || known.key == entry.key {
      updateArrival(entry, sighting, now)
    } else {
      // If it is not what was renamed to here, that may be where it was.
      if let previous = arrivals[sighting.place]?.previous { touched.insert(previous, []) }
      put(Arrival(entry, progress(of: entry, sighting, now)), at: sighting.place)
    }
    adoptNewcomer(at: sighting.place, now)
  }

  func progress(of entry: Entry, _ sighting: Sighting, _ now: MonotonicTime) -> Progress {
    let cause = sighting.cause
    var progress = Progress(entry, at: now, nextCheck: now + timing.quiet)
    progress.isClosed = entry.kind == .symlink
    if case .hint(let kinds) = cause {
      progress.isClosed = progress.isClosed || kinds.contains(.closed)
      progress.isWritten = kinds.contains(.written)
    }
    if isFoundLate(sighting.place, cause, now) { progress.recovery = coverage.recovery }
    if cause == .scan || cause == .check, !entry.isRecent {
      progress.lastActivity = now + -timing.partialPatience
      progress.nextCheck = now
    }
    progress.isRevealed = isRevealing && cause == .scan
    return progress
  }

  private mutating func updateArrival(_ entry: Entry, _ sighting: Sighting, _ now: MonotonicTime) {
    guard var arrival = takeArrival(at: sighting.place) else { return }
    if case .hint(let kinds) = sighting.cause, !kinds.isDisjoint(with: [.written, .closed]) {
      arrival.progress.noteActivity(kinds, now, quiet: timing.quiet)
      arrival.progress.nextCheck = now + timing.quiet
    }
    if entry.kind == .symlink { arrival.progress.isClosed = true }
    noteProgress(&arrival.progress, entry, now)
    arrival.entry = entry
    arrival.key = entry.key
    arrival.kind = entry.kind
    put(arrival, at: sighting.place)
  }
}
