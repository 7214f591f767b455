import FileIdentity
import LinuxFileSystem

// What stands at a place, and where an entry is, as far as hints and looks have told.

extension Classifier {
  /// Whether anything is at a place as far as the hints have told.
  func isOccupied(_ place: Place) -> Bool {
    if arrivals[place] != nil || held[place] != nil { return true }
    return graph.node(at: place).map { isPresent($0) } ?? false
  }

  /// Whether a file was found at a place, and no hint tells of anything else there.
  func isFile(at place: Place) -> Bool {
    if let arrival = arrivals[place] { return arrival.kind == .file && arrival.key != .unseen }
    guard held[place] == nil, let id = graph.node(at: place) else { return false }
    return displaced[id] == nil && graph[id].kind == .file
  }

  /// Whether what is at a place, as far as the hints have told, is known to be another inode than this.
  func isOccupied(_ place: Place, byOtherThan inode: UInt64) -> Bool {
    var key = FileKey.unseen
    if let arrival = arrivals[place] {
      key = arrival.key
    } else if let id = held[place] ?? graph.node(at: place), held[place] != nil || isPresent(id) {
      key = graph.key(id)
    }
    return key != .unseen && key.inode != inode
  }

  /// Whether this is what should be at a place as far as the hints have told.
  func expects(_ entry: Entry?, at place: Place) -> Bool {
    if let arrival = arrivals[place] { return arrival.key == entry?.key }
    if let holder = held[place] { return graph.key(holder) == entry?.key }
    guard let occupant = graph.node(at: place), isPresent(occupant) else { return entry == nil }
    if entry == nil, displaced[occupant] != nil { return true }
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
    guard let displacement = displaced[id] else { return true }
    return displacement.whereabouts == .unknown && !displacement.leftByRename
  }

  /// Whether an entry is not where it was, and nothing else is known of it.
  func isMissing(_ id: NodeID) -> Bool { displaced[id]?.whereabouts == .unknown }

  /// Whether an entry left by a rename whose other half has not come.
  func hasLeft(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id] else { return false }
    return displacement.leftByRename && displacement.whereabouts == .unknown
  }

  func isElsewhere(_ id: NodeID) -> Bool {
    if case .at(let place) = displaced[id]?.whereabouts { return place != graph.place(id) }
    return false
  }

  /// Where the graph has an entry, and where its inode was put meanwhile.
  func places(of id: NodeID) -> (Place?, elsewhere: Place?) {
    guard graph.isLive(id) else { return (nil, nil) }
    if case .at(let elsewhere) = displaced[id]?.whereabouts { return (graph.place(id), elsewhere) }
    return (graph.place(id), nil)
  }

  /// Whether an entry has been missing for so long that whatever it waits for will not turn up.
  func isLongMissing(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    displaced[id].map { now - $0.since >= 3 * timing.settle } ?? false
  }

  /// The inode of an entry, if that may be in a trash folder.
  func missingInode(of id: NodeID, _ displacement: Displacement) -> FileKey? {
    displacement.leftByRename || displacement.whereabouts == .unknown ? graph.key(id) : nil
  }
}

// MARK: - Folders that are missing

extension Classifier {
  /// Whether an entry is missing, and neither left by a rename nor is out of sight.
  func isRemoved(_ id: NodeID) -> Bool {
    guard let displacement = displaced[id], !coverage.has(.covered, id) else { return false }
    return switch displacement.whereabouts {
    case .gone: true
    case .unknown: !displacement.leftByRename
    case .at, .outside: false
    }
  }

  /// The nearest of the folders that an entry is in that is missing, where it was removed.
  func removedFolder(of id: NodeID) -> NodeID? {
    var folder = graph[id].parent
    while folder != .root {
      if displaced[folder] != nil { return isRemoved(folder) ? folder : nil }
      folder = graph[folder].parent
    }
    return nil
  }

  /// Whether it will be decided about an item with a folder that it is in.
  func isInRemovedFolder(_ id: NodeID) -> Bool { !displaced.isEmpty && removedFolder(of: id) != nil }

  /// Whether a directory is missing, or not to be reached, that an entry was in.
  func isAstray(_ id: NodeID) -> Bool {
    var current = graph[id].parent
    while current != .root {
      if displaced[current] != nil || coverage.has(.unlistable, current) { return true }
      current = graph[current].parent
    }
    return false
  }

  /// Whether nobody can look where an entry was, for the moment.
  func isOutOfReach(_ id: NodeID) -> Bool {
    coverage.has(.unlistable, graph[id].parent)
  }
}
