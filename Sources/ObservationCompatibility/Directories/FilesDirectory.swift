public import FileSystemObservation
public import FoundationEssentials
public import SystemPackage

/// The items directly in one directory, sorted and filtered, with operations on them.
///
/// ```swift
/// let directory = try FilesDirectory("/home/me/Notes", createIfNeeded: true, sortedBy: .modificationDateNewestFirst)
/// for note in directory.contents() { print(note.name) }
/// try directory.write("Buy milk".utf8, to: "shopping.txt")
/// ```
///
/// The contents come from an observer, and not from the disk: what a program writes counts when it is complete, as
/// `FileSystemObserver` says. Hidden items do not count. To be told of changes, listen to ``observer``. It writes a tag
/// to a file when it is saved or asked for by its path, so that its identity survives.
///
/// A directory may be used from any thread. Deallocation ends the observation.
public final class FilesDirectory: Sendable {
  /// An item of the directory.
  public typealias Item = FileSystemItem.Snapshot
  /// Whether an item belongs to the contents.
  public typealias Filter = @Sendable (_ item: Item) -> Bool

  private struct View: Sendable {
    var order: Order
    var filters: [Filter]
  }

  /// The observer of the directory, at a depth of 0.
  public let observer: FileSystemObserver
  private let view: Guarded<View>

  /// Observes a directory.
  ///
  /// Blocks until the directory is listed: usually a few milliseconds, at most 7 seconds if the file system does not
  /// answer.
  ///
  /// - Parameters:
  ///   - directory: An absolute path.
  ///   - createIfNeeded: Whether a missing directory is made, with those above it.
  ///   - order: The order of the contents.
  ///   - filters: All must admit an item.
  /// - Throws: `rootNotFound`, `rootNotDirectory`, and the other errors of `FileSystemObserver.start()`; what prevents
  ///   the creation.
  public init(
    _ directory: FilePath, createIfNeeded: Bool = false, sortedBy order: Order = .nameAscending,
    filteredBy filters: [Filter] = []
  ) throws(FileSystemObserverError) {
    var configuration = FileSystemObserver.Configuration(directory: directory)
    configuration.depth = 0
    configuration.tagging = .whenAsked
    configuration.rootLossPolicy = .follow
    configuration.warnsWithoutListeners = false
    observer = FileSystemObserver(configuration)
    view = Guarded(View(order: order, filters: filters))
    let listing = FirstListing()
    let token = observer.addNotificationBlock { _, event in listing.note(event) }
    defer { token.invalidate() }
    do throws(FileSystemObserverError) {
      try observer.start()
    } catch {
      guard createIfNeeded, error.code == .rootNotFound else { throw error }
      try observer.createDirectory(at: directory, withIntermediateDirectories: true)
      try observer.start()
    }
    listing.wait()
  }

  deinit {
    observer.stop()
  }

  /// The path of the directory; it follows when the directory is moved.
  public var directory: FilePath { observer.directory }

  /// The order of the contents.
  public var sortedBy: Order {
    get { view.withLock { $0.order } }
    set { view.withLock { $0.order = newValue } }
  }

  /// The filters: all must admit an item.
  public var filteredBy: [Filter] {
    get { view.withLock { $0.filters } }
    set { view.withLock { $0.filters = newValue } }
  }
}

// MARK: - Contents

extension FilesDirectory {
  /// The items that all filters admit, in order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* items in the directory, without disk access.
  public func contents() -> [Item] {
    let view = view.withLock { $0 }
    let items = observer.children(of: directory)
    return items.filter { item in view.filters.allSatisfy { $0(item) } }.sorted(by: view.order.areInIncreasingOrder)
  }

  /// The number of items that all filters admit.
  public func contentsCount() -> Int { contents().count }

  /// The item at a position of ``contents()``; `nil` if there are fewer.
  public func item(at index: Int) -> Item? {
    let contents = contents()
    return contents.indices.contains(index) ? contents[index] : nil
  }

  /// The position in ``contents()`` of the item with a UUID; `nil` if it is not among them.
  public func index(ofItemWith uuid: UUID) -> Int? { contents().firstIndex { $0.uuid == uuid } }

  /// Waits until everything that happened before the call is in the contents; see `FileSystemObserver.synchronize()`.
  public func forceUpdate() async { await observer.synchronize() }

  /// The items directly in a directory that all filters admit, in order: one listing.
  ///
  /// Nothing is written, and nothing is observed afterwards.
  ///
  /// - Parameters:
  ///   - directory: An absolute path.
  ///   - order: The order.
  ///   - filters: All must admit an item.
  /// - Throws: The errors of `FileSystemObserver.start()`.
  public static func contentsOfDirectory(
    at directory: FilePath, sortedBy order: Order = .nameAscending, filteredBy filters: [Filter] = []
  ) async throws(FileSystemObserverError) -> [Item] {
    var configuration = FileSystemObserver.Configuration(directory: directory)
    configuration.depth = 0
    configuration.tagging = .never
    configuration.warnsWithoutListeners = false
    let observer = FileSystemObserver(configuration)
    let events = observer.events(startingWith: .now)
    try await observer.start()
    for try await event in events {
      if case .didCompleteFullScan = event { break }
    }
    let items = observer.snapshot().filter { item in filters.allSatisfy { $0(item) } }
    await observer.stop()
    return items.sorted(by: order.areInIncreasingOrder)
  }
}
