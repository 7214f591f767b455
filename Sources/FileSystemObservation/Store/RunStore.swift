import Dispatch
import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// The store of one run: the tree to go on from, and the writer that follows the run.
final class RunStore: Sendable {
  private struct State: Sendable {
    var tree: ResumedTree?
    /// Files that may be put back.
    var awaited: [EndedItem]
    var writer: StoreWriter?
    /// What the writer left at its end.
    var left: WaitingSets.Rest?
    var isStopped = false
    var problem: FileSystemObserver.Diagnostic?
    /// Whether a failure to write was reported.
    var isReported = false
  }

  private let store: OpenTreeStore
  /// What was stored before the run.
  private let head: StoredHead
  private let layout: StoredLayout
  /// The path that the directory had in the run before, if it has another now.
  private let formerDirectory: FilePath?
  private let epoch: UInt64
  private let configuration: FileSystemObserver.Configuration
  private let files: GuardedFileSystem
  private let hub: NotificationHub
  private let state: Mutex<State>

  /// Opens the store of an observer that is about to start.
  static func open(
    _ store: any TreeStore, _ configuration: FileSystemObserver.Configuration,
    _ settings: ObservationDriver.HostEngine.Settings, _ files: GuardedFileSystem, _ epoch: UInt64,
    _ hub: NotificationHub
  ) throws(FileSystemObserverError) -> RunStore {
    // A directory that cannot be opened is reported by the start itself.
    let root = try? StoredRoot(at: configuration.directory, files)
    var resumed: ResumedTree?
    var isAway = false
    let open = try store.open { tree in
      guard let root else { return .same }
      let fit = root.fit(of: tree, takingOver: store.isTakenOver)
      isAway = fit == .none && configuration.rootLossPolicy == .waitForReturn && root.mayBeMountPoint(of: tree)
      if isAway { throw NotMounted() }
      return fit
    } _: { tree in
      if let root { resumed = try ResumedTree(tree, at: root, takingOver: store.isTakenOver, settings.filter) }
    }
    if open.tree == nil { resumed = nil }
    if isAway, open.storage == nil { throw NotMounted.error(at: configuration.directory) }
    if let sizes = settings.contentSizes, let graph = resumed?.graph, let storage = open.storage, let tree = open.tree {
      resumed?.contents = contents(in: storage, of: graph, stored: tree.storage, sizes)
    }
    if let tree = resumed { resumed?.ended = ended(in: open, tree.graph.key(.root).device) }
    let awaited = root.flatMap { Self.awaited(at: $0, open, resumed?.graph, settings.filter) } ?? []
    return RunStore(open, resumed, awaited, configuration, files, epoch, hub)
  }

  /// The files of stores that were put aside, if the directory has nothing else.
  private static func awaited(
    at root: StoredRoot, _ store: OpenTreeStore, _ graph: FileGraph?, _ filter: ItemFilter
  ) -> [EndedItem] {
    store.former(root.path).compactMap { try? FormerTree($0) }.flatMap { former in
      let hasAll = graph.map { former.hasAll(of: $0) } ?? former.hasAll(below: root.root, filter, root.files)
      return hasAll ? former.items(except: graph) : []
    }
  }

  /// The digests in a store that are of the contents of a tree; what cannot be read is made anew.
  private static func contents(
    in storage: any TreeStorage, of graph: FileGraph, stored: GraphStorage, _ sizes: ClosedRange<Int64>
  ) -> KnownContents {
    var contents = KnownContents(sizes: sizes)
    try? storage.read { reading in
      try reading.forEachChunk(.contents) { StoredContents.load($0, into: &contents, of: graph, stored: stored) }
    }
    return contents
  }

  /// The items that ended in earlier runs; to know them is no condition for going on.
  private static func ended(in store: OpenTreeStore, _ device: UInt64) -> [EndedItem] {
    (try? store.storage?.read { try StoredJournal($0)?.endedItems(on: device) }) ?? []
  }

