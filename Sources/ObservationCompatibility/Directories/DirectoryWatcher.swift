public import Dispatch
public import FileSystemObservation
internal import FoundationEssentials
public import SystemPackage

/// Watches one directory, and tells in batches which items were added and removed.
///
/// ```swift
/// let watcher = DirectoryWatcher(
///   at: "/home/me/Inbox",
///   changesStarted: { spinner.start() },
///   filesAdded: { paths in importer.import(paths) },
///   filesRemoved: { paths in importer.forget(paths) },
///   changesEnded: { spinner.stop() })
/// ```
///
/// A batch begins with `changesStarted`, as soon as something happens to an item directly in the directory, and ends
/// with `changesEnded`, when nothing is being copied or undecided any more. Only in between `filesRemoved` and
/// `filesAdded` are called, each as often as there is something to tell. A file counts as added when it is complete,
/// and a folder when everything that came with it is. A rename removes one path and adds another. A batch may be empty,
/// for example if a program saves a document.
///
/// ``stopWatching()`` pauses without losing anything: the next ``startWatching()`` tells what changed meanwhile,
/// compared by identity. Items that are there at the first start are not told, nor are hidden items. The watcher writes
/// no tags.
///
/// A watcher may be used from any thread. Deallocation stops it.
public final class DirectoryWatcher: Sendable {
  /// A block that marks the beginning or the end of a batch.
  public typealias BatchBlock = @Sendable () -> Void
  /// A block that takes the absolute paths of some items.
  public typealias FilesBlock = @Sendable (_ paths: [FilePath]) -> Void

  private let observer: FileSystemObserver
  private let batches: WatchedBatches
  /// Serialises starts and stops.
  private let lifecycle = Guarded<Settings>(Settings())

  private struct Settings: Sendable {
    var timeout = Duration.milliseconds(700)
    var depth = 2
    var isWatching = false
    var failure: FileSystemObserverError?
    var token: NotificationToken?
  }

  /// Makes a watcher.
  ///
  /// - Parameters:
  ///   - directory: The absolute path of the directory.
  ///   - startImmediately: Whether to start it. If that fails, ``failure`` says why.
  ///   - queue: A serial queue for the blocks; by default the main queue.
  ///   - changesStarted: Called when a batch begins.
  ///   - filesAdded: Called with the paths of items that are complete.
  ///   - filesRemoved: Called with the paths of items that are gone.
  ///   - changesEnded: Called when a batch ends.
  public init(
    at directory: FilePath, startImmediately: Bool = true, on queue: DispatchQueue = .main,
    changesStarted: @escaping BatchBlock = {}, filesAdded: @escaping FilesBlock = { _ in },
    filesRemoved: @escaping FilesBlock = { _ in }, changesEnded: @escaping BatchBlock = {}
  ) {
    observer = FileSystemObserver(directory: directory)
    let blocks = WatchedBatches.Blocks(
      changesStarted: changesStarted, filesAdded: filesAdded, filesRemoved: filesRemoved, changesEnded: changesEnded)
    batches = WatchedBatches(observer, blocks, on: queue)
    if startImmediately { startWatching() }
  }

  /// Makes a watcher with one block, which is called at the end of each batch in which something was added or removed.
  ///
  /// - Parameters:
  ///   - directory: The absolute path of the directory.
  ///   - startImmediately: Whether to start it. If that fails, ``failure`` says why.
  ///   - queue: A serial queue for the block; by default the main queue.
  ///   - callback: Called when the directory has changed.
  public convenience init(
    at directory: FilePath, startImmediately: Bool = true, on queue: DispatchQueue = .main,
    callback: @escaping BatchBlock
  ) {
    let hasChanged = Guarded(false)
    self.init(
      at: directory, startImmediately: startImmediately, on: queue,
      filesAdded: { _ in hasChanged.withLock { $0 = true } }, filesRemoved: { _ in hasChanged.withLock { $0 = true } },
      changesEnded: {
        let mustCall = hasChanged.withLock { hasChanged in
          defer { hasChanged = false }
          return hasChanged
        }
        if mustCall { callback() }
      })
  }

  deinit {
    stopWatching()
  }
}

// MARK: - Settings

extension DirectoryWatcher {
  /// The watched directory; it follows the directory when that is renamed or moved.
  public var watchedPath: FilePath { observer.directory }

  /// Whether the watcher runs.
  public var isWatching: Bool { lifecycle.withLock { $0.isWatching } && observer.isRunning }

  /// Why the last ``startWatching()`` failed; `nil` if it did not.
  public var failure: FileSystemObserverError? { lifecycle.withLock { $0.failure } }

  /// How long a file must stay unchanged to count as complete: 0 to 3600 seconds, by default 0.7 seconds.
  ///
  /// A value set while the watcher runs takes effect at its next start.
  public var fileChangesTimeout: Duration {
    get { lifecycle.withLock { $0.timeout } }
    set { lifecycle.withLock { $0.timeout = newValue } }
  }

  /// How many levels of folders in a new folder are watched for files that are being copied, by default 2; not
  /// negative.
  ///
  /// What is deeper does not keep a folder from being added. A value set while the watcher runs takes effect at its
  /// next start.
  public var maxDepthWhenCopying: Int {
    get { lifecycle.withLock { $0.depth } }
    set { lifecycle.withLock { $0.depth = newValue } }
  }
}

// MARK: - Starting and stopping

extension DirectoryWatcher {
  /// Starts watching, or goes on after ``stopWatching()``.
  ///
  /// Blocks until the directory is listed: usually a few milliseconds, at most 7 seconds if the file system does not
  /// answer. What happens after that is told.
  ///
  /// - Returns: `false` if the watcher runs already, or cannot start: see ``failure``.
  @discardableResult
  public func startWatching() -> Bool {
    lifecycle.withLock { settings in
      if settings.isWatching, observer.isRunning { return false }
      do throws(FileSystemObserverError) {
        try observer.reconfigure(configuration(settings))
        let listing = FirstListing()
        settings.token = listen(listing)
        batches.begin()
        try observer.start()
        listing.wait()
        settings.failure = nil
        settings.isWatching = true
      } catch {
        batches.end()
        settings.failure = error
        settings.isWatching = false
        settings.token = nil
      }
      return settings.isWatching
    }
  }

  /// Stops watching; a batch that has begun ends.
  ///
  /// - Returns: `false` if the watcher does not run.
  @discardableResult
  public func stopWatching() -> Bool {
    lifecycle.withLock { settings in
      guard settings.isWatching else { return false }
      settings.isWatching = false
      batches.end()
      observer.stop()
      settings.token = nil
      return true
    }
  }

  private func listen(_ listing: FirstListing) -> NotificationToken {
    observer.addNotificationBlock(including: [.activity, .folderArrivals]) { [batches] _, event in
      batches.take(event)
      listing.note(event)
    }
  }

  private func configuration(_ settings: Settings) -> FileSystemObserver.Configuration {
    var configuration = observer.configuration
    configuration.depth = settings.depth
    configuration.quietPeriod = settings.timeout
    // A file that is being written is told at once, so that the batch begins.
    configuration.announcementDelay = .zero
    configuration.tagging = .never
    configuration.rootLossPolicy = .follow
    configuration.warnsWithoutListeners = false
    return configuration
  }
}

extension DirectoryWatcher: CustomStringConvertible {
  /// The directory, and whether the watcher runs.
  public var description: String { "DirectoryWatcher of \(watchedPath) (\(isWatching ? "watching" : "stopped"))" }
}
