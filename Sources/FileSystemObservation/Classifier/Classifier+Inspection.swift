import FileIdentity
import LinuxFileSystem

// What is pending, for those who wait and for tests.

extension Classifier {
  /// The entries with activity that is not decided yet.
  mutating func takeActivity() -> [NodeID] {
    if activity.isEmpty { return [] }
    defer { activity = [] }
    return activity.filter { graph.isLive($0) && (displaced[$0] != nil || writing[$0] != nil) }
      .sorted { $0.rawValue < $1.rawValue }
  }

  mutating func takeChangedTimes() -> Set<NodeID> {
    if changedTimes.isEmpty { return [] }
    defer { changedTimes = [] }
    return changedTimes
  }

  /// The announced files that are being copied.
  var copyingFiles: [NodeID] {
    writing.keys.filter { graph.isLive($0) && graph[$0].flags.contains(.copying) && untold[$0] == nil }
  }

  func isDisplaced(_ id: NodeID) -> Bool { displaced[id] != nil }

  /// Whether everything that had happened at a moment is decided.
  ///
  /// This does not wait for a file that is still open for writing.
  func hasDecidedAll(until moment: MonotonicTime) -> Bool {
    guard requests.isEmpty, touched.isEmpty, log.isEmpty else { return false }
    if displaced.values.contains(where: { $0.since <= moment }) { return false }
    if untold.values.contains(where: { $0 <= moment }) { return false }
    return !arrivals.keys.contains { isAwaited(arrivalAt: $0, since: moment) }
      && !writing.keys.contains { id in writing[id].map { isAwaited($0, since: moment) } ?? false }
  }

  /// Whether a new file is announced soon: complete, or as being copied.
  func isAwaited(arrivalAt place: Place, since moment: MonotonicTime) -> Bool {
    guard let arrival = arrivals[place], arrival.progress.firstSeen <= moment else { return false }
    let isNew = graph.node(at: place) == nil && graph.node(with: arrival.key) == nil
    return isNew || isAwaited(arrival.progress, since: moment)
  }

  /// Whether a file was written before a moment, and will soon be complete.
  ///
  /// A program that is being started may hold a file open a moment longer than its writer did.
  func isAwaited(_ progress: Progress, since moment: MonotonicTime) -> Bool {
    guard progress.firstSeen <= moment, progress.lastActivity <= moment + timing.quiet else { return false }
    return progress.checks == 0 || progress.isClosed && progress.nextCheck - progress.lastActivity <= 2 * timing.quiet
  }

  func isPending(_ item: PendingItem) -> Bool {
    switch item {
    case .arrival(let place): arrivals[place] != nil
    case .entry(let id): displaced[id] != nil || untold[id] != nil || isCopying(id)
    case .recovery: coverage.isRecovering
    }
  }

  func isCopying(_ id: NodeID) -> Bool { graph.isLive(id) && graph[id].flags.contains(.copying) }

  /// For each directory with pending items in it, at any depth, one of them.
  var pendingItemsByDirectory: [NodeID: PendingItem] {
    var found: [NodeID: PendingItem] = [:]
    for place in arrivals.keys { note(.arrival(place), in: place.parent, &found) }
    for id in displaced.keys { note(.entry(id), in: id, &found) }
    for id in untold.keys { note(.entry(id), in: id, &found) }
    for id in writing.keys where isCopying(id) { note(.entry(id), in: id, &found) }
    return found
  }

  /// Notes a pending item for a directory and all above it.
  func note(_ item: PendingItem, in directory: NodeID, _ found: inout [NodeID: PendingItem]) {
    guard graph.isLive(directory) else { return }
    var current = directory
    while found.updateValue(item, forKey: current) == nil, current != .root { current = graph[current].parent }
  }

  var openBooks: [(book: String, count: Int)] {
    [
      ("displaced", displaced.count), ("held", held.count), ("arrivals", arrivals.count), ("writing", writing.count),
      ("tagsInDoubt", tagsInDoubt.keyCount), ("copyTags", copyTags.count), ("departures", departures.count),
      ("recentDepartures", recentDepartures.count), ("deferred", deferred.count),
      ("touched", touched.count), ("unexplained", unexplained.count), ("found", found.count),
      ("unprobed", coverage.unprobed.count), ("secondLooks", secondLooks.count),
      ("newcomerCounts", newcomerCounts.count), ("oldNameCounts", oldNameCounts.count),
      ("waitingNames", waitingNames.keyCount), ("arrivalPlaces", arrivalPlaces.keyCount),
      ("partialArrivals", partialArrivals.keyCount),
      ("announced", announced.count), ("doubtful", doubtful.count), ("expiring", expiring.count),
      ("untold", untold.count), ("timers", timers.count), ("requests", requests.count),
    ]
  }

  var unfinishedPaths: [[UInt8]] {
    let places = arrivals.keys.map { $0 } + writing.keys.map { graph.place($0) }
    return places.map { place in
      var bytes: [UInt8] = []
      graph.storage.appendPath(of: place.parent, to: &bytes)
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "/")) }
      return bytes + place.name.bytes
    }
  }
}