  private init(
    _ store: OpenTreeStore, _ resumed: ResumedTree?, _ awaited: [EndedItem],
    _ configuration: FileSystemObserver.Configuration, _ files: GuardedFileSystem, _ epoch: UInt64,
    _ hub: NotificationHub
  ) {
    let stored = store.tree
    var store = store
    // The engine has the tree from here on: a second reference would keep the former state of all that changes.
    store.tree = nil
    self.store = store
    self.epoch = epoch
    self.files = files
    self.hub = hub
    self.configuration = configuration
    var head = resumed == nil ? .empty : stored?.head ?? .empty
    head.devices = (resumed?.graph.storage.devices ?? []).enumerated().map { index, number in
      StoredHead.Device(number: number, identity: index < head.devices.count ? head.devices[index].identity : 0)
    }
    self.head = head
    layout = resumed == nil ? StoredLayout() : stored?.layout ?? StoredLayout()
    formerDirectory = head.number > 0 && stored?.directory != configuration.directory ? stored?.directory : nil
    state = Mutex(State(tree: resumed, awaited: awaited, problem: store.problem))
  }

  /// The tree to go on from, if there is one; only the first call returns it.
  func takeTree() -> ResumedTree? { state.withLock { $0.tree.take() } }

  /// The files of a former tree that may be put back; only the first call returns them.
  func takeAwaited() -> [EndedItem] {
    state.withLock { state in
      defer { state.awaited = [] }
      return state.awaited
    }
  }

  /// Whether the run is written to the store.
  var isWritable: Bool { store.storage != nil }

  /// Begins to follow a run, before the run begins.
  ///
  /// - Parameter stored: Called with the number of the last set that the store has, and with `nil` if it cannot be
  ///   written.
  func begin(after observed: ObservationState, stored: @escaping @Sendable (UInt64?) -> Void) {
    let problem = state.withLock { $0.problem.take() }
    if self.head.number > 0 { hub.resume(after: self.head.number) }
    if let former = formerDirectory {
      hub.postFirst(.rootMoved(from: former, to: configuration.directory))
    }
    if let problem { hub.post { _ in .diagnostic(problem) } }
    guard let storage = store.storage else { return }
    var head = head
    head.runs.append(StoredHead.Run(epoch: epoch, base: head.number))
    head.directory = Array(configuration.directory.bytes)
    head.configuration = (try? JSONEncoder().encode(configuration)).map { Array($0) } ?? []
    let surroundings = StoreWriter.Surroundings(
      picture: { observed.takePicture() }, identity: { [files] in files.lastingIdentifier(ofDevice: $0) ?? 0 },
      failed: { [weak self] in self?.report($0) }, stored: stored)
    do throws(Errno) {
      let writer = try StoreWriter(to: storage, after: head, layout, surroundings)
      state.withLock { $0.writer = writer }
    } catch {
      report(error)
      stored(nil)
    }
  }

  /// Takes note of the engine's output; never blocks.
  func note(_ output: EngineOutput) { state.withLock { $0.isStopped ? nil : $0.writer }?.note(output) }

  /// The sets of all runs up to this one, those included that are not stored; `nil` without a store.
  ///
  /// After the end of the run, the store may have been written to by others.
  ///
  /// - Parameter directory: The observed directory.
  func journal(of directory: FilePath) -> RunJournal? {
    guard let storage = store.storage else { return nil }
    let (writer, left, isStopped) = state.withLock { ($0.writer, $0.left, $0.isStopped) }
    let waiting = writer?.waitingSets ?? left ?? (sets: [], last: head.number)
    var head = head
    head.runs.append(StoredHead.Run(epoch: epoch, base: head.number))
    head.number = waiting.last
    head.directory = Array(directory.bytes)
    return RunJournal(storage, head, waiting.sets, isShared: isStopped)
  }

  /// The sets after a cursor up to a tree of this run, with the trees after those that move a folder.
  ///
  /// - Parameters:
  ///   - directory: The observed directory.
  ///   - limit: Enough changes: no further set follows, unless a folder was moved.
  /// - Throws: An error of the store.
  func sets(
    after cursor: FileSystemObserver.Cursor, upTo tree: FileSystemSnapshot, of directory: FilePath,
    atMost limit: Int = .max
  ) throws -> MissedAnswer {
    guard var journal = journal(of: directory) else { return .unknown(.resumed) }
    if journal.last < tree.sequence, let writer = state.withLock({ $0.writer }) {
      // The engine hands over a set a moment after it has counted it.
      _ = writer.flush(through: tree.sequence, until: .now() + .seconds(1))
      journal = self.journal(of: directory) ?? journal
    }
    return try journal.sets(after: cursor, upTo: tree, atMost: limit)
  }

