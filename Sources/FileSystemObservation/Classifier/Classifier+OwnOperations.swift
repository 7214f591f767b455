import FileIdentity
import LinuxFileSystem

// Operations of this process: their effects are known at once, without a settle window.

extension Classifier {
  /// The place at a path; `nil` if the graph has no directory there, though the disk may have one.
  func place(along names: [FileName]) -> Place? {
    graph.place(along: names).flatMap { graph[$0.parent].kind == .directory ? $0 : nil }
  }

  /// The place of an operation, wherever its directory is by now.
  func place(_ place: OperationPlace) -> Place? {
    if let name = place.names.last, let id = place.directory.flatMap({ graph.node(with: $0) }),
      graph[id].kind == .directory
    {
      return Place(parent: id, name: name)
    }
    return self.place(along: place.names)
  }

  func entry(at place: OperationPlace) -> NodeID? { self.place(place).flatMap { graph.node(at: $0) } }

  /// Notes that the file at a place is complete.
  ///
  /// - Parameter mayBeOpen: Whether a file counts whose close was not seen.
  /// - Returns: Whether a file waits there to be finished.
  mutating func noteComplete(at place: Place, mayBeOpen: Bool) -> Bool {
    if let arrival = arrivals[place] {
      guard mayBeOpen || arrival.activity.isClosed else { return false }
      arrivals.update(at: place) { $0.isComplete = true }
      return true
    }
    guard let id = graph.node(at: place), unresolved[id] == nil, let activity = writing[id],
      mayBeOpen || activity.isClosed
    else { return false }
    writing[id]?.isComplete = true
    return true
  }

  /// The places of unannounced files with the tag of the entry at a place, sorted by name within each directory.
  func arrivals(bearingTagOfEntryAt place: Place) -> [Place] {
    guard let id = graph.node(at: place) else { return [] }
    return arrivals(bearing: graph[id].uuid)
  }

  /// The places of the other unannounced files with the tag of the one at a place, in the same order.
  func arrivals(bearingTagOfArrivalAt place: Place) -> [Place] {
    guard let tag = arrivals[place]?.entry?.tag.uuid else { return [] }
    return arrivals(bearing: tag).filter { $0 != place }
  }

  private func arrivals(bearing tag: UUIDBits) -> [Place] {
    unconfirmedTags.holders(of: tag)
      .compactMap { if case .arrival(let place) = $0 { place } else { nil } }.sorted()
  }

  /// The entry at a place that is complete, but not announced as complete.
  func completeEntry(at place: Place) -> NodeID? {
    graph.node(at: place).flatMap { writing[$0]?.isComplete == true ? $0 : nil }
  }

  /// False if the inode at a place is known not to be the one that the operation made.
  func isOwnInode(at place: Place) -> Bool {
    guard let key = own?.key else { return true }
    let present = arrivals[place]?.key ?? graph.node(at: place).map { graph.key($0) }
    return present == nil || present == .unseen || present == key
  }

  /// The inode that the operation makes or moves, if it is known.
  var keyOfOwnItem: FileKey? {
    guard let own else { return nil }
    let moved = own.isMovedByCopying ? nil : own.moved.flatMap { graph.isLive($0) ? graph.key($0) : nil }
    let key = own.key ?? moved
    return key == .unseen ? nil : key
  }

  /// The unresolved entry at a place; with `isGone`, only one whose name was removed or replaced.
  func missingEntry(at place: Place, thatIsGone isGone: Bool = false) -> NodeID? {
    guard let id = graph.node(at: place), let unresolvedEntry = unresolved[id] else { return nil }
    return !isGone || unresolvedEntry.believedLocation == .gone ? id : nil
  }

  /// The entry whose move to a place is held back.
  func entry(heldAt place: Place) -> NodeID? { unresolved.entry(at: place) }

  func isUndecided(at place: Place) -> Bool {
    if arrivals[place] != nil { return true }
    return graph.node(at: place).map { unresolved[$0] != nil || writing[$0] != nil } ?? false
  }

  /// The places below a directory where something is undecided.
  func undecidedPlaces(below directory: NodeID) -> [Place] {
    var directories = [directory]
    var places: [Place] = []
    graph.storage.forEachDescendant(of: directory) { id in
      if graph[id].kind == .directory { directories.append(id) }
      if unresolved[id] != nil || writing[id] != nil { places.append(graph.place(id)) }
    }
    return places + directories.flatMap { arrivals.places(in: $0) }
  }

  /// Replays a rename that no hint reports.
  mutating func replayRename(from source: Place, to destination: Place) {
    let occupant = take(from: source)
    placesToInspect.insert(destination, [])
    put(occupant, at: destination)
  }

  func isAtOrBelow(_ id: NodeID, _ item: NodeID) -> Bool {
    id == item || graph.isLive(id) && graph.storage.isEntry(id, inside: item)
  }

  func identities(below id: NodeID) -> Set<UUIDBits> {
    var identities: Set<UUIDBits> = [graph[id].uuid]
    graph.storage.forEachDescendant(of: id) { identities.insert(graph[$0].uuid) }
    return identities
  }
}
