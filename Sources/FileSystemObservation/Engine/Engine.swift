package import FileEvents
import FileIdentity
package import LinuxFileSystem
package import SystemPackage

/// Takes hints, asks the file system for facts, has the classifier decide, and does what it asks for.
///
/// The only owner of the graph. It has no thread and no clock of its own: whoever drives it calls it from one context
/// at a time, with the time. So the same engine runs on the machine and in a simulation.
package final class Engine<Files: FileSystem, Source: EventSource> where Source.Directory == Files.Directory {
  /// How the engine works.
  package struct Settings: Sendable {
    package var path: FilePath
    package var filter = ItemFilter()
    var timing = Classifier.Timing()
    var patterns = NameRules()
    package var writesTags = true
    /// Whether everything that the first scan finds is given a tag, and not only what changes or is asked for.
    package var tagsWhatIsFound = true
    /// How long to wait between two reports of how far a full scan has come, in nanoseconds.
    var progressInterval: Int64 = 250_000_000
    /// Whether a root that was renamed or moved is observed where it is then.
    package var followsRoot = false
    /// With none, scans run on the thread that asks for them.
    package var scanThreads = 1
    /// How many directories are kept open at most.
    package var openDirectories = 256

    package init(path: FilePath) {
      self.path = path
    }
  }

  package let files: Files
  let source: Source
  var settings: Settings
  let state: ObservationState
  let emit: (EngineOutput) -> Void

  var root: Files.Directory
  /// Where the root was when it was opened, and whose it was.
  var origin: RootOrigin
  var handles: HandleCache<Files.Directory>
  var markedDirectories: [MarkID: NodeID] = [:]
  var marks: [NodeID: MarkID] = [:]
  /// The marks of the directories above the root: an open directory is not told of its own removal.
  var ancestorMarks: Set<MarkID> = []
  /// Directories with hints that could not be followed up, because they were not where the graph has them.
  var staleDirectories: Set<NodeID> = []
  /// What of the filter concerns what is below each directory, where that depends on its place.
  var filterReaches: [NodeID: FilterReach] = [:]
  /// Directories on mounts that did not answer when they were to be listed.
  var silentDirectories: Set<NodeID> = []
  /// Reasons for which a tag could not be written that have been told.
  var toldTagFailures: Set<Errno> = []
  /// Whether the app has been told that files are left without a tag.
  var hasToldSpared = false
  /// Tags that wait until a burst of new files is over.
  var heldTags = HeldTags()
  /// Tags that were just written: the source may tell of them.
  var ownTags = OwnTags()
  /// What was mounted below the root when the table of mounts was looked at last.
  var mountPoints: [MountNumber: [FileName]] = [:]
  /// Directories whose entries have changed since their times were read.
  var changedDirectories: Set<NodeID> = []
  /// Whether that was in this batch of hints.
  var hasLookedAtMounts = false
  var hasToldMarkFailure = false
  /// Limits that the app has been told of.
  var toldLimits: Set<ResourceLimit> = []
  package internal(set) var isRootLost = false
  /// The mount of the root, where the app wants it to be unmounted.
  var releasedMount: MountIdentity?

  var rootLossError: FileSystemObserverError {
    FileSystemObserverError(
      code: .rootLost,
      sentence:
        "\(settings.path) was removed, moved away or unmounted while it was observed; start again when it is back",
      path: settings.path)
  }
  /// The rename whose first half was in doubt.
  var doubtfulCookie: UInt32 = 0
  /// Hints that cannot be judged before the next ones are there.
  var carried = CarriedHints()
  /// How many hints had been delivered when directories were listed: those are older than what was found.
  var listedAt = ListingMarks()
  /// The number of the hint that comes next.
  var nextHint: UInt64 = 0
  /// The hints of this batch that have not been followed up.
  var toFollow: ArraySlice<Hint> = []
  /// Whether hints of a directory have been delivered that have not been handled.
  package var hasPendingHints: (MarkID) -> Bool = { _ in false }
  /// Since when touched places have waited to be looked at.
  var touchedSince: MonotonicTime?
  /// Directories that the scan that is going on will list by itself.
  var coveredPlaces: Set<Place> = []
  /// How many scans of several directories are going on, one within the other.
  var scanDepth = 0
  /// Marks that nobody needs as far as is known: the scan that is going on may have listed their directories at other
  /// places.
  var idleMarks: [MarkID: Files.Directory?] = [:]
  /// The parts of the tree for which somebody wants the changes by themselves.
  package var scopes: () -> [FileSystemObserver.Scope] = { [] }
  /// Those who wait for what is announced, and when the source is to be asked again how far it has looked.
  var barriers: [Barrier] = []
  var barrierDue: MonotonicTime?
  /// What is known of attributes, where somebody wants to know that they change; and what changed since it was
  /// announced last.
  var knownAttributes: KnownAttributes?
  var changedAttributes: [(id: NodeID, change: FileSystemChange.ChangedAttributes)] = []
  /// Asked now and then during a scan; `false` ends it.
  var mayContinue: () -> Bool = { true }
  /// Whose tags were put back since the app was told so.
  var restoredTags = RestoredTags()
  /// Counts what the scan that is going on does.
  var tally = ScanTally()
  /// When the progress of the scan that goes on is announced next.
  var progressDue: MonotonicTime?

  /// Opens the directory to observe.
  ///
  /// - Throws: ENOENT, ENOTDIR, EACCES, or what else `open(2)` and `statx(2)` say.
  package init(
    files: Files, source: Source, settings: Settings, emit: @escaping (EngineOutput) -> Void
  ) throws(Errno) {
    self.files = files
    self.source = source
    self.settings = settings
    self.emit = emit
    handles = HandleCache(limit: max(4, settings.openDirectories))
    root = try files.openRoot(at: settings.path)
    _ = try files.reopenForListing(root)
    let status = try files.status(of: root)
    files.noteRoot(root)
    origin = RootOrigin(path: files.path(of: root) ?? settings.path, owner: status.owner)
    let uuid = Self.rootUUID(files, root, status)
    var graph = FileGraph(root: FileKey(status), uuid: uuid)
    graph.setModified(.root, status.modified)
    var classifier = Classifier(graph: graph, timing: settings.timing, patterns: settings.patterns)
    classifier.tagsWhatIsFound = settings.tagsWhatIsFound
    state = ObservationState(classifier)
    marks.reserveCapacity(64)
  }

  /// The UUID of the observed directory: its tag's, or the one minted for it.
  static func rootUUID(_ files: Files, _ root: Files.Directory, _ status: FileStatus) -> UUIDBits {
    FileName(".").withView { name in
      if let uuid = files.readTag(of: name, in: root).uuid { return uuid }
      let fileSystem = files.fileSystemIdentifier(of: status, named: name, in: root)
      return UUIDBits.minted(for: FileKey(status), on: fileSystem)
    }
  }

  /// When `advance` has something to do.
  package var nextDeadline: MonotonicTime? {
    let decided = MonotonicTime.earlier(state.classify { $0.nextDeadline }, heldTags.due)
    let looks = MonotonicTime.earlier(carried.due, touchedSince)
    return MonotonicTime.earlier(MonotonicTime.earlier(decided, looks), barrierDue)
  }

  /// Looks again at whatever has waited long enough.
  ///
  /// All hints that the source had by then must have been handled: what they tell counts more than what is found.
  package func advance(to now: MonotonicTime) {
    if let due = carried.due, due <= now { handle(HintBatch(first: nextHint), at: now) }
    // Looks that have waited come before anything is decided.
    if touchedSince != nil { lookAtTouched(now) }
    state.classify { $0.advance(to: now) }
    lookAtTouched(now)
    endRecoveryIfStable()
    writeHeldTags(now)
    publish()
  }

  /// Publishes what has changed, as one change set.
  func publish(reusingNumbers: Bool = true) {
    handles.removePassing()
    let taken = state.content.withLock { content -> (log: ScopedLog, snapshot: GraphStorage?, sequence: UInt64)? in
      // Asked for here: whoever is added later sees the number of this set, and so knows that it is missing.
      let scopes = scopes()
      guard let (log, sequence) = content.takeChanges(reusingNumbers: reusingNumbers, for: scopes) else { return nil }
      return (log, log.whole.movesDirectory ? content.classifier.toldStorage : nil, sequence)
    }
    if var taken {
      taken.log.whole.noteTrashed { files.isInTrash($0.key, named: $0.name, leftBy: $0.since, root: root) }
      emit(.changes(taken.log, taken.snapshot, sequence: taken.sequence))
      noteAttributes(of: taken.log.whole)
    }
    publishDetails()
    reportRestoredTags()
    reportReachedLimits()
  }

  /// The path of an entry, for a message.
  func path(of id: NodeID) -> FilePath {
    let bytes = state.classify { classifier -> [UInt8] in
      var bytes: [UInt8] = []
      classifier.graph.storage.appendPath(of: id, to: &bytes)
      return bytes
    }
    return settings.path.appending(bytes: bytes)
  }
}

/// What a scan did, beyond what the graph shows.
struct ScanTally {
  var items = 0
  /// Directories that were found, and not listed yet; the root at first.
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
