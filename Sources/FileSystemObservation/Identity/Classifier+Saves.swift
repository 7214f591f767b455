import FileIdentity
import LinuxFileSystem

// Saves by replacement: the identity passes from the old inode to the new one.

extension Classifier {
  /// Continues the entry of a place in the arrival there, if that may be its next version.
  mutating func continueIdentity(at place: Place) {
    if let occupant = graph.node(at: place) { continueIdentity(of: occupant) }
  }

  /// Continues an entry in the arrival at its place, once the fate of the old inode is known: the document is being
  /// saved.
  ///
  /// From now on a rename or removal of the arrival is one of the document. Whether it is a save or a document of its
  /// own is decided when it is complete.
  mutating func continueIdentity(of id: NodeID) {
    guard let unresolvedEntry = unresolved[id], unresolvedEntry.isDecided, !isPlainRename(id) else { return }
    let place = graph.place(id)
    if let arrival = arrivals[place], canContinue(id, with: arrival) {
      // One of several names may have been removed and linked again: only a look shows that.
      if arrival.entry == nil, mayBeLinkedAgain(id, arrival.activity) { return waitForOtherNames(id) }
      if mayBeAnotherThatLeft(arrival, than: id) { return }
      return continueIdentity(of: id, with: arrival)
    }
    if graph[id].kind == .directory { return continueInVersion(id) }
    guard unresolvedEntry.believedLocation == .gone, !isOwnRemoval(of: id),
      let former = recentDepartures.latestPlace(of: id), isLeftForASave(by: id, former),
      let arrival = arrivals[former], canContinue(id, with: arrival)
    else { return }
    // The document was renamed, and removed there, while a new file got its former name.
    recentDepartures.forget(from: former)
    takeArrival(at: former)
    commitMove(id, to: former)
    put(arrival, at: former)
    if graph.node(at: former) == id { continueIdentity(of: id, with: arrival) }
  }

  /// Passes the identity from the old inode to the new one.
  mutating func continueIdentity(of id: NodeID, with arrival: Arrival) {
    log.record(.continued, id, in: graph, by: .savedByReplacement)
    let former = graph.key(id)
    let isFormerClosed = writing[id]?.isClosed ?? true
    coverage.noteSaved(id, now)
    let putAside = believedPlace(of: id)
    let left = unresolved[id].flatMap { $0.believedLocation == .outside && !$0.isExchange ? $0.since : nil }
    takeArrival(at: graph.place(id))
    markResolved(id)
    // A copy that was announced under any of its names is announced as finished under this one.
    let isCopying = graph.names(of: id).contains { graph[$0].flags.contains(.copying) }
    if isCopying { graph.setFlags(id, .copying, true) }
    releaseOtherNames(of: id)
    graph.setInode(id, arrival.key)
    graph.setFlags(id, .tagged, arrival.entry?.tag.uuid == graph[id].uuid)
    var activity = arrival.activity
    activity.isSave = true
    activity.mayBeCarried = arrival.previous == nil && !activity.wasMerged
    activity.former = writing[id]?.former ?? former
    activity.formerLeft = writing[id]?.formerLeft ?? left
    if !isCopying { continueWriting(of: id, &activity) }
    beginWriting(id, activity)
    unconfirmedTags.set(arrival.entry?.tag.uuid, of: id)
    if arrival.entry == nil { placesToInspect.insert(graph.place(id), []) }
    if let putAside { releaseOldInode(former, graph[id].kind, isClosed: isFormerClosed, at: putAside) }
  }

  /// Makes an arrival of the old inode of a saved document.
  ///
  /// It may be a backup for the save only, and be removed in a moment.
  ///
  /// - Parameter isClosed: Whether the inode had no writer.
  mutating func releaseOldInode(_ key: FileKey, _ kind: FileKind, isClosed: Bool, at place: Place) {
    var arrival = Arrival(unseen: key, kind, at: now, nextCheck: now + timing.quiet)
    arrival.activity.isClosed = isClosed
    arrival.activity.isKnownInode = true
    put(arrival, at: place)
    placesToInspect.insert(place, [])
  }

  /// Makes files of the old inode's other names: the identity stays with the name of the document, not with a backup.
  private mutating func releaseOtherNames(of id: NodeID) {
    for other in graph.names(of: id) where other != id {
      let place = unresolved[other] == nil ? graph.place(other) : believedPlace(of: other)
      let key = graph.key(other)
      removeName(other)
      if let place { releaseOldInode(key, graph[id].kind, isClosed: writing[id]?.isClosed ?? true, at: place) }
    }
  }
}
