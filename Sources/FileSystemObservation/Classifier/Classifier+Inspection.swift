import FileIdentity
import LinuxFileSystem

// What is pending, for the engine, for waiting callers and for tests.

extension Classifier {
  /// Takes the entries with undecided activity.
  mutating func takeActivity() -> [NodeID] {
    news.takeBeginnings().filter { graph.isLive($0) && (unresolved[$0] != nil || writing[$0] != nil) }.sorted()
  }

  /// Takes the entries that have changed since the last call.
  mutating func takeChangedNodes() -> ChangeMarks? { graph.storage.nodes.takeChanged() }

  /// Entries count as changed again.
  mutating func markChanged(_ nodes: ChangeMarks?) { if let nodes { graph.storage.nodes.mark(nodes) } }

  /// How many files are not complete.
  var unfinishedCount: Int { arrivals.count + writing.count }

  /// How many inodes are not announced.
  var pendingArrivalCount: Int { arrivals.count }

  /// Inodes that are not announced, and what they are.
  var pendingArrivals: [(Place, FileKind?)] { arrivals.keys.map { ($0, arrivals[$0]?.kind) } }

  /// Whether a new directory waits to be announced.
  func isUnannounced(_ id: NodeID) -> Bool { unannounced[id] != nil }

  /// The announced files that are still being copied.
  var copyingFiles: [NodeID] {
    writing.keys.filter { graph.isLive($0) && graph[$0].flags.contains(.copying) && unannounced[$0] == nil }
  }

  /// Whether everything that had happened at `moment` is decided, except for files that are still open for writing.
  func hasDecidedAll(until moment: MonotonicTime) -> Bool { log.isEmpty && isSettled(since: moment) }

  /// The same, with what looks have found and hints have not explained.
  func hasDecidedFinds(until moment: MonotonicTime) -> Bool { aheadOfLog.isEmpty && hasDecidedAll(until: moment) }

  /// Whether looks have found something by `moment` that hints have not explained.
  func hasFinds(until moment: MonotonicTime) -> Bool { aheadOfLog.hasFinds(until: moment) }

  /// Whether all is decided, whether or not the decisions have been published.
  func isSettled(since moment: MonotonicTime) -> Bool {
    guard requests.isEmpty, placesToInspect.isEmpty, foundMoves.isEmpty else { return false }
    if unresolved.all.contains(where: { $0.since <= moment }) { return false }
    if unannounced.values.contains(where: { $0 <= moment }) { return false }
    return !arrivals.keys.contains { isAwaited(arrivalAt: $0, since: moment) }
      && !writing.activities.contains { isAwaited($0, since: moment) }
  }

  /// Whether a new file will be announced soon, as complete or as being copied.
  func isAwaited(arrivalAt place: Place, since moment: MonotonicTime) -> Bool {
    guard let arrival = arrivals[place], arrival.activity.firstSeen <= moment else { return false }
    let isNew = graph.node(at: place) == nil && graph.node(with: arrival.key) == nil
    return isNew || isAwaited(arrival.activity, since: moment)
  }

  /// Whether a file was written before `moment` and will soon count as complete.
  ///
  /// A process that is being started may inherit the descriptor, and hold the file open a moment longer than its
  /// writer.
  func isAwaited(_ activity: WriteActivity, since moment: MonotonicTime) -> Bool {
    guard activity.firstSeen <= moment, activity.lastActivity <= moment + timing.quiet else { return false }
    // Nobody has seen the close of a file that was written under a hidden name; a lease shows that nobody writes it.
    let rest = (activity.isClosed ? 2 : 1) * timing.quiet
    return activity.checks == 0 || activity.nextCheck - activity.lastActivity <= rest
  }

  func isPending(_ item: PendingItem) -> Bool {
    switch item {
    case .arrival(let place): arrivals[place] != nil
    case .entry(let id): unresolved[id] != nil || unannounced[id] != nil || isCopying(id)
    case .recovery: coverage.isRescanning
    }
  }

  func isCopying(_ id: NodeID) -> Bool { graph.isLive(id) && graph[id].flags.contains(.copying) }

  /// One pending item of each directory that has any, at any depth.
  var pendingItemsByDirectory: [NodeID: PendingItem] {
    var found: [NodeID: PendingItem] = [:]
    for place in arrivals.keys { note(.arrival(place), in: place.parent, &found) }
    for id in unresolved.ids { note(.entry(id), in: id, &found) }
    for id in unannounced.keys { note(.entry(id), in: id, &found) }
    for id in writing.keys where isCopying(id) { note(.entry(id), in: id, &found) }
    return found
  }

  /// Notes a pending item for a directory and its ancestors.
  func note(_ item: PendingItem, in directory: NodeID, _ found: inout [NodeID: PendingItem]) {
    guard graph.isLive(directory) else { return }
    var current = directory
    while found.updateValue(item, forKey: current) == nil, current != .root { current = graph[current].parent }
  }

  var pendingCounts: [(book: String, count: Int)] {
    [
      ("unresolved", unresolved.count), ("arrivals", arrivals.count),
      ("writing", writing.count),
      ("unconfirmedTags", unconfirmedTags.count),
      ("pendingRenames", pendingRenames.count),
      ("recentDepartures", recentDepartures.count), ("waitingDirectories", waitingDirectories.count),
      ("placesToInspect", placesToInspect.count), ("aheadOfLog", aheadOfLog.count), ("foundMoves", foundMoves.count),
      ("unprobed", coverage.unprobed.count), ("rechecks", rechecks.count),
      ("waitingNames", waitingNames.keyCount),
      ("recentlyAnnounced", recentlyAnnounced.count), ("unorderedPlaces", unorderedPlaces.count),
      ("expiring", expiring.count),
      ("unannounced", unannounced.count), ("timers", timers.count), ("requests", requests.count),
    ]
  }

  var unfinishedPaths: [[UInt8]] {
    let places = arrivals.keys.map { $0 } + writing.keys.map { graph.place($0) }
    return places.map { graph.storage.path(of: $0) }
  }
}
