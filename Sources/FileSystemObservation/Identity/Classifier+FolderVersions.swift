import FileIdentity
import LinuxFileSystem

// Which folder is the next version of another, and which item there is an item's.

extension Classifier {
  /// Whether a folder was made for another, so that it is the next version once it has its place.
  ///
  /// It is new, or a copy; an older one was beside the document under a name that is made from the document's.
  ///
  /// - Parameters:
  ///   - former: The folder's place before it took the document's.
  ///   - place: The document's place before it was set aside.
  func isVersion(_ id: NodeID, from former: Place, ofFolder document: NodeID, at place: Place) -> Bool {
    guard id != document, graph[id].kind == .directory, graph[document].kind == .directory, !isNew(document),
      !endedIdentities.contains(graph[id].uuid), own == nil,
      // What was made while nobody observed is not known to be new.
      !isResuming
    else { return false }
    if isNew(id) || copies.isCopy(id, of: graph[document].uuid) { return true }
    return graph[id].flags.contains(.mayBeVersion) && former.parent == place.parent
      && VersionName(of: place.name).isMade(former.name)
  }

  /// Whether an entry was announced a moment ago, or is not announced yet.
  func isNew(_ id: NodeID) -> Bool { unannounced[id] != nil || recentlyAnnounced[id] != nil }

  /// Notes that a directory has come to a place, if it was made for the folder that left the place a moment ago.
  ///
  /// - Parameter former: Its place before; the same for a new directory.
  mutating func noteVersion(_ id: NodeID, from former: Place, at place: Place) {
    guard let folder = recentDepartures[from: place]?.node, isVersion(id, from: former, ofFolder: folder, at: place)
    else { return }
    recentDepartures.noteVersion(id, at: place)
  }

  /// Whether a folder was removed, or has left for an unobserved place.
  func hasGoneForGood(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id], !coverage.has(.covered, id) else { return false }
    return unresolvedEntry.believedLocation == .gone || unresolvedEntry.believedLocation == .outside
  }

  /// Whether a folder that is about to take another's place was made for it.
  func isVersion(_ mover: NodeID, ofFolder folder: NodeID) -> Bool {
    isVersion(mover, from: graph.place(mover), ofFolder: folder, at: graph.place(folder))
  }

  /// The folder that was made for a removed one, and is at the place which that one left.
  func version(ofFolder id: NodeID) -> NodeID? {
    guard graph[id].kind == .directory, let former = recentDepartures.latestPlace(of: id),
      isLeftForASave(by: id, former), let version = recentDepartures[from: former]?.version, graph.isLive(version),
      graph.place(version) == former, unresolved[version] == nil
    else { return nil }
    return version
  }

  /// What has the name of an item in the next version of the item's folder, and was not there before.
  func namesake(of id: NodeID, in folder: Successor?) -> Successor? {
    guard case .entry(let folder) = folder, graph.isLive(folder), writing[unfinishedName(of: id)] == nil,
      !graph.hasOtherNames(id), unresolved[id] == nil || isRemoved(id)
    else { return nil }
    let place = Place(parent: folder, name: graph.name(id))
    if let arrival = arrivals[place] {
      let isNewInode = !arrival.activity.isKnownInode && graph.node(with: arrival.key) == nil
      return isNewInode && arrival.kind == graph[id].kind ? .arrival(place) : nil
    }
    guard let other = graph.node(at: place), graph[other].kind == graph[id].kind, unresolved[other] == nil,
      !graph[other].flags.isDisjoint(with: [.mayBeVersion, .copying]), !graph.hasOtherNames(other)
    else { return nil }
    return .entry(other)
  }
}
