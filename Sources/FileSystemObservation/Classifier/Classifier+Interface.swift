import FileEvents
import FileIdentity
import LinuxFileSystem

// What the engine asks and says besides hints, looks and time. It reads the graph, notes in the coverage what it could not
// see, and names no other state.

extension Classifier {
  /// Takes the requests since the last call.
  mutating func takeRequests() -> [Request] {
    if requests.isEmpty { settleFoundMoves() }
    guard !requests.isEmpty else { return [] }
    defer { requests = [] }
    return requests
  }

  /// Adds requests of the engine itself, before those that wait.
  mutating func request(_ others: [Request]) { requests = others + requests }

  /// Whether hints alone have meant a change.
  var hasNews: Bool { !log.isEmpty }

  var hasPlacesToInspect: Bool { !placesToInspect.isEmpty }

  /// A place is looked at before the step ends.
  mutating func inspect(_ place: Place, _ kinds: HintKinds) { placesToInspect.insert(place, kinds) }

  /// How long the second half of an exchange may come after the first, in nanoseconds.
  var exchangeDelay: Int64 { timing.exchangeDelay }

  /// The new directories of the step.
  var newDirectories: [NodeID] {
    log.notes.filter { $0.itemKind == .directory && graph.isLive($0.node) }.map(\.node)
  }
}

// MARK: - Single places and entries

extension Classifier {
  func isUnresolved(_ id: NodeID) -> Bool { unresolved[id] != nil }

  /// An entry's place, inode and UUID; `nil` if it has ended or is unresolved.
  func resolvedEntry(_ id: NodeID) -> (place: Place, key: FileKey, uuid: UUIDBits)? {
    guard graph.isLive(id), !isUnresolved(id) else { return nil }
    return (graph.place(id), graph.key(id), graph[id].uuid)
  }

  /// Whether the graph has an entry, and it is a directory.
  func isDirectory(_ id: NodeID) -> Bool { graph.isLive(id) && graph[id].kind == .directory }

  /// Whether a directory, or one above it, has left its place: then its contents are unknown.
  func hasLeftWithFolder(_ directory: NodeID) -> Bool {
    !unresolved.isEmpty && graph.nearest(from: directory) { !isPresent($0) } != nil
  }

  /// The inode of a copy that has no tag of its own; `nil` of any other item.
  func keyOfUntaggedCopy(_ id: NodeID) -> FileKey? {
    guard graph.isLive(id), graph[id].flags.contains(.knownCopy), !graph[id].flags.contains(.tagged) else {
      return nil
    }
    return graph.key(id)
  }

  /// The documents in whose place a new file is that has no tag, and may not be complete; in no order.
  var untaggedSaves: [NodeID] {
    writing.saves.filter { graph.isLive($0) && !isUnresolved($0) && !graph[$0].flags.contains(.tagged) }
  }

  /// Since when an entry is missing, and whether its inode was found somewhere ahead of the hints.
  func missingSince(_ id: NodeID) -> (MonotonicTime?, isFound: Bool) {
    (unresolved[id]?.since, aheadOfLog.has(graph.key(id)))
  }

  /// A missing entry still exists: it left by a rename.
  mutating func noteLeftByRename(_ id: NodeID) { unresolved[id]?.leftByRename = true }

  /// Whether the second half of a rename may still come.
  func awaitsSecondHalf(_ cookie: UInt32) -> Bool { pendingRenames[cookie] != nil }

  /// Whether a look at a place says for certain what is there.
  func isCertain(_ place: Place) -> Bool { !aheadOfLog.contains(place) && !coverage.unprobed.contains(place) }

  /// Whether an inode was found at a place before the hint that will explain it.
  func isAheadOfLog(at place: Place) -> Bool { aheadOfLog.hasInode(at: place) }

  /// Whether this was found at a place before, and no hint of the directory has come since.
  func isConfirmed(_ key: FileKey?, at place: Place) -> Bool { aheadOfLog.isConfirmed(key, at: place) }

