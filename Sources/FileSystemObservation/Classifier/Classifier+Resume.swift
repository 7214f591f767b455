import FileIdentity
import LinuxFileSystem

// Going on from the tree of an earlier run.

extension Classifier {
  /// Observation begins with a tree that was announced before: nobody knows yet what has happened since.
  mutating func resume(onWallClock wallClock: Int64) {
    isResuming = true
    period = ObservationPeriod(began: now, beganOnWallClock: wallClock, hasSeenAllSince: now)
    graph.beginChangeSet()
    coverage.set(.needsListing, of: .root)
    coverage.beginRecovery(now)
    if graph.hasCopying { resumeWriting() }
  }

  /// Takes in items that had ended before the earlier run did, the oldest first: some may come back.
  mutating func remember(_ ended: [EndedItem]) {
    for item in ended { endedIdentities.insert(item) }
  }

  /// The items that have ended, for the next run.
  var endedItems: [EndedItem] { endedIdentities.all }

  /// The directories that are on another file system than the one above them.
  var mountPoints: [(id: NodeID, place: Place, key: FileKey)] {
    graph.storage.mountPoints.map { ($0, graph.place($0), graph.key($0)) }
  }

  /// The directories that are known at some paths.
  func directories(along paths: some Sequence<[FileName]>) -> [(id: NodeID, place: Place, key: FileKey)] {
    paths.compactMap { names in
      place(along: names).flatMap { graph.node(at: $0) }.map { ($0, graph.place($0), graph.key($0)) }
    }
  }

  /// What has happened since the tree was stored is announced.
  mutating func endResuming() {
    isResuming = false
    formerFolders = [:]
  }

  /// Files that were announced as copying may be complete by now.
  private mutating func resumeWriting() {
    for id in graph.storage.liveIDs where graph[id].flags.contains(.copying) {
      let content = graph.content(of: id)
      let activity = WriteActivity(
        now: now, size: content.size, modified: content.modified, nextCheck: now + timing.quiet)
      beginWriting(id, activity)
    }
  }

  /// The entry that something listed is, with nothing to be told or decided; `nil` if there may be.
  ///
  /// To observe it would change nothing.
  func unchanged(
    _ scanned: ScannedEntry, _ name: Span<UInt8>, in directory: NodeID, mayBeUntagged: Bool
  ) -> NodeID? {
    let entry = scanned.entry
    guard coverage.unprobed.isEmpty, entry.linkCount < 2, let id = graph.node(named: name, in: directory) else {
      return nil
    }
    let node = graph[id]
    let inDoubt: NodeFlags = [.copying, .unresolved, .written, .tagUnread]
    guard node.flags.isDisjoint(with: inDoubt), node.kind == entry.kind, node.inode == entry.key.inode,
      graph.key(id) == entry.key, !graph.hasOtherNames(id)
    else { return nil }
    if entry.kind != .directory, node.modified != entry.modified || node.size != entry.size { return nil }
    let isUntagged = entry.tag == .none && !node.flags.contains(.tagged) && mayBeUntagged
    let isTagged = entry.tag.uuid == node.uuid && node.flags.contains(.tagged)
    guard entry.kind == .symlink || isTagged || isUntagged else { return nil }
    let isInvolved =
      !arrivals.isEmpty || unresolved.hasBelievedPlaces || !placesToInspect.isEmpty || !aheadOfLog.isEmpty
    if isInvolved, isInDoubt(Place(parent: directory, name: FileName(name))) { return nil }
    return id
  }

  /// Whether everything that had happened at a moment is found and decided.
  ///
  /// Some of it is found later: what is in a folder only when it is decided which folder that is.
  func hasCompared(until moment: MonotonicTime) -> Bool {
    !coverage.isRescanning && aheadOfLog.isEmpty && isSettled(since: moment) && unresolved.all.isEmpty
      && !arrivals.keys.contains { arrivals[$0]?.activity.recovery != nil && isAwaited(arrivalAt: $0, since: now) }
      && !writing.activities.contains { $0.isSave && $0.firstSeen <= moment }
  }
}
