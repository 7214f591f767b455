import FileIdentity
import LinuxFileSystem

// What stands at a place, and where an entry is, as far as hints and looks have told.

extension Classifier {
  /// Whether anything is at a place as far as the hints have told.
  func isOccupied(_ place: Place) -> Bool {
    if arrivals[place] != nil || unresolved.entry(at: place) != nil { return true }
    return graph.node(at: place).map { isPresent($0) } ?? false
  }

  /// Whether a file was found at a place, and no hint tells of anything else there.
  func isFile(at place: Place) -> Bool {
    if let arrival = arrivals[place] { return arrival.kind == .file && arrival.key != .unseen }
    guard unresolved.entry(at: place) == nil, let id = graph.node(at: place) else { return false }
    return unresolved[id] == nil && graph[id].kind == .file
  }

  /// Whether what is at a place, as far as the hints have told, is known to be another inode than this.
  func isOccupied(_ place: Place, byOtherThan inode: UInt64) -> Bool {
    var key = FileKey.unseen
    if let arrival = arrivals[place] {
      key = arrival.key
    } else if let id = unresolved.entry(at: place) ?? graph.node(at: place),
      unresolved.entry(at: place) != nil || isPresent(id)
    {
      key = graph.key(id)
    }
    return key != .unseen && key.inode != inode
  }

  /// Whether this is what should be at a place as far as the hints have told.
  func expects(_ entry: Entry?, at place: Place) -> Bool {
    if let arrival = arrivals[place] { return arrival.key == entry?.key }
    if let holder = unresolved.entry(at: place) { return graph.key(holder) == entry?.key }
    guard let occupant = graph.node(at: place), isPresent(occupant) else { return entry == nil }
    if entry == nil, unresolved[occupant] != nil { return true }
    return graph.key(occupant) == entry?.key
  }

  func presentEntry(at place: Place) -> NodeID? {
    guard arrivals[place] == nil, let id = graph.node(at: place), isPresent(id) else { return nil }
    return id
  }

  /// Whether a newcomer can be told to be at a place: what made room for it may have taken its directory along.
  func isFree(_ place: Place) -> Bool { graph.isLive(place.parent) && graph.node(at: place) == nil }
}

// MARK: - Where an entry is

extension Classifier {
  /// Whether an entry has its name as far as the hints have told.
  ///
  /// That it was not found there may be what the next hint tells.
  func isPresent(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id] else { return true }
    return unresolvedEntry.believedLocation == .unknown && !unresolvedEntry.leftByRename
  }

  /// Whether an entry is not where it was, and nothing else is known of it.
  func isMissing(_ id: NodeID) -> Bool { unresolved[id]?.believedLocation == .unknown }

  /// Whether an entry left by a rename whose other half has not come.
  func hasLeft(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id] else { return false }
    return unresolvedEntry.leftByRename && unresolvedEntry.believedLocation == .unknown
  }

  func isElsewhere(_ id: NodeID) -> Bool {
    if case .at(let place) = unresolved[id]?.believedLocation { return place != graph.place(id) }
    return false
  }

  /// Where the graph has an entry, and where its inode was put meanwhile.
  func places(of id: NodeID) -> (Place?, elsewhere: Place?) {
    guard graph.isLive(id) else { return (nil, nil) }
    if case .at(let elsewhere) = unresolved[id]?.believedLocation { return (graph.place(id), elsewhere) }
    return (graph.place(id), nil)
  }

  /// Whether an entry has been missing for so long that whatever it waits for will not turn up.
  func isLongMissing(_ id: NodeID) -> Bool {
    unresolved[id].map { now - $0.since >= 3 * timing.settle } ?? false
  }

  /// The inode of an entry, if that may be in a trash folder.
  func missingInode(of id: NodeID, _ unresolvedEntry: UnresolvedEntry) -> FileKey? {
    unresolvedEntry.leftByRename || unresolvedEntry.believedLocation == .unknown ? graph.key(id) : nil
  }
}

// MARK: - Folders that are missing

extension Classifier {
  /// Whether an entry is missing, and neither left by a rename nor is out of sight.
  func isRemoved(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id], !coverage.has(.covered, id) else { return false }
    return switch unresolvedEntry.believedLocation {
    case .gone: true
    case .unknown: !unresolvedEntry.leftByRename
    case .at, .outside: false
    }
  }

  /// The nearest of the folders that an entry is in that is missing, where it was removed.
  func removedFolder(of id: NodeID) -> NodeID? {
    var folder = graph[id].parent
    while folder != .root {
      if unresolved[folder] != nil { return isRemoved(folder) ? folder : nil }
      folder = graph[folder].parent
    }
    return nil
  }

  /// Whether it will be decided about an item with a folder that it is in.
  func isInRemovedFolder(_ id: NodeID) -> Bool { !unresolved.isEmpty && removedFolder(of: id) != nil }

  /// Whether a directory is missing, or not to be reached, that an entry was in.
  func isAstray(_ id: NodeID) -> Bool {
    var current = graph[id].parent
    while current != .root {
      if unresolved[current] != nil || coverage.has(.unlistable, current) { return true }
      current = graph[current].parent
    }
    return false
  }

  /// Whether nobody can look where an entry was, for the moment.
  func isOutOfReach(_ id: NodeID) -> Bool {
    coverage.has(.unlistable, graph[id].parent)
  }
}
