import FileIdentity
import LinuxFileSystem

// Going on from the tree of an earlier run: a rescan after events of unknown length were lost, with the stored tree as
// what was announced.

/// The tree of an earlier run.
package struct ResumedTree: Sendable {
  var graph: FileGraph
  /// The number of the last set that it includes.
  package internal(set) var sequence: UInt64
  /// When it was stored, by the clock of file times, in nanoseconds since the epoch.
  var date: Int64
  /// The filter by which it was observed, if that is another.
  var filter: ItemFilter?
  /// The digests of the contents of its files.
  var contents: KnownContents?
  /// The items that had ended by then, the oldest first: some may come back.
  var ended: [EndedItem] = []
}

/// The comparison of the tree of an earlier run with the disk.
struct Resumption: Sendable {
  /// When the tree was stored.
  var storedAt: Int64
  /// The filter to apply after the comparison, if the tree was observed by another.
  var filter: ItemFilter?
  var start: MonotonicTime?
  /// The step in which the tree was scanned.
  var scanned: MonotonicTime?
  /// Until when what begins may follow from the comparison, as the listing of a folder that was moved, and what that
  /// finds; `nil` before the step after the scan.
  var mayFollowUntil: MonotonicTime?
  /// When the outcome is announced at the latest; `nil` before the step after the scan.
  var due: MonotonicTime?
  /// The last step that came late.
  var late: MonotonicTime?

  /// How long it may wait for contents, in nanoseconds, or on a busy machine.
  static let contentPatience: Int64 = 30_000_000_000

  /// Extends the wait by the time by which a step comes late: then everything takes so much longer.
  mutating func extend(for step: MonotonicTime, plannedAt planned: MonotonicTime) {
    guard let scanned, let due, let mayFollowUntil else { return }
    // What is due may wait for several steps.
    let delay = max(0, step - max(planned, late ?? planned))
    late = step
    let latest = scanned + Self.contentPatience
    self.due = max(due, min(due + delay, latest))
    self.mayFollowUntil = max(mayFollowUntil, min(mayFollowUntil + delay, latest))
  }
}

extension Engine {
  /// Prepares for the comparison; the tree is in the graph already.
  ///
  /// It is compared by the filter by which it was observed: what another one leaves out has not been removed.
  func prepare(_ resumed: ResumedTree) {
    resumption = Resumption(storedAt: resumed.date, filter: resumed.filter.map { _ in settings.filter })
    if let filter = resumed.filter { settings.filter = filter }
    state.classify { $0.remember(resumed.ended) }
    settings.resumed = nil
  }

  /// The tree as a store would have it; `nil` before the first scan is announced.
  ///
  /// The tree of an earlier run counts until what has happened since is announced.
  package func treeToStore() -> ResumedTree? {
    guard let (storage, sequence) = state.snapshot(), let tree = try? ResumedTree(storage) else { return nil }
    return ResumedTree(
      graph: tree.graph, sequence: sequence, date: files.wallClock, ended: state.classify { $0.endedItems })
  }

  /// Scans the tree, and announces in one set what has happened since it was stored.
  func resume(at now: MonotonicTime) {
    recorder?.noteStep(.start, at: now, wallClock: files.wallClock)
    resumption?.start = .now
    beginScan(.resumed, .now)
    claimRoot()
    markSurroundings()
    let wallClock = files.wallClock
    state.classify(at: now) { $0.resume(onWallClock: wallClock) }
    noteChangedMounts(now)
    // A date that is still to come is one of a clock that was wrong: it says nothing of what has changed since.
    let storedAt = resumption.map { $0.storedAt <= wallClock ? $0.storedAt : 0 } ?? 0
    let known = KnownTags(state.classify { $0.graph }, storedAt: storedAt)
    compareTree(.root, root, threads: settings.scanThreads, now, known: known) { reportProgress(.resumed) }
    performRequests(now)
    if let filter = resumption?.filter { apply(filter, now) }
    endRecoveryIfStable()
    resumption?.scanned = now
    publish()
  }

