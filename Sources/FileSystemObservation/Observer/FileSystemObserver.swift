import Dispatch
internal import FileIdentity
public import FoundationEssentials
package import LinuxFileSystem
public import SystemPackage

/// Observes a directory and announces, by identity, what happens in it.
///
/// Every file and directory below it has a UUID that stays with it whatever happens: renamed, moved, saved by any
/// editor, copied. The UUID is kept in an extended attribute (xattr(7)) where one can be written, and is computed from
/// the inode elsewhere.
///
/// ```swift
/// let observer = FileSystemObserver(directory: "/home/me/Documents")
/// try await observer.start()
/// for try await event in observer.events() {
///   print(event)
/// }
/// ```
///
/// An observer may be used from any thread. It ends when it is let go of.
public final class FileSystemObserver: Sendable {
  /// What there is of an observer that may change.
  struct State: Sendable {
    /// For the next start.
    var configuration: Configuration
    /// What runs now.
    var run: Run?
    /// What ran last, for listeners that have fallen behind.
    var lastRun: Run?
    /// Whether a line has said that nobody listens.
    var hasWarned = false
  }

  /// The time from a start to its end, with the configuration it was started with.
  struct Run: Sendable {
    /// Tells runs apart, those of other processes, too.
    var epoch: UInt64
    var configuration: Configuration
    var driver: ObservationDriver

    var directory: FilePath { configuration.directory }
  }

  let state: Mutex<State>
  let hub: NotificationHub
  /// Serialises `start` and `stop`.
  let lifecycle = Mutex<Void>(())
  let ownQueue = OwnQueue()
  /// Keeps the registration of `broadcastsNotifications`.
  package let broadcastToken = Mutex<NotificationToken?>(nil)

  /// Makes an observer; nothing is looked at until it is started.
  ///
  /// - Parameter configuration: What to observe, and how. What cannot be used is refused by ``start()``.
  public init(_ configuration: Configuration) {
    hub = NotificationHub(ownQueue)
    var configuration = configuration
    if configuration.unusableURL == nil {
      configuration.directory = configuration.directory.lexicallyNormalized()
    }
    state = Mutex(State(configuration: configuration))
  }

  /// An observer of the user's documents folder: `XDG_DOCUMENTS_DIR` of xdg-user-dirs, or `~/Documents`.
  public convenience init() {
    self.init(Configuration())
  }

  /// An observer of a directory, which need not exist until it is started.
  ///
  /// - Parameter directory: An absolute path.
  public convenience init(directory: FilePath) {
    self.init(Configuration(directory: directory))
  }

  /// An observer of a directory, which need not exist until it is started.
  ///
  /// - Parameter directory: A file URL; see ``Configuration/init(directory:)``.
  public convenience init(directory: URL) {
    self.init(Configuration(directory: directory))
  }

  deinit {
    state.withLock { $0.run }?.driver.stop()
    hub.close()
  }

  /// How the observer works: what it was started with while it runs, and otherwise what it will be started with.
  public var configuration: Configuration { state.withLock { $0.run?.configuration ?? $0.configuration } }

  /// The directory that is observed: while the observer runs, that of the run.
  public var directory: FilePath { configuration.directory }

  /// ``directory`` as a file URL; for a path that is not UTF-8, use `directory`.
  public var directoryURL: URL {
    let configuration = configuration
    return configuration.unusableURL ?? URL(configuration.directory, .directory)
  }

  /// Whether the observer runs: from ``start()`` until ``stop()``, or until observation ends by itself.
  public var isRunning: Bool { state.withLock { $0.run != nil } }
}

extension FileSystemObserver: Identifiable, CustomStringConvertible {
  /// The directory, and whether it is observed at this moment.
  public var description: String {
    "FileSystemObserver of \(directory.printable) (\(isRunning ? "running" : "stopped"))"
  }
}
