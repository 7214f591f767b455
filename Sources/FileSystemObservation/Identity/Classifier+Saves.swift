import FileIdentity
import LinuxFileSystem

// Documents that are saved by replacement: the identity goes from the old inode to the new one.

extension Classifier {
  /// A newcomer stands at a place: perhaps it is the document that stood there.
  mutating func continueIdentity(at place: Place) {
    if let occupant = graph.node(at: place) { continueIdentity(as: occupant) }
  }

  /// A newcomer stands in an entry's place, and it is known what became of the old inode: the document is being saved.
  ///
  /// From now on the newcomer is the document: when it is renamed or removed, the document is. What it is in the end, a
  /// save or a document of its own, is decided when it is complete.
  mutating func continueIdentity(as id: NodeID) {
    guard let unresolvedEntry = unresolved[id], unresolvedEntry.isDecided, !isPlainRename(id) else { return }
    let place = graph.place(id)
    if let arrival = arrivals[place], canAdopt(arrival, as: id) {
      // One of several names may have been removed and linked again: that is seen only when it is looked at.
      if arrival.entry == nil, mayBeLinkedAgain(id, arrival.activity) { return waitForOtherNames(id) }
      return adopt(arrival, as: id)
    }
    guard unresolvedEntry.believedLocation == .gone, own?.leaving.contains(graph[id].uuid) != true,
      let former = recentDepartures.latestPlace(of: id), isLeftForASave(by: id, former),
      let arrival = arrivals[former], canAdopt(arrival, as: id)
    else { return }
    // Renamed to some name and removed there, while a new file came to stand at the name it had.
    recentDepartures.forget(from: former)
    takeArrival(at: former)
    commitMove(id, to: former)
    put(arrival, at: former)
    if graph.isLive(id), graph.place(id) == former { adopt(arrival, as: id) }
  }

  /// The identity goes from the old inode to the new one.
  mutating func adopt(_ arrival: Arrival, as id: NodeID) {
    log.record(.continued, id, in: graph, by: .savedByReplacement)
    let former = graph.key(id)
    let isFormerClosed = writing[id]?.isClosed ?? true
    coverage.noteSaved(id, now)
    var putAside: Place?
    if case .at(let elsewhere) = unresolved[id]?.believedLocation { putAside = elsewhere }
    let left = unresolved[id].flatMap { $0.believedLocation == .outside && !$0.isExchange ? $0.since : nil }
    takeArrival(at: graph.place(id))
    markResolved(id)
    // What was announced as copying under any of its names is told to be finished under this one.
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
    noteUnconfirmedTag(id, arrival.entry?.tag ?? .none)
    if arrival.entry == nil { placesToInspect.insert(graph.place(id), []) }
    if let putAside { releaseOldInode(former, graph[id].kind, isClosed: isFormerClosed, at: putAside) }
  }

  /// The old inode of a document that was saved is at another name.
  ///
  /// It may be removed in a moment, as backups are that were made for the save only.
  ///
  /// - Parameter isClosed: Whether nobody was writing to it.
  mutating func releaseOldInode(_ key: FileKey, _ kind: FileKind, isClosed: Bool, at place: Place) {
    var arrival = Arrival(unseen: key, kind, at: now, nextCheck: now + timing.quiet)
    arrival.activity.isClosed = isClosed
    arrival.activity.isKnownInode = true
    put(arrival, at: place)
    placesToInspect.insert(place, [])
  }

  /// Between a name and its backup the identity belongs to the name: other names of the old inode become files of their
  /// own.
  private mutating func releaseOtherNames(of id: NodeID) {
    for other in graph.names(of: id) where other != id {
      var place: Place? = graph.place(other)
      if let unresolvedEntry = unresolved[other] {
        if case .at(let elsewhere) = unresolvedEntry.believedLocation { place = elsewhere } else { place = nil }
      }
      let key = graph.key(other)
      removeName(other)
      if let place { releaseOldInode(key, graph[id].kind, isClosed: writing[id]?.isClosed ?? true, at: place) }
    }
  }
}