  /// Notes what was on file systems that were mounted in the tree, and are not now, and what is below those that are
  /// mounted now: it cannot be seen, but may exist.
  private func noteChangedMounts(_ now: MonotonicTime) {
    let points = files.mountPoints(below: root).values
    let (former, present) = state.classify { ($0.mountPoints, $0.directories(along: points)) }
    for (id, place, key) in former + present where probe(place).entry?.key != key {
      state.classify(at: now) { $0.noteCovered(id) }
    }
  }

  /// Applies another filter than that of the earlier run, after the comparison by that one.
  ///
  /// What was found elsewhere is moved first, for another filter may end it at its former place.
  private func apply(_ filter: ItemFilter, _ now: MonotonicTime) {
    decideFinds(isVerified: false, now)
    reconfigure(filter, now)
  }

  /// Decides what the comparison found elsewhere, after all hints: an operation of the app is about to change it.
  func decideFindsOfResumption(_ now: MonotonicTime) {
    if resumption?.scanned != nil, !isRootLost { decideFinds(isVerified: true, now) }
  }

  /// Looks again at what was found at other places than the graph has it, as long as that decides anything.
  private func decideFinds(isVerified: Bool, _ now: MonotonicTime) {
    var places = finds
    // What is in a folder is found only when it is decided which folder that is.
    for _ in 0..<Self.levelLimit where !places.isEmpty {
      look(at: places, isVerified: isVerified, now)
      let undecided = finds
      if undecided == places { return }
      places = undecided
    }
  }

  /// Decides the folders that were found elsewhere before all other finds: the original of a copy may be in one of them.
  func decideFoundFolders(_ now: MonotonicTime) {
    guard resumption?.scanned != nil else { return }
    look(at: state.classify(at: now) { $0.foundFoldersInOrder }, isVerified: false, now)
    state.classify { $0.noteFoundFolders() }
  }

  private func look(at places: [Place], isVerified: Bool, _ now: MonotonicTime) {
    for place in places { lookIfLive(place, .check, isVerified: isVerified, now) }
    performRequests(now)
  }

  /// How many moved folders may be in each other before the rest is left to its timers.
  private static var levelLimit: Int { 32 }

  private var finds: [Place] { state.classify { $0.findsInOrder } }

  /// Limits the wait for decisions to a few windows, which begin after the scan.
  func limitResumption(_ now: MonotonicTime) {
    guard let scanned = resumption?.scanned else { return }
    if let due = resumption?.due, due > now || !awaitsContents(since: scanned, now) { return }
    guard resumption?.due == nil else {
      resumption?.due = now + settings.timing.settle
      return
    }
    let windows = settings.timing.settle + settings.timing.quiet
    resumption?.mayFollowUntil = now + 2 * windows
    resumption?.due = now + 4 * windows
  }

  /// Whether files are being read that may show what has become of others; that may take longer.
  private func awaitsContents(since scanned: MonotonicTime, _ now: MonotonicTime) -> Bool {
    contentService != nil && now - scanned < Resumption.contentPatience
      && state.classify { $0.awaitsContents }
  }

  /// Whether changes wait because what has happened while nobody observed is not settled yet.
  func awaitsResumption() -> Bool {
    guard let resumption else { return false }
    guard let scanned = resumption.scanned, scans.depth == 0 else { return true }
    if let due = resumption.due, due <= time { return false }
    let moment = resumption.mayFollowUntil ?? scanned
    return !carried.hints.isEmpty || inspectionDueSince != nil || state.classify { !$0.hasCompared(until: moment) }
  }

  /// Announces the end of the comparison, after its outcome.
  func endResumption() {
    guard let resumption, resumption.scanned != nil, scans.depth == 0 else { return }
    self.resumption = nil
    state.classify { $0.endResuming() }
    endScan(.resumed, since: resumption.start ?? .now)
  }
}
