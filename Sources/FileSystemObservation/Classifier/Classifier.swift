import DequeModule
import FileEvents
import FileIdentity
import LinuxFileSystem

/// Decides what happened: a state machine of facts and time, without system calls, clocks, locks or queues.
///
/// Hints come in (`follow`, `exchange`) and are taken at their word, in their order; facts come in (`observe`,
/// `finish`, `resolve`, `settleWriting`, `advance`) and say what the newcomers are. A fact that contradicts the hints
/// counts only when it is found again and no hint of the directory has come between. Changes go to `log`, what the
/// engine is to do or to find out to `requests`, and places to be looked at to `touched`. The graph is the state that
/// has been told; what is in doubt stands beside it:
///
/// - *displaced*: an entry whose name is missing or stands for another inode. Told nothing yet; decided at the end of
///   the settle window.
/// - *arrivals*: inodes at places the graph does not have, or has for a displaced entry. Told when complete, or as
///   copying.
/// - *writing*: entries whose content is being changed, or that were announced as copying.
struct Classifier: Sendable {
  /// The windows, in nanoseconds.
  struct Timing: Sendable {
    var settle: Int64 = 500_000_000
    var quiet: Int64 = 700_000_000
    var flashGuard: Int64 = 1_000_000_000
    /// How long a document may be written before it is told as modified all the same.
    var modificationInterval: Int64 = 8_000_000_000
    /// How long copies are remembered after the last one.
    var copyMemory: Int64 { 3_600_000_000_000 }
    /// How long a new directory stays untold where nothing comes to be in it.
    var folderDelay: Int64 { min(100_000_000, settle / 4) }
    /// How long after an operation is seen on disk its hint may come: they are made within one system call.
    var hintDelay: Int64 { min(10_000_000, settle / 4) }
    /// How long the second half of an exchange may come after the first.
    var exchangeDelay: Int64 { min(50_000_000, settle / 4) }
    /// How long an unfinished file must rest where nobody can tell whether it is being written.
    var patience: Int64 { max(5_000_000_000, 4 * quiet) }
    /// How long a file with a partial name must rest before it counts as finished after all.
    var partialPatience: Int64 { 6 * patience }
    /// How long a document that is written without a pause is not told: what rests for a quiet period is told then.
    var longestSilence: Int64 { max(modificationInterval, quiet) }
    /// The longest pause between two looks at an unfinished file.
    var longestPause: Int64 { max(10_000_000_000, quiet) }
  }

  var graph: FileGraph
  var timing: Timing
  let patterns: NameRules
  /// Whether what was there before it is observed is given a tag.
  var tagsWhatIsFound = true
  /// What has been decided since the last change set was taken.
  var log = ChangeDraft()
  var requests: [Request] = []

  var displaced: [NodeID: Displacement] = [:]
  /// Where the inodes of displaced entries are.
  var held = PlaceTable<NodeID>()
  var arrivals = PlaceTable<Arrival>()
  /// Where the arrivals with each inode are.
  var arrivalPlaces = Multimap<FileKey, Place>()
  /// Those of them that have a partial name.
  var partialArrivals = Multimap<PartialName, Place>()
  /// How many of them, that are new, each directory has.
  var newcomerCounts: [NodeID: Int] = [:]
  /// How many of them, that are not, are names of each inode.
  var oldNameCounts: [FileKey: Int] = [:]
  /// When files that are not observed were last written in these directories.
  var hiddenWrites = RecentTable<NodeID, MonotonicTime>()
  var writing = WritingTable()
  /// Names of documents at which something is that may be a link of a name that stands.
  var waitingNames = Multimap<UUIDBits, NodeID>()
  /// The tags that files in doubt bear: their originals, should they go, have been moved there.
  var tagsInDoubt = Multimap<UUIDBits, TagHolder>()
  /// The tags of files that were announced as copying.
  var copyTags: [NodeID: UUIDBits] = [:]
  /// Entries that were told to be copies a short while ago.
  var copies: CopyRecords
  /// When items that have copies were last removed from these directories.
  var removals = RecentTable<NodeID, MonotonicTime>()
  /// Directories that wait to be told, since when.
  var untold: [NodeID: MonotonicTime] = [:]
  /// Identities of files whose tag somebody else writes, too.
  var contests = TagContests()
  var departures: [UInt32: Departure] = [:]
  var recentDepartures = RecentDepartures()
  /// Places that hints were about, to be looked at.
  var touched = TouchedPlaces()
  /// Places where something was found that a later hint should explain.
  var unexplained = UnexplainedPlaces()
  /// How many hints have come of the directories of these places.
  var hintCounts: [NodeID: Int] = [:]
  /// Entries that were found at places of others, which may be elsewhere as well.
  var found: Set<NodeID> = []
  /// Since when the tree is observed.
  var began: MonotonicTime?
  /// The same as time of day, in nanoseconds.
  var beganOnWallClock = Int64.min / 2
  /// Since when no event was lost.
  var hasSeenAllSince: MonotonicTime?
  /// Whether somebody wants to know that something happens, and to which entries something has begun to happen.
  var notesActivity = false
  var activity: Set<NodeID> = []
  /// Whether a listener asks for properties, and the directories whose times have changed since the last announcement.
  var notesProperties = false
  var changedTimes: Set<NodeID> = []
  /// Whether what is found was there all the time, and is observed from now on.
  var isRevealing = false
  /// Whether the changes up to now happened while nobody observed.
  var isResuming = false
  /// What could not be seen.
  var coverage = Coverage()
  /// Names that are to be looked at once more.
  var secondLooks = PlaceSet()
  /// Places of which the source may not have told everything.
  var doubtful = PlaceSet()
  /// Places where a new directory waits until it is decided what becomes of the entry there.
  var deferred = PlaceSet()
  /// Cookies and departures in the order in which they expire.
  var expiring = Deque<Expiring>()
  /// Entries announced so recently that they are still provisional, by when.
  var announced: [NodeID: MonotonicTime] = [:]
  var departed = DepartedIdentities()
  /// The changes that an operation of this process makes in the current step.
  var own: OwnChanges?
  var timers = TimerQueue()

