import DequeModule
import FileEvents
import FileIdentity
import LinuxFileSystem

/// Decides what has happened: a state machine of hints, looks and time, without system calls, clocks, locks or queues.
///
/// Hints (`follow`, `exchange`) are believed, and replayed in their order. Looks (`observe`, `finish`, `resolve`,
/// `settleWriting`) identify the inodes. A look that contradicts the hints counts only if all hints of what it saw have
/// been replayed. Where nothing shows that, a second look must confirm it. Decisions go to `log`, questions for the
/// engine to `requests`, and places to look at to `placesToInspect`. `graph` is the announced state. The undecided
/// state is beside it:
///
/// - `unresolved`: entries whose name is missing or stands for another inode. Decided at the end of the settle window.
/// - `arrivals`: inodes that have not been announced. Announced when complete, or as being copied.
/// - `writing`: entries that are being written, or that were announced as being copied.
///
/// It cannot be copied, because a copy has all tables: a method that is passed as a function (`map(isNew)`) would make
/// one for each call.
struct Classifier: ~Copyable, Sendable {
  /// The windows, in nanoseconds.
  struct Timing: Sendable {
    var settle: Int64 = 500_000_000
    var quiet: Int64 = 700_000_000
    var flashGuard: Int64 = 1_000_000_000
    /// The interval at which a document that is written all the time is announced as modified.
    var modificationInterval: Int64 = 8_000_000_000
    /// How long a copy is remembered after it was last announced.
    var copyMemory: Int64 { 3_600_000_000_000 }
    /// How long the announcement of a new, empty directory is delayed.
    var folderDelay: Int64 { min(100_000_000, settle / 4) }
    /// How long the hint of an operation may come after its effect, where no barrier orders them: the kernel makes both
    /// in one system call.
    var hintDelay: Int64 { min(10_000_000, settle / 4) }
    /// How long the second half of an exchange may come after the first.
    var exchangeDelay: Int64 { min(50_000_000, settle / 4) }
    /// How long an unfinished file must rest if its writers cannot be probed.
    var unprovenQuiet: Int64 { max(5_000_000_000, 4 * quiet) }
    /// How long a file with a partial name must rest before it counts as finished.
    var partialQuiet: Int64 { 6 * unprovenQuiet }
    /// How long a document that is written without a pause stays unannounced.
    var longestSilence: Int64 { max(modificationInterval, quiet) }
    /// The longest time between the making of a new version and its renaming to the document's place that is taken for
    /// one save, if nobody has observed it.
    var longestSave: Int64 { 60_000_000_000 }
    /// The longest interval between two looks at an unfinished file.
    var longestPause: Int64 { max(10_000_000_000, quiet) }
  }

  var graph: FileGraph
  /// The time of the current step.
  var now = MonotonicTime(nanoseconds: 0)
  var timing: Timing
  let patterns: NameRules
  /// Whether files get a tag that existed before they were observed.
  let tagsWhatIsFound: Bool
  /// The decisions since the last set was taken.
  var log = ChangeDraft()
  var requests: [Request] = []

  /// Entries whose name is missing or stands for another inode.
  var unresolved = UnresolvedEntries()
  /// Inodes that have not been announced.
  var arrivals: ArrivalTable
  /// When unobserved files in these directories were last written.
  var unobservedWrites = RecentTable<NodeID, MonotonicTime>()
  var writing: WritingTable
  /// Names that were replaced while the file had others, by UUID: the arrival at such a name may be a hard link.
  var waitingNames = Multimap<UUIDBits, NodeID>()
  var unconfirmedTags = UnconfirmedTags()
  /// Entries that were announced as copies a short while ago.
  var copies: CopyRecords
  /// When items with copies were last removed from these directories.
  var removals = RecentTable<NodeID, MonotonicTime>()
  /// Directories that wait to be announced, and since when.
  var unannounced: [NodeID: MonotonicTime] = [:]
  /// Identities of files whose tag another observer writes, too.
  var disputes = TagDisputes()
  var pendingRenames = PendingRenames()
  var recentDepartures = RecentDepartures()
  /// Places that hints were about, to be looked at.
  var placesToInspect = PlacesToInspect()
  /// Places where a look found something before the kernel's event for it was read.
  var aheadOfLog = PlacesAheadOfLog()
  /// Entries that a look found elsewhere, and whose moves were not announced at once.
  var foundMoves: Set<NodeID> = []
  var period = ObservationPeriod()
  /// What listeners ask for besides changes.
  var news = ListenerNews()
  /// Whether finds existed before and are observed only from now on.
  var isRevealing = false
  /// Whether the changes up to now happened while nobody observed.
  var isResuming = false
  /// What inodes directories had, as long as that is so, which go on in others by their paths.
  var formerFolders: [NodeID: FileKey] = [:]
  /// What could not be looked at.
  var coverage = Coverage()
  /// Places to be looked at once more.
  var rechecks = PlaceSet()
  /// Places of which the source may have left out events.
  var unorderedPlaces = PlaceSet()
  /// What the hints of such places say.
  var reportedPlaces = ReportedPlaces()
  /// Places where a new directory waits until the entry that had the name is decided.
  var waitingDirectories = PlaceTable<WaitingDirectory>()
  /// Cookies, departures, announcements and late finds, in the order in which they expire.
  var expiring = Deque<Expiring>()
  /// Entries that may still prove to be the temporary file of a save, and until when.
  var recentlyAnnounced: [NodeID: MonotonicTime] = [:]
  var endedIdentities = EndedIdentities()
  /// The changes of this process's operation in the current step.
  var own: OwnChanges?
  var timers = TimerQueue()
  /// The digests of announced files; `nil` if contents are no evidence.
  var contents: KnownContents?
  /// What is known of the contents of new files.
  var newContents = NewContents()

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
  ///   - tagsWhatIsFound: Whether files get a tag that existed before they were observed.
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

  mutating func begin(onWallClock wallClock: Int64) {
    period = ObservationPeriod(began: now, beganOnWallClock: wallClock, hasSeenAllSince: now)
    coverage.beginFirstScan()
  }

  /// Records `rule` as the reason of what `body` decides.
  mutating func by<Result>(_ rule: DecisionReason, _ body: (inout Classifier) -> Result) -> Result {
    let former = log.rule
    log.rule = rule
    defer { log.rule = former }
    return body(&self)
  }

  /// When `advance` has something to do; `nil` if nothing is undecided.
  var nextDeadline: MonotonicTime? { timers.next }

  mutating func takePlacesToInspect() -> PlacesToInspect {
    defer { placesToInspect = PlacesToInspect() }
    return placesToInspect
  }
}
