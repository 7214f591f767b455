import FileIdentity
import LinuxFileSystem

// What is believed to be at a place, and where an entry is believed to be, after the hints replayed so far.

extension Classifier {
  /// Whether anything is believed to be at a place.
  func isOccupied(_ place: Place) -> Bool { arrivals[place] != nil || believedEntry(at: place) != nil }

  /// Whether the inode that is believed to be at a place is known, and is not this one.
  func isOccupied(_ place: Place, byOtherThan inode: UInt64) -> Bool {
    guard let key = arrivals[place]?.key ?? believedEntry(at: place).map({ graph.key($0) }) else { return false }
    return key != .unseen && key.inode != inode
  }

  /// Whether a look agrees with what is believed to be at a place; an inode that nobody has seen may be any new one.
  func expects(_ entry: Entry?, at place: Place) -> Bool {
    guard let expected = expectedKey(at: place, isAbsent: entry == nil) else { return entry.map { isNew($0) } ?? true }
    guard let entry else { return false }
    return expected == .unseen ? isNew(entry) : expected == entry.key
  }

  /// Whether an entry is believed at a place whose inode nobody has seen, and was not waited for too long.
  ///
  /// In a directory that changes all the time, hints are always on their way.
  func hasUnseenVersion(at place: Place) -> Bool {
    guard arrivals[place] == nil, let id = believedEntry(at: place), graph.key(id).isUnseen else { return false }
    return writing[id].map { now - $0.firstSeen < timing.settle } ?? true
  }

  /// The inode that a look should find; `nil` if it should find none.
  private func expectedKey(at place: Place, isAbsent: Bool) -> FileKey? {
    if let arrival = arrivals[place] { return arrival.key }
    guard let id = believedEntry(at: place) else { return nil }
    return isAbsent && isMissing(id) ? nil : graph.key(id)
  }

  /// Whether a look after hints may count although nothing orders the two: at worst another look corrects it.
  ///
  /// A program that replaces a file all the time would be waited for without end.
  func mayCountAtOnce(_ entry: Entry?, at place: Place) -> Bool {
    guard let entry else { return true }
    return arrivals[place] != nil && isNew(entry)
  }

  private func isNew(_ entry: Entry) -> Bool { graph.node(with: entry.key) == nil }

  /// The entry that is believed to be at a place.
  func believedEntry(at place: Place) -> NodeID? { unresolved.entry(at: place) ?? presentEntry(at: place) }

  /// The same, if the place is its announced one.
  func presentEntry(at place: Place) -> NodeID? {
    guard arrivals[place] == nil, let id = graph.node(at: place), isPresent(id) else { return nil }
    return id
  }

  /// Whether an arrival can be announced at a place: a move that made room may have taken the directory along.
  func isFree(_ place: Place) -> Bool { graph.isLive(place.parent) && graph.node(at: place) == nil }
}

// MARK: - Where an entry is

extension Classifier {
  /// Whether an entry is believed to have its name.
  ///
  /// A look that missed it is not believed alone: the next hint may explain the look.
  func isPresent(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id] else { return true }
    return unresolvedEntry.believedLocation == .unknown && !unresolvedEntry.leftByRename
  }

  /// Whether an entry is missing, and its location is unknown.
  func isMissing(_ id: NodeID) -> Bool { unresolved[id]?.believedLocation == .unknown }

  /// Whether an entry left by a rename whose second half has not come.
  func hasLeft(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id] else { return false }
    return unresolvedEntry.leftByRename && unresolvedEntry.believedLocation == .unknown
  }

  /// Where an unresolved entry is believed to be; `nil` if that is unknown or unobserved, or it is gone.
  func believedPlace(of id: NodeID) -> Place? { unresolved[id]?.believedPlace }

  func isElsewhere(_ id: NodeID) -> Bool { believedPlace(of: id).map { $0 != graph.place(id) } ?? false }

  /// The announced place of an entry, and the believed one if it differs.
  func places(of id: NodeID) -> (Place?, elsewhere: Place?) {
    graph.isLive(id) ? (graph.place(id), believedPlace(of: id)) : (nil, nil)
  }

  /// Whether an operation of this process removes an item itself, or puts another in its place.
  func isOwnRemoval(of id: NodeID) -> Bool { own?.leaving.contains(graph[id].uuid) == true }

  /// Whether an entry has been missing for so long that other decisions no longer wait for it.
  func isLongMissing(_ id: NodeID) -> Bool {
    unresolved[id].map { now - $0.since >= 3 * timing.settle } ?? false
  }

  /// The inode of an entry that may be in a trash folder.
  func missingInode(of id: NodeID, _ unresolvedEntry: UnresolvedEntry) -> FileKey? {
    unresolvedEntry.leftByRename || unresolvedEntry.believedLocation == .unknown ? graph.key(id) : nil
  }
}

// MARK: - Folders that are missing

extension Classifier {
  /// Whether an entry was removed, and neither renamed nor hidden by a mount.
  func isRemoved(_ id: NodeID) -> Bool { unresolved[id]?.isGone == true && !coverage.has(.covered, id) }

  /// The nearest missing ancestor of an entry, if it was removed.
  func removedFolder(of id: NodeID) -> NodeID? {
    let folder = graph.nearest(from: graph[id].parent) { unresolved[$0] != nil }
    return folder.flatMap { isRemoved($0) ? $0 : nil }
  }

  /// Whether an entry is decided together with a missing folder above it.
  func isInRemovedFolder(_ id: NodeID) -> Bool { !unresolved.isEmpty && removedFolder(of: id) != nil }

  /// Whether a folder above an entry is missing, or cannot be listed.
  func isBelowGap(_ id: NodeID) -> Bool {
    graph.nearest(from: graph[id].parent) { unresolved[$0] != nil || coverage.has(.unlistable, $0) } != nil
  }

  /// Whether the place of an entry cannot be looked at now.
  func isOutOfReach(_ id: NodeID) -> Bool {
    coverage.has(.unlistable, graph[id].parent)
  }
}