  enum Expiring: Sendable {
    case departure(UInt32, MonotonicTime)
    case departed(Place, MonotonicTime)
    case announced(NodeID, MonotonicTime)
    case lateFind(NodeID, MonotonicTime)

    var time: MonotonicTime {
      switch self {
      case .departure(_, let time), .departed(_, let time), .announced(_, let time), .lateFind(_, let time): time
      }
    }
  }

  init(graph: FileGraph, timing: Timing = Timing(), patterns: NameRules = NameRules()) {
    self.graph = graph
    self.timing = timing
    self.patterns = patterns
    copies = CopyRecords(lifetime: timing.copyMemory)
  }

  /// Observation begins.
  mutating func begin(_ now: MonotonicTime, onWallClock wallClock: Int64) {
    began = now
    beganOnWallClock = wallClock
    hasSeenAllSince = now
    coverage.beginFirstScan()
  }

  /// Has whatever `body` decides explained by a rule.
  mutating func by<Result>(_ rule: DecisionReason, _ body: (inout Classifier) -> Result) -> Result {
    let former = log.rule
    log.rule = rule
    defer { log.rule = former }
    return body(&self)
  }

  /// When `advance` has something to do; nothing while nothing is in doubt.
  var nextDeadline: MonotonicTime? { timers.next }

  /// Takes the changes since the last call, as one change set.
  mutating func takeChanges(
    reusingNumbers: Bool = true, for scopes: [FileSystemObserver.Scope] = []
  ) -> ScopedLog {
    if !untold.isEmpty, !log.isEmpty { announceFoldersOfChanges() }
    let origins = ChangeOrigins(others: coverage.isRecovering || isResuming ? .unknown : .other, own: own)
    let changes = log.isEmpty ? ScopedLog(ChangeLog()) : ChangeComposer(log, graph, origins).composed(for: scopes)
    log.removeAll()
    graph.beginChangeSet()
    if reusingNumbers && requests.isEmpty && touched.isEmpty { graph.reuseRemoved() }
    return changes
  }

  /// Takes the places that hints have touched since the last call.
  mutating func takeTouched() -> TouchedPlaces {
    defer { touched = TouchedPlaces() }
    return touched
  }

  /// Takes the requests since the last call.
  mutating func takeRequests() -> [Request] {
    guard !requests.isEmpty else { return [] }
    defer { requests = [] }
    return requests
  }
}

// MARK: - Time

extension Classifier {
  /// Asks for everything that is due to be looked at.
  mutating func advance(to now: MonotonicTime) {
    forgetExpired(now)
    coverage.forgetKept(now)
    while let target = timers.popDue(now) {
      switch target {
      case .displaced(let id): examineIfDue(id, now)
      case .arrival(let place): checkArrivalIfDue(place, now)
      case .writing(let id): checkWritingIfDue(id, now)
      case .unexplained(let place): lookAgainIfDue(place, now)
      case .unprobed(let place): probeAgain(place, now)
      case .unlisted(let id): listAgain(id, now)
      case .unfollowed(let id): catchUp(id)
      case .look(let id): requests.append(.lookAt(id))
      case .secondLook(let place): takeSecondLook(at: place, now)
      case .announcement(let id): announceIfDue(id, now)
      case .expiry: scheduleExpiry(now)
      }
    }
  }

