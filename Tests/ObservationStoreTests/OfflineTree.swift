#if Store
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// A tree that is observed, left alone, and observed again with its store.
struct OfflineTree {
  let folder: TestFolder
  /// The observed folder.
  let root: Folder
  let store: ObservationStore
  /// The folder of the store, if that is another.
  private let place: TestFolder?

  /// - Parameter place: A folder on the file system to use, if not the usual one.
  init(_ label: String, in place: String? = nil) throws {
    folder = try TestFolder(label, in: place)
    self.place = nil
    root = folder.watched
    store = try ObservationStore(at: FilePath(folder.outside["state/store"]))
  }

  /// The tree of another store, whose file is copied.
  ///
  /// `root` is the folder as it was observed.
  init(_ label: String, storedLike other: OfflineTree) throws {
    let place = try TestFolder(label)
    try Command.run("cp", "-a", other.store.path.removingLastComponent().string, place.outside["state"])
    folder = other.folder
    root = other.root
    self.place = place
    store = try ObservationStore(at: FilePath(place.outside["state/store"]))
  }

  /// A tree at a place of the test's choice.
  init(_ label: String, observing root: FilePath) throws {
    folder = try TestFolder(label)
    place = nil
    store = try ObservationStore(at: FilePath(folder.outside["state/store"]))
    self.root = Folder(root.string)
  }

  /// A run of an observer: what it found with its scan.
  struct Run {
    /// The set that is announced at the start, if anything has happened.
    var sets: [FileSystemChanges] = []
    var diagnostics: [FileSystemObserver.Diagnostic] = []
    var snapshot: FileSystemSnapshot

    fileprivate mutating func note(_ event: FileSystemObserver.Event) {
      if case .didChange(let set) = event { sets.append(set) }
      if case .diagnostic(let diagnostic) = event { diagnostics.append(diagnostic) }
    }
  }

  /// Runs an observer until everything that its scan found is announced, and the tags are written.
  func run(
    awaitingCopies: Bool = true, takingOver: Bool = false,
    adjusting adjust: (inout FileSystemObserver.Configuration) -> Void = { _ in },
    then body: (FileSystemObserver) async throws -> Void = { _ in }
  ) async throws -> Run {
    var configuration = FileSystemObserver.Configuration(directory: FilePath(root.path))
    configuration.warnsWithoutListeners = false
    adjust(&configuration)
    let former = formerSequences()
    let observer = FileSystemObserver(configuration, store: store, takesOverStore: takingOver)
    var events = observer.events(startingWith: .now).makeAsyncIterator()
    try await observer.start()
    var run = Run(snapshot: observer.snapshot())
    var isScanned = false
    while let event = try await events.next() {
      run.note(event)
      if case .didCompleteFullScan = event { isScanned = true }
      // A process that other tests start may hold a file open for a moment.
      if isScanned, !awaitingCopies || !observer.snapshot().contains(where: \.isCopying) { break }
    }
    // On a machine that stood still, something may come afterwards.
    await observer.synchronize()
    let last = observer.snapshot().sequence
    while run.sets.last.map({ $0.sequence < last }) ?? !former.contains(last), let event = try await events.next() {
      run.note(event)
    }
    try await body(observer)
    await observer.synchronize()
    run.snapshot = observer.snapshot()
    await observer.stop()
    return run
  }

  /// The last sets of the store and of those that were put aside.
  private func formerSequences() -> Set<UInt64> {
    let asides = StorePlace.asides(of: store.path).compactMap { try? ObservationStore(at: $0) }
    return Set(([store] + asides).compactMap { try? $0.snapshot().sequence } + [0])
  }

  /// The tree as it is stored.
  func stored() throws -> FileSystemSnapshot { try store.snapshot() }

  /// Makes the store one of another date, in nanoseconds since the epoch.
  func setDate(_ date: Int64) throws {
    let file = try StoreFile.open(at: store.path)
    defer { file.close() }
    try file.write { transaction in
      var head = try StoredHead(bytes: transaction.head() ?? [])
      head.date = date
      try transaction.put(head: head.bytes)
    }
  }

  /// The differences between a snapshot and the disk.
  func differences(from snapshot: FileSystemSnapshot) -> [String] {
    return DiskInventory(of: root).differences(from: snapshot.itemsByPath(root: root.path))
  }
}
#endif