  /// What was found at a place ahead of the hints counts no longer.
  mutating func forgetFind(at place: Place) { aheadOfLog.remove(place) }

  /// What an unannounced inode looks like.
  func unannouncedEntry(at place: Place) -> Entry? { arrivals[place]?.entry }
}

// MARK: - Hints whose order is unknown

extension Classifier {
  /// With more places than this, the whole tree is in doubt.
  private static let mostUnorderedPlaces = 65_536

  var hasUnorderedPlaces: Bool { !unorderedPlaces.isEmpty }

  /// Whether hints may be in doubt, or have been and count still.
  var hasDoubts: Bool { hasUnorderedPlaces || !reportedPlaces.isEmpty }

  /// Whether hints of a place only say where to look.
  func isUnordered(_ place: Place) -> Bool { unorderedPlaces.contains(place) }

  /// Notes that the hints of places only say where to look, if that is new, or true of one of them.
  ///
  /// - Returns: Whether it is so.
  mutating func noteUnordered(_ places: [Place], isNew: Bool) -> Bool {
    guard isNew || places.contains(where: unorderedPlaces.contains) else { return false }
    if unorderedPlaces.count > Self.mostUnorderedPlaces {
      unorderedPlaces = PlaceSet()
      coverage.doubtEverything()
    }
    // A hint may have been on its way when its directory ended.
    for place in places where graph.isLive(place.parent) { unorderedPlaces.insert(place) }
    return true
  }

  /// Begins to compare the whole tree with the disk.
  mutating func beginRescan(hasLostEvents: Bool) {
    if hasLostEvents { period.hasSeenAllSince = now }
    coverage.end(.needsListing)
    coverage.set(.needsListing, of: .root)
    coverage.beginRecovery(now)
  }

  /// Whether everything in doubt has been looked at, and nothing has happened since.
  var canEndRescan: Bool {
    (coverage.isRescanning || !unorderedPlaces.isEmpty) && aheadOfLog.isEmpty && placesToInspect.isEmpty
  }

  /// The graph agrees with the disk again.
  mutating func endRescan() {
    coverage.endRecovery()
    unorderedPlaces = PlaceSet()
    reportedPlaces.forget { unresolved[$0] == nil }
  }
}

// MARK: - What listeners and operations ask for

extension Classifier {
  /// Whether a listener asks for activity.
  var notesActivity: Bool {
    get { news.notesActivity }
    set { news.notesActivity = newValue }
  }

  /// Takes the entries whose times or tags have changed without a change of their own.
  mutating func takeChangedProperties() -> Set<NodeID> { news.takeChangedProperties() }

  /// Says whether what is found was there all the time, and is observed from now on.
  mutating func setRevealing(_ isRevealing: Bool) { self.isRevealing = isRevealing }

  /// The root has another inode.
  mutating func setRoot(_ key: FileKey) { graph.setInode(.root, key) }

  /// What was found by itself has been announced: the next change set begins.
  mutating func beginChangeSet() {
    graph.beginChangeSet()
    news.changedTags = []
  }

  /// Stores the size and time of a file that is being copied.
  ///
  /// - Returns: Whether they have changed.
  mutating func setGrowth(of id: NodeID, modified: Int64, size: Int64) -> Bool {
    guard graph.content(of: id) != (modified, size) else { return false }
    graph.setContent(id, modified: modified, size: size)
    return true
  }

  /// An operation of this process begins to make changes.
  mutating func beginOperation(_ changes: OwnChanges) { own = changes }

  mutating func noteCommitted(_ item: CommittedItem) { own?.note(item) }

  /// The operation has made what is at a place.
  mutating func noteArrival(at destination: Place?) { own?.arrived = destination.flatMap(graph.node(at:)) }

  mutating func endOperation() { own = nil }
}
