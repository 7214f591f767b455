public import Dispatch
internal import FileIdentity
public import FoundationEssentials
package import LinuxFileSystem
internal import SystemPackage

/// Observes a folder and tells, by identity, what happens in it.
///
/// Every file and directory below the folder has a UUID that stays with it whatever happens: renamed, moved, saved by any editor,
/// copied. The UUID stands in an extended attribute (xattr(7)) where one can be written, and is computed from the inode elsewhere.
///
/// ```swift
/// let observer = FileSystemObserver(directory: URL(filePath: "/home/me/Documents"))
/// let token = observer.addNotificationBlock { _, notification in
///   guard case .didChange(let set) = notification else { return }
///   for change in set.changes { print(change.kind, change.url) }
/// }
/// try observer.start()
/// ```
///
/// An observer may be used from any thread. Properties that are set while it runs take effect at the next start.
public final class FileSystemObserver: Sendable {
  /// The observer of the user's documents folder.
  ///
  /// It does not run until it is started.
  public static let shared = FileSystemObserver()

  struct State: Sendable {
    /// Empty where what was given cannot be used.
    var directory: FilePath
    var unusableDirectory: (url: URL, reason: UnusableURL)?
    var options: ObservationOptions
    var excludedItems: [String] = []
    var includedItems: [String] = []
    var includedDirectoryLevels: Int?
    var driver: ObservationDriver?
    /// What was known when observation ended last, for listeners that have fallen behind.
    var lastKnown: ObservationState?
    /// Whether it has been said that nobody listens.
    var hasWarned = false
    /// Counts the starts, so that an old run that ends by itself does not end a new one.
    var run = 0
  }

  let state: Mutex<State>
  let hub = NotificationHub()
  /// Serialises `start` and `stop`.
  let lifecycle = Mutex<Void>(())
  let ownQueue = OwnQueue()
  /// Keeps the registration of `broadcastsNotifications`.
  package let broadcastToken = Mutex<NotificationToken?>(nil)

  /// An observer of the user's documents folder: `XDG_DOCUMENTS_DIR` of xdg-user-dirs, or `~/Documents`.
  public convenience init() {
    self.init(directory: URL(UserEnvironment.documents, .directory))
  }

  /// An observer of a folder, which need not exist until it is started.
  ///
  /// - Parameters:
  ///   - directory: A file URL. Any other, one of another machine, and one with an empty path are refused by ``start()``. A path that
  ///     is relative to the working directory is resolved when the URL is made, and not again.
  ///   - options: How to observe.
  public init(directory: URL, options: ObservationOptions = ObservationOptions()) {
    var state = State(directory: FilePath(), options: options)
    state.setDirectory(directory)
    self.state = Mutex(state)
  }

  /// An observer of a folder whose path need not be UTF-8.
  package init(path: FilePath, options: ObservationOptions) {
    state = Mutex(State(directory: path.lexicallyNormalized(), options: options))
  }

  deinit {
    state.withLock { $0.driver }?.stop()
    hub.close()
  }

  /// The folder that is observed.
  ///
  /// A file URL, as for ``init(directory:options:)``; it is refused by ``start()`` where it is none.
  public var directory: URL {
    get { state.withLock { $0.unusableDirectory?.url ?? URL($0.directory, .directory) } }
    set { state.withLock { $0.setDirectory(newValue) } }
  }

  /// How the observer works.
  public var options: ObservationOptions {
    get { state.withLock { $0.options } }
    set { state.withLock { $0.options = newValue } }
  }

  /// Patterns of items that are not observed, as in gitignore(5), each a line of such a file.
  ///
  /// A pattern without a slash is matched against names on every level, one that begins with a slash or has one in the middle against
  /// paths below the folder; one that ends with a slash matches directories only. The last pattern that matches decides, and one that
  /// begins with `!` takes out what others before it match. What is below an excluded directory is excluded too, whatever else matches it.
  public var excludedItems: [String] {
    get { state.withLock { $0.excludedItems } }
    set { state.withLock { $0.excludedItems = newValue } }
  }

  /// Patterns of files and symbolic links that alone are observed, in the form of ``excludedItems``; all of them where there are none.
  ///
  /// What is below a directory that matches is observed too. Directories themselves are observed wherever they are, unless they are
  /// excluded: something that matches may lie below.
  public var includedItems: [String] {
    get { state.withLock { $0.includedItems } }
    set { state.withLock { $0.includedItems = newValue } }
  }

  /// How many levels of directories below the folder are observed: 0 for the folder's own items only; all where it is not set.
  public var includedDirectoryLevels: Int? {
    get { state.withLock { $0.includedDirectoryLevels } }
    set { state.withLock { $0.includedDirectoryLevels = newValue } }
  }

  /// Whether the observer runs.
  public var isRunning: Bool { state.withLock { $0.driver != nil } }
}

// MARK: - Notifications

extension FileSystemObserver {
  /// Registers a block that is told what happens.
  ///
  /// The block is called with one notification at a time, in order, from the next one on. It may call back into the observer, start and
  /// stop it, and invalidate tokens.
  ///
  /// - Parameters:
  ///   - queue: The queue the block runs on; it must be serial. Without one, the observer's own threads, one block at a time:
  ///     that is soonest.
  ///   - block: Called with the observer and the notification.
  /// - Returns: A token that you must keep as long as you want notifications: in a property, or a local variable with
  ///   `withExtendedLifetime(_:_:)`. A local variable alone does not keep it: with optimisation, it is let go of after its last use.
  public func addNotificationBlock(
    on queue: DispatchQueue? = nil, _ block: @escaping @Sendable (FileSystemObserver, ObservationNotification) -> Void
  ) -> NotificationToken {
    addNotificationBlock(on: queue, waitsWhenFull: false, block)
  }

  /// The same, with a choice of what happens to a block that falls behind: it is told to rescan, or the engine waits for it.
  package func addNotificationBlock(
    on queue: DispatchQueue?, waitsWhenFull: Bool,
    _ block: @escaping @Sendable (FileSystemObserver, ObservationNotification) -> Void
  ) -> NotificationToken {
    let listener = BlockListener(
      on: queue.map { .queue($0) } ?? .own(ownQueue), limit: options.listenerBufferLimit, waitsWhenFull: waitsWhenFull,
      takeInventory: inventoryTaker
    ) { [weak self] notification in
      guard let self else { return }
      block(self, notification)
    }
    return hub.add(listener)
  }

  /// What happens from now on, as an asynchronous sequence.
  ///
  /// Each time it is asked for it is another sequence. It collects from that moment on, and ends with `stop()`: see ``ObservationSequence``.
  public var changes: ObservationSequence {
    let limit = options.listenerBufferLimit
    return ObservationSequence { [hub, inventoryTaker, endCount = hub.endCount] in
      let listener = SequenceListener(limit: limit, takeInventory: inventoryTaker)
      return ObservationSequence.Registration(listener: listener, token: hub.add(listener, since: endCount))
    }
  }

  private var inventoryTaker: @Sendable () -> Inventory {
    let fallback = state.withLock { $0.directory }
    return { [weak self] in self?.inventory() ?? Inventory(directory: fallback) }
  }
}

extension FileSystemObserver.State {
  fileprivate mutating func setDirectory(_ url: URL) {
    do throws(UnusableURL) {
      directory = try FilePath(url)
      unusableDirectory = nil
    } catch {
      directory = FilePath()
      unusableDirectory = (url, error)
    }
  }
}