  private mutating func scheduleExpiry(_ now: MonotonicTime) {
    if let first = expiring.first { timers.schedule(.expiry, at: max(now, first.time)) }
    if let until = coverage.keptUntil, until > now { timers.schedule(.expiry, at: until) }
  }

  private mutating func examineIfDue(_ id: NodeID, _ now: MonotonicTime) {
    guard let displacement = displaced[id] else { return }
    guard displacement.due <= now else { return timers.schedule(.displaced(id), at: displacement.due) }
    if awaitsFolder(id, now) { return }
    // What is found again and again where it cannot be until this is decided would keep it in doubt for ever.
    let isInDoubt = doubtful.contains(graph.place(id)) && now - displacement.since < timing.patience
    if coverage.isRecovering || isInDoubt, displacement.whereabouts == .unknown { return postpone(id, now) }
    // Until the answer comes, the entry is not due again.
    postpone(id, now)
    requests.append(.examine(id))
  }

  /// Hints that have not been followed up may tell more of a displaced entry.
  mutating func examineLater(_ id: NodeID, _ now: MonotonicTime) {
    guard displaced[id] != nil else { return }
    let due = now + 2 * retryDelay
    displaced[id]?.due = due
    timers.schedule(.displaced(id), at: due)
  }

  mutating func postpone(_ id: NodeID, _ now: MonotonicTime) {
    displaced[id]?.due = now + timing.settle
    timers.schedule(.displaced(id), at: now + timing.settle)
  }

  private mutating func lookAgainIfDue(_ place: Place, _ now: MonotonicTime) {
    guard let due = unexplained[place]?.due else { return }
    // The number of a directory that is gone may be a file's by now.
    guard graph.isLive(place.parent), graph[place.parent].kind == .directory else { return unexplained[place] = nil }
    guard due <= now else { return timers.schedule(.unexplained(place), at: due) }
    requests.append(.look(place, .check))
  }

  private mutating func checkArrivalIfDue(_ place: Place, _ now: MonotonicTime) {
    guard let progress = arrivals[place]?.progress else { return }
    guard progress.nextCheck <= now else {
      return timers.schedule(.arrival(place), at: progress.nextCheck)
    }
    requests.append(.finish(place))
  }

  private mutating func checkWritingIfDue(_ id: NodeID, _ now: MonotonicTime) {
    guard let progress = writing[id] else { return }
    guard progress.nextCheck <= now else {
      return timers.schedule(.writing(id), at: progress.nextCheck)
    }
    requests.append(.checkWriting(id, probeWriters: mustProbe(id, progress)))
  }

  /// Whether a file is being written, and it must be found out if somebody still does.
  func isInDoubt(_ id: NodeID) -> Bool {
    guard graph.isLive(id), let progress = writing[id] else { return false }
    return mustProbe(id, progress)
  }

  /// Whether it must be found out if somebody still writes.
  private func mustProbe(_ id: NodeID, _ progress: Progress) -> Bool {
    let node = graph[id]
    return node.kind == .file && (node.flags.contains(.copying) || progress.isSave)
  }

  /// Remembers something until a time, when all hints up to then have been followed: to an observer that is late, a
  /// window is not over because the clock says so.
  mutating func forgetLater(_ item: Expiring) {
    expiring.append(item)
    timers.schedule(.expiry, at: item.time)
  }

  /// Forgets cookies whose other half did not come, and places that were left long ago.
  private mutating func forgetExpired(_ now: MonotonicTime) {
    while let first = expiring.first, first.time <= now {
      expiring.removeFirst()
      switch first {
      case .departure(let cookie, _): endDeparture(cookie, now)
      case .departed(let place, let time): forgetDeparture(from: place, time, now)
      case .announced(let id, let time): if announced[id] == time { announced[id] = nil }
      case .lateFind(let id, let time): coverage.expireLateFind(id, at: time, now)
      }
    }
  }

  /// The other half of a rename has not come.
  ///
  /// What left may have changed places with something from where nobody looks: inotify takes the hint of that for one
  /// with the rename that came before it to the same name, whatever their cookies.
  private mutating func endDeparture(_ cookie: UInt32, _ now: MonotonicTime) {
    guard let departure = departures.removeValue(forKey: cookie), departure.hasPlace(in: graph) else { return }
    lookAgain(at: departure.place, after: now)
  }

  /// As long as the document that left the place is missing, it may still turn out to be a save.
  private mutating func forgetDeparture(from place: Place, _ time: MonotonicTime, _ now: MonotonicTime) {
    guard let departure = recentDepartures[from: place], departure.since + timing.settle <= time else { return }
    if displaced[departure.node] == nil {
      recentDepartures.forget(from: place)
    } else {
      forgetLater(.departed(place, now + timing.settle))
    }
  }
}
