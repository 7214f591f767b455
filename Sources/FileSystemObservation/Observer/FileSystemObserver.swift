import Dispatch
internal import FileIdentity
public import FoundationEssentials
package import LinuxFileSystem
public import SystemPackage

/// Observes a directory and announces, by identity, what happens in it.
///
/// Each file and directory below it has a UUID that survives renames, moves, saves by any editor and restarts. A copy
/// gets a UUID of its own. The UUID is kept in an extended attribute (xattr(7)) if one can be written, and is otherwise
/// computed from the inode.
///
/// ```swift
/// let observer = FileSystemObserver(directory: "/home/me/Documents")
/// try await observer.start()
/// for try await event in observer.events() {
///   print(event)
/// }
/// ```
///
/// An observer may be used from any thread. Deallocation stops it.
public final class FileSystemObserver: Sendable {
  /// The mutable state of an observer.
  struct State: Sendable {
    /// The configuration of the next start.
    var configuration: Configuration
    /// The current run.
    var run: Run?
    /// The wait for a directory that was away at the start.
    var wait: RootWait?
    /// What is left of the last run, for listeners that have fallen behind.
    var lastRun: PastRun?
    /// Whether the warning about missing listeners was written.
    var hasWarned = false
    /// The number of calls of `synchronize` that wait.
    var waiterCount = 0
  }

  /// One run, from a start to its end, with its configuration.
  struct Run: Sendable {
    /// Identifies the run, also among those of other processes.
    var epoch: UInt64
    var configuration: Configuration
    var driver: ObservationDriver
    var recorder: FlightRecorder?
    var store: RunStore?

    /// Ends the run, and then its store, which gets what was announced last.
    func stop() {
      driver.stop()
      store?.stop()
    }

    var directory: FilePath { configuration.directory }
  }

  /// What a run knows, also after its end: its driver, which has files open, is gone by then.
  struct PastRun: Sendable {
    let epoch: UInt64
    let directory: FilePath
    let observed: ObservationState
    let recorder: FlightRecorder?
    let store: RunStore?

    init(_ run: Run) {
      (epoch, directory, observed) = (run.epoch, run.directory, run.driver.state)
      (recorder, store) = (run.recorder, run.store)
    }
  }

  let state: Mutex<State>
  let hub: NotificationHub
  /// Serialises `start` and `stop`.
  let lifecycle = Mutex<Void>(())
  let ownQueue = OwnQueue()
  /// Where the tree is kept between runs.
  let store: (any TreeStore)?
  /// The live items of each actor.
  let liveTables = Mutex(LiveItemTables())
  /// Keeps the registration of `broadcastsNotifications`.
  package let broadcastToken = Mutex<NotificationToken?>(nil)

  /// Makes an observer; it does not access the disk until it is started.
  ///
  /// - Parameter configuration: What to observe, and how. ``start()`` rejects an unusable configuration.
  public convenience init(_ configuration: Configuration) {
    self.init(configuration, keptIn: nil)
  }

  /// Makes an observer that keeps its tree in a store between runs.
  package init(_ configuration: Configuration, keptIn store: (any TreeStore)?) {
    self.store = store
    hub = NotificationHub(ownQueue)
    var configuration = configuration
    if configuration.unusableURL == nil {
      configuration.directory = configuration.directory.lexicallyNormalized()
    }
    state = Mutex(State(configuration: configuration))
  }

  /// Makes an observer of the user's documents folder: `XDG_DOCUMENTS_DIR` of xdg-user-dirs, or `~/Documents`.
  public convenience init() {
    self.init(Configuration())
  }

  /// Makes an observer of a directory, which need not exist until the start.
  ///
  /// - Parameter directory: An absolute path.
  public convenience init(directory: FilePath) {
    self.init(Configuration(directory: directory))
  }

  /// Makes an observer of a directory, which need not exist until the start.
  ///
  /// - Parameter directory: A file URL; see ``Configuration/init(directory:)``.
  public convenience init(directory: URL) {
    self.init(Configuration(directory: directory))
  }

  deinit {
    _ = endWaiting()
    state.withLock { $0.run }?.stop()
    hub.close()
  }

  /// The configuration: that of the run while the observer runs, otherwise that of the next start.
  public var configuration: Configuration { state.withLock { $0.run?.configuration ?? $0.configuration } }

  /// The observed directory: that of the run while the observer runs, otherwise that of the next start.
  public var directory: FilePath { configuration.directory }

  /// ``directory`` as a file URL; use ``directory`` for a path that is not UTF-8.
  public var directoryURL: URL {
    let configuration = configuration
    return configuration.unusableURL ?? URL(configuration.directory, .directory)
  }

  /// Whether the observer runs, or waits for its directory: from ``start()`` until ``stop()``, or until observation ends
  /// by itself.
  public var isRunning: Bool { state.withLock { $0.run != nil || $0.wait != nil } }
}

extension FileSystemObserver {
  /// What the current run knows, or else what the last one knew.
  var latestRun: PastRun? { state.withLock { $0.run.map(PastRun.init) ?? $0.lastRun } }
}

extension FileSystemObserver: Identifiable, CustomStringConvertible {
  /// The directory, and whether the observer runs.
  public var description: String {
    "FileSystemObserver of \(directory.printable) (\(isRunning ? "running" : "stopped"))"
  }
}
