import FileIdentity
import LinuxFileSystem

// Operations of this process: nothing need be waited for to know what has happened.

extension Classifier {
  /// The place at a path, if the graph has its directory: by now there may be one where the graph has a file.
  func place(along names: [FileName]) -> Place? {
    graph.place(along: names).flatMap { graph[$0.parent].kind == .directory ? $0 : nil }
  }

  /// The entry that the graph has at a path.
  func entry(along names: [FileName]) -> NodeID? { place(along: names).flatMap { graph.node(at: $0) } }

  /// Notes that what is at a place is complete.
  ///
  /// - Parameter mayBeOpen: Whether a file counts that nobody has been seen to close.
  /// - Returns: Whether something waits there to be finished.
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

  /// The entry at a place that is complete and waits to be announced as such.
  func completeEntry(at place: Place) -> NodeID? {
    graph.node(at: place).flatMap { writing[$0]?.isComplete == true ? $0 : nil }
  }

  /// Whether what is at a place is not known to be another inode than the one that the operation made.
  func isOwnInode(at place: Place) -> Bool {
    guard let key = own?.key else { return true }
    let present = arrivals[place]?.key ?? graph.node(at: place).map { graph.key($0) }
    return present == nil || present == .unseen || present == key
  }

  /// The entry that has left its place, and whose new place or end is not announced.
  ///
  /// - Parameter isGone: Whether only an entry counts whose name was removed or replaced.
  func missingEntry(at place: Place, thatIsGone isGone: Bool = false) -> NodeID? {
    guard let id = graph.node(at: place), let unresolvedEntry = unresolved[id] else { return nil }
    return !isGone || unresolvedEntry.believedLocation == .gone ? id : nil
  }

  /// Whether anything is undecided at a place.
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

  /// Follows a rename that no hint reports.
  mutating func replayRename(from source: Place, to destination: Place) {
    let occupant = take(from: source)
    placesToInspect.insert(destination, [])
    put(occupant, at: destination)
  }

  /// The identities of an entry and of everything below it.
  func identities(below id: NodeID) -> Set<UUIDBits> {
    var identities: Set<UUIDBits> = [graph[id].uuid]
    graph.storage.forEachDescendant(of: id) { identities.insert(graph[$0].uuid) }
    return identities
  }
}
