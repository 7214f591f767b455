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
    var unprovenQuiet: Int64 { max(5_000_000_000, 4 * quiet) }
    /// How long a file with a partial name must rest before it counts as finished after all.
    var partialQuiet: Int64 { 6 * unprovenQuiet }
    /// How long a document that is written without a pause is not told: what rests for a quiet period is told then.
    var longestSilence: Int64 { max(modificationInterval, quiet) }
    /// The longest pause between two looks at an unfinished file.
    var longestPause: Int64 { max(10_000_000_000, quiet) }
  }

  var graph: FileGraph
  /// The time of the current step.
  var now = MonotonicTime(nanoseconds: 0)
  var timing: Timing
  let patterns: NameRules
  /// Whether what was there before it is observed is given a tag.
  let tagsWhatIsFound: Bool
  /// What has been decided since the last change set was taken.
  var log = ChangeDraft()
  var requests: [Request] = []

  /// Entries whose name is missing or stands for another inode.
  var unresolved = UnresolvedEntries()
  /// Inodes that have not been announced.
  var arrivals: ArrivalTable
  /// When files that are not observed were last written in these directories.
  var unobservedWrites = RecentTable<NodeID, MonotonicTime>()
  var writing: WritingTable
  /// Names of documents at which something is that may be a link of a name that stands.
  var waitingNames = Multimap<UUIDBits, NodeID>()
  var unconfirmedTags = UnconfirmedTags()
  /// Entries that were told to be copies a short while ago.
  var copies: CopyRecords
  /// When items that have copies were last removed from these directories.
  var removals = RecentTable<NodeID, MonotonicTime>()
  /// Directories that wait to be told, since when.
  var unannounced: [NodeID: MonotonicTime] = [:]
  /// Identities of files whose tag somebody else writes, too.
  var disputes = TagDisputes()
  var pendingRenames: [UInt32: PendingRename] = [:]
  var recentDepartures = RecentDepartures()
  /// Places that hints were about, to be looked at.
  var placesToInspect = PlacesToInspect()
  /// Places where something was found that a later hint should explain.
  var aheadOfLog = PlacesAheadOfLog()
  /// Entries that were found at places of others, which may be elsewhere as well.
  var foundMoves: Set<NodeID> = []
  var period = ObservationPeriod()
  /// What listeners ask for besides changes.
  var news = ListenerNews()
  /// Whether what is found was there all the time, and is observed from now on.
  var isRevealing = false
  /// What could not be seen.
  var coverage = Coverage()
  /// Names that are to be looked at once more.
  var rechecks = PlaceSet()
  /// Places of which the source may not have told everything.
  var unorderedPlaces = PlaceSet()
  /// Places where a new directory waits until it is decided what becomes of the entry there.
  var waitingDirectories = PlaceSet()
  /// Cookies and departures in the order in which they expire.
  var expiring = Deque<Expiring>()
  /// Entries announced so recently that they are still provisional, by when.
  var recentlyAnnounced: [NodeID: MonotonicTime] = [:]
  var endedIdentities = EndedIdentities()
  /// The changes that an operation of this process makes in the current step.
  var own: OwnChanges?
  var timers = TimerQueue()

  enum Expiring: Sendable {
    case pendingRename(UInt32, MonotonicTime)
    case recentDeparture(Place, MonotonicTime)
    case announced(NodeID, MonotonicTime)
    case lateFind(NodeID, MonotonicTime)

    var time: MonotonicTime {
      switch self {
      case .pendingRename(_, let time), .recentDeparture(_, let time), .announced(_, let time), .lateFind(_, let time):
        time
      }
    }
  }

  /// - Parameters:
  ///   - tagsWhatIsFound: Whether what was there before it is observed is given a tag.
  ///   - recorder: Notes decisions, if there is one.
  init(
    graph: FileGraph, timing: Timing = Timing(), patterns: NameRules = NameRules(), tagsWhatIsFound: Bool = true,
    recorder: FlightRecorder? = nil
  ) {
    self.graph = graph
    self.timing = timing
    self.patterns = patterns
    self.tagsWhatIsFound = tagsWhatIsFound
    log.recorder = recorder
    arrivals = ArrivalTable(patterns: patterns)
    writing = WritingTable(patterns: patterns)
    copies = CopyRecords(lifetime: timing.copyMemory)
  }

  /// Observation begins.
  mutating func begin(onWallClock wallClock: Int64) {
    period = ObservationPeriod(began: now, beganOnWallClock: wallClock, hasSeenAllSince: now)
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

  /// Takes the places that hints have touched since the last call.
  mutating func takePlacesToInspect() -> PlacesToInspect {
    defer { placesToInspect = PlacesToInspect() }
    return placesToInspect
  }
}
