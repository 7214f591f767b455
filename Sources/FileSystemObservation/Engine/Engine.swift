package import FileEvents
import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// Takes hints, looks at the file system, has the classifier decide, and performs its requests.
///
/// The engine is the only owner of the graph. It has no thread and no clock: a driver calls it from one context at a
/// time, and passes the time. So the same engine runs on a host and in a simulation.
package final class Engine<Files: FileSystem, Source: EventSource> where Source.Directory == Files.Directory {
  package struct Settings: Sendable {
    package var path: FilePath
    package var filter = ItemFilter()
    var timing = Classifier.Timing()
    var patterns = NameRules()
    package var writesTags = true
    /// Whether the first scan tags everything, instead of only what changes or is asked for.
    package var tagsWhatIsFound = true
    /// The shortest time between two reports of the progress of a full scan, in nanoseconds.
    var progressInterval: Int64 = 250_000_000
    /// Whether to keep observing a root that was renamed or moved.
    package var followsRoot = false
    /// With 0, scans run on the calling thread.
    package var scanThreads = 1
    /// The largest number of directories to keep open.
    package var openDirectories = 256
    /// The tree of an earlier run, from which observation goes on.
    package var resumed: ResumedTree?
    /// Files of a former tree that may be put back.
    var awaited: [EndedItem] = []
    /// Whether a store is written, so that the tags of copies wait for it.
    package var awaitsStore = false
    /// With so many unfinished files, the first looks at new ones may wait.
    package var burst = HeldTags.burst
    /// The flight recorder, if there is one.
    package var recorder: FlightRecorder?
    /// The sizes of files whose contents are evidence of identity; `nil` if no content is read.
    var contentSizes: ClosedRange<Int64>?
    /// How long nothing must have happened before contents are read that nobody waits for, in nanoseconds.
    var contentDelay = ContentPass().delay

    package init(path: FilePath) {
      self.path = path
    }
  }

  package let files: Files
  let source: Source
  var settings: Settings
  let state: ObservationState
  let emit: (EngineOutput) -> Void
  let recorder: FlightRecorder?

  var root: Files.Directory
  /// Where the root was when it was opened, and its owner.
  var origin: RootOrigin {
    didSet { noteRootPath() }
  }
  var handles: HandleCache<Files.Directory>
  var markedDirectories: [MarkID: NodeID] = [:]
  var marks: [NodeID: MarkID] = [:]
  /// The marks of the directories above the root: while a directory is open, its own mark does not report its removal.
  var ancestorMarks: Set<MarkID> = []
  /// The part of the filter that concerns each directory's contents, if the filter depends on places.
  var filterReaches: [NodeID: FilterReach] = [:]
  var reportedProblems = ReportedProblems()
  /// Tags that wait for the end of a burst of new files.
  var heldTags = HeldTags()
  /// Tags of copies that wait for the store.
  var copyTags = CopyTags()
  /// Tags that were just written: the source may report them.
  var ownTags = OwnTags()
  /// The mounts below the root at the last reading of the mount table.
  var mountPoints: [MountNumber: [FileName]] = [:]
  /// When a change of them was taken in last.
  var mountsChangedAt: MonotonicTime?
  /// Directories whose entries have changed since their times were read.
  var changedDirectories: Set<NodeID> = []
  /// Whether the mount table was read during this batch of hints.
  var hasLookedAtMounts = false
  package internal(set) var isRootLost = false
  /// The mount of the root, if the app has released it.
  var releasedMount: MountIdentity?

  var rootLossError: FileSystemObserverError {
    FileSystemObserverError(
      code: .rootLost,
      sentence:
        "\(settings.path) was removed, moved away or unmounted while it was observed; start again when it is back",
      path: settings.path)
  }
  /// The cookie of a rename whose first half was unordered.
  var unorderedCookie: UInt32 = 0
  /// Hints that cannot be decided without the next ones.
  var carried = CarriedHints()
  /// The number of delivered hints when each directory was listed: earlier hints are older than the listing.
  var listedAt = ListingMarks()
  /// The number of the next hint.
  var nextHint: UInt64 = 0
  /// The hints of this batch that have not been replayed.
  var toFollow: ArraySlice<Hint> = []
  /// Whether delivered hints of a directory have not been handled.
  package var hasPendingHints: (MarkID) -> Bool = { _ in false }
  /// Since when the places of hints have waited to be looked at.
  var inspectionDueSince: MonotonicTime?
  /// When hints were replayed last, and when the engine has rested last in a burst.
  var lastHints = MonotonicTime(nanoseconds: .min / 2)
  var lastRest = MonotonicTime(nanoseconds: .min / 2)
  /// Places of new files whose first look waits; at some of them it has been made since.
  var postponedLooks: [Place] = []
  /// Directories that the current scan lists by itself.
  var coveredPlaces: Set<Place> = []
  /// The scans that are under way.
  var scans = NestedScans()
  /// Whether debug builds check the invariants after each step.
  package var assertsInvariants = true
  /// Steps since the invariants were checked.
  var uncheckedSteps = 0
  /// Marks without an entry: the current scan may have listed their directories at other places.
  var idleMarks: [MarkID: Files.Directory?] = [:]
  /// The parts of the tree that have listeners of their own.
  package var scopes: () -> [FileSystemObserver.Scope] = { [] }
  /// What listeners want besides the changes of the tree.
  package var details: () -> FileSystemObserver.Details = { [] }
  /// The waiting barriers, and when to ask the source again how far it has looked.
  var barriers: [Barrier] = []
  var barrierDue: MonotonicTime?
  /// The known attributes, if a listener asks for them, and the changes since the last announcement.
  var knownAttributes: KnownAttributes?
  var changedAttributes: [(id: NodeID, change: FileSystemChange.ChangedAttributes)] = []
  /// The folders that have arrived and are not complete, if a listener asks for them.
  var folderArrivals: FolderArrivals?
  /// Whether all hints up to now have been replayed, so that nothing unknown is in a folder that seems complete.
  var decidesFolders = false
  /// The time of the current step.
  var time = MonotonicTime(nanoseconds: 0)
  /// Places that operations of this process have changed where the source polls, and when to look at them again.
  var polledPlaces = PolledPlaces()
  /// New directories that are not listed, whose tags may come later.
  var unlistedFolders = UnlistedFolders()
  /// Whether changes wait for the end of an operation of this process.
  package internal(set) var holdsChanges = false
  /// Whether an operation of this process is about to take effect, or does.
  var isPerformingOperation = false
  /// The changed properties, if a listener asks for them.
  var changedProperties = ChangedProperties()
  /// The comparison of the tree of an earlier run with the disk, until its outcome is announced.
  var resumption: Resumption?
  /// Where contents are read, if they are evidence of identity.
  var contentService: ContentService<Files.Directory>?
  /// The reading of contents that no decision waits for.
  var contentPass = ContentPass()
  /// Called when all contents are read.
  var contentWaiters: [@Sendable () -> Void] = []
  /// Called when there are new digests.
  var contentsDidChange: () -> Void = {}
  /// Whether no other engine of this process writes tags: the source takes them for those of this one.
  package var isAloneInProcess: () -> Bool = { true }
  /// Called at intervals during a scan; `false` ends the scan.
  var mayContinue: () -> Bool = { true }
  /// Items whose tags were restored since the last report.
  var restoredTags = RestoredTags()
  /// Counts of the current scan.
  var tally = ScanTally()
  /// When to report the progress of the current scan next.
  var progressDue: MonotonicTime?

  /// Opens the directory to observe.
  ///
  /// - Throws: ENOENT, ENOTDIR, EACCES, or another error of `open(2)` or `statx(2)`.
  package init(
    files: Files, source: Source, settings: Settings, emit: @escaping (EngineOutput) -> Void
  ) throws(Errno) {
    self.files = files
    self.source = source
    self.settings = settings
    self.emit = emit
    recorder = settings.recorder
    handles = HandleCache(limit: max(4, settings.openDirectories))
    root = try files.openRoot(at: settings.path)
    _ = try files.reopenForListing(root)
    let status = try files.status(of: root)
    files.noteRoot(root)
    origin = RootOrigin(path: files.path(of: root) ?? settings.path, owner: status.owner)
    contentPass.delay = settings.contentDelay
    contentPass.due = .now + settings.contentDelay
    let known = Self.rootTag(files, root) ?? settings.resumed?.graph[.root].uuid
    let uuid = known ?? Self.mintedRootUUID(files, root, status)
    state = ObservationState(Self.makeClassifier(settings, root: status, uuid), after: settings.resumed)
    noteRootPath()
    if settings.awaitsStore { copyTags.stored = settings.resumed?.sequence ?? 0 }
    state.classify { [awaited = settings.awaited] in $0.remember(awaited) }
    self.settings.awaited = []
    if let resumed = settings.resumed { prepare(resumed) }
    recorder?.note(FlightRecorder.Subject(settings, status, uuid))
    marks.reserveCapacity(64)
  }

  private func noteRootPath() {
    let path = origin.path
    state.content.withLock { $0.rootPath = path }
  }

  private static func makeClassifier(_ settings: Settings, root status: FileStatus, _ uuid: UUIDBits) -> Classifier {
    var graph = settings.resumed?.graph ?? FileGraph(root: FileKey(status), uuid: uuid)
    if settings.resumed != nil { graph.setIdentity(.root, uuid: uuid, key: FileKey(status)) }
    graph.setModified(.root, status.modified)
    var classifier = Classifier(
      graph: graph, timing: settings.timing, patterns: settings.patterns, tagsWhatIsFound: settings.tagsWhatIsFound,
      recorder: settings.recorder)
    if let sizes = settings.contentSizes {
      classifier.useContents(settings.resumed?.contents ?? KnownContents(sizes: sizes))
    }
    return classifier
  }

  /// The UUID of the observed directory: from its tag, or minted.
  static func rootUUID(_ files: Files, _ root: Files.Directory, _ status: FileStatus) -> UUIDBits {
    rootTag(files, root) ?? mintedRootUUID(files, root, status)
  }

  static func rootTag(_ files: Files, _ root: Files.Directory) -> UUIDBits? {
    FileName(".").withView { files.readTag(of: $0, in: root).uuid }
  }

  static func mintedRootUUID(_ files: Files, _ root: Files.Directory, _ status: FileStatus) -> UUIDBits {
    let fileSystem = FileName(".").withView { files.fileSystemIdentifier(of: status, named: $0, in: root) }
    return UUIDBits.minted(for: FileKey(status), on: fileSystem)
  }

  /// Begins a step; a comparison that goes on gets so much more time as the step comes late.
  func beginStep(at now: MonotonicTime) {
    time = now
    guard resumption?.due != nil, let planned = nextDeadline, planned < now else { return }
    resumption?.extend(for: now, plannedAt: planned)
  }

  /// When `advance` has something to do.
  package var nextDeadline: MonotonicTime? {
    let due = [
      state.classify { $0.nextDeadline }, heldTags.due, copyTags.due, carried.due, inspectionDueSince, barrierDue,
      polledPlaces.due, changedProperties.lookDue, folderArrivals?.due, resumption?.due,
      unlistedFolders.due,
      contentService == nil ? nil : contentPass.due,
    ]
    return due.lazy.compactMap(\.self).min()
  }
}

/// The counts of a scan that the graph does not show.
struct ScanTally {
  var items = 0
  /// Directories that were found and not listed yet; the root at first.
  var awaitedDirectories = 1
  var tagged = 0
  var duplicates = 0
  var skipped: [FileSystemObserver.SkipReason: Int] = [:]

  mutating func add(_ listing: DirectoryListing) {
    items += listing.entries.count
    awaitedDirectories += listing.entries.reduce(-1) { $1.listing != 0 ? $0 + 1 : $0 }
    if !listing.skipped.isEmpty { skipped.merge(listing.skipped, uniquingKeysWith: +) }
    tagged += listing.entries.reduce(0) { $1.wasTagged ? $0 + 1 : $0 }
  }
}