  /// The announcements of copies after a cursor whose set was not stored, up to a tree of this run.
  ///
  /// - Throws: An error of the store.
  func copies(
    after cursor: FileSystemObserver.Cursor, upTo tree: FileSystemSnapshot, of directory: FilePath
  ) throws -> [FileSystemChange] {
    guard let known = journal(of: directory)?.lastKnown(before: cursor),
      case .sets(let sets) = try sets(after: known, upTo: tree, of: directory)
    else { return [] }
    return sets.sets.flatMap { $0.filter { $0.kind == .duplicated } }
  }

  /// There are new digests of contents; never blocks.
  func noteContents() { state.withLock { $0.writer }?.noteContents() }

  /// Waits at most five seconds until a set is stored; returns whether it is, in a store that is still at its place.
  func flush(through number: UInt64) -> Bool {
    let writer = state.withLock { $0.writer }
    guard let writer, writer.flush(through: number, until: .now() + .seconds(5)) else { return false }
    do {
      try store.storage?.checkPlace()
      return true
    } catch {
      report(error)
      return false
    }
  }

  /// The number of the last set that is stored.
  var durableNumber: UInt64 { state.withLock { $0.writer }?.durableNumber ?? 0 }

  /// Writes what was announced last, and closes the store.
  func stop() {
    let writer = state.withLock { state in
      state.isStopped = true
      return state.writer
    }
    guard let writer else { return store.close() }
    writer.stop { [store] in store.close() }
    let left = writer.waitingSets
    state.withLock { ($0.writer, $0.left) = (nil, left) }
  }

  /// Reports the first of several failures, and that writing works again.
  private func report(_ error: (any Error)?) {
    let wasReported = state.withLock { state in
      defer { state.isReported = error != nil }
      return state.isReported == (error != nil)
    }
    if wasReported { return }
    let sentence: Message =
      if let error { "the store cannot be written: \(String(describing: error)); it is tried again" } else {
        "the store can be written again, and has everything"
      }
    hub.post { _ in .diagnostic(FileSystemObserver.Diagnostic(code: .storeUnavailable, sentence: sentence)) }
  }
}

/// The observed directory is away: an empty one is at its path.
private struct NotMounted: Error {
  static func error(at path: FilePath) -> FileSystemObserverError {
    FileSystemObserverError(
      code: .rootNotFound, sentence: "\(path) is empty, because its file system is not mounted; mount it", path: path)
  }
}

extension ResumedTree {
  /// Makes a graph of a stored tree.
  ///
  /// - Throws: If two of its entries contradict each other.
  init(
    _ tree: StoredTree, at root: StoredRoot, takingOver: Bool, _ filter: ItemFilter
  ) throws(StoredDataError) {
    var storage = tree.storage
    storage.devices = root.devices(of: tree)
    // From here on, what changes is written to the store.
    _ = storage.nodes.takeChanged()
    let stored = try? JSONDecoder().decode(
      FileSystemObserver.Configuration.self, from: Data(tree.head.configuration))
    let former = (try? stored?.filter()) ?? filter
    try self.init(root.withNumbersOfNow(storage, of: tree, former, takingOver: takingOver))
    (sequence, date) = (tree.head.number, tree.head.date)
    if former != filter { self.filter = former }
  }

  /// Makes a graph of what was announced, without what was in doubt then: that is looked at anew.
  ///
  /// - Throws: If two of its entries contradict each other.
  init(_ announced: GraphStorage) throws(StoredDataError) {
    var storage = announced
    let inDoubt: NodeFlags = [.unresolved, .written]
    for index in 0..<storage.nodes.count where !storage.nodes[index].flags.isDisjoint(with: inDoubt) {
      storage.nodes[index].flags.subtract(inDoubt)
    }
    self.init(graph: try FileGraph(stored: storage), sequence: 0, date: 0)
  }
}
