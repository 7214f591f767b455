public import FileSystemObservation
public import Foundation
internal import SystemPackage

extension Notification.Name {
  /// Items were added to a monitored directory or removed from it.
  ///
  /// The object is the ``DirectoryMonitor``; the user info has the ``DirectoryMonitor/UserInfoKey``.
  public static let filesChanged = Notification.Name("FilesChanged")
}

/// Monitors the names in one directory, and posts ``Foundation/NSNotification/Name/filesChanged`` with the names that
/// came and went.
///
/// ```swift
/// NotificationCenter.default.addObserver(forName: .filesChanged, object: DirectoryMonitor.shared, queue: .main) {
///   let inserted = $0.userInfo?[DirectoryMonitor.UserInfoKey.insertedNames] as? [String]
///   …
/// }
/// try DirectoryMonitor.shared.startMonitoringDocuments()
/// ```
///
/// For a table whose rows are the names. Open a new file when it is complete, and never ask the user to reload: a name
/// is inserted when its file is complete, or after a second while a program still writes it. Hidden names do not count.
/// The monitor writes no tags; names that are not UTF-8 are repaired.
///
/// A monitor may be used from any thread. Notifications are posted on a thread of the observer, one at a time.
public final class DirectoryMonitor: Sendable {
  /// The keys of the user info of ``Foundation/NSNotification/Name/filesChanged``.
  public enum UserInfoKey {
    /// The new names, in order: `[String]`.
    public static let insertedNames = "InsertedNames"
    /// The names that are gone, in order: `[String]`.
    public static let deletedNames = "DeletedNames"
    /// The ``OrderedListDifference`` of ``DirectoryMonitor/names`` before and after.
    public static let difference = "Difference"
  }

  /// The monitor that the whole app shares.
  public static let shared = DirectoryMonitor()

  private struct State: Sendable {
    var observer: FileSystemObserver?
    var token: NotificationToken?
    var names: [String] = []
    /// Whether the names were listed since the start.
    var isListed = false
  }

  private let state = Guarded(State())
  /// Serialises starts and stops.
  private let lifecycle = Guarded<Void>(())

  /// Makes a monitor that is not started.
  public init() {}

  deinit {
    stopMonitoring()
  }

  /// The monitored directory; `nil` if the monitor does not run.
  public var directory: FilePath? { state.withLock { $0.observer }?.directory }

  /// The names in the directory, in the order of their Unicode scalars; after ``stopMonitoring()`` the last known ones.
  public var names: [String] { state.withLock { $0.names } }

  /// Monitors the user's documents folder; see ``startMonitoring(directory:)``.
  public func startMonitoringDocuments() throws(FileSystemObserverError) {
    try startMonitoring(directory: FileSystemObserver.Configuration().directory)
  }

  /// Monitors a directory; a directory that was monitored before is not any more.
  ///
  /// Blocks until the directory is listed: usually a few milliseconds, at most 7 seconds if the file system does not
  /// answer. The names that are there then are not posted as inserted.
  ///
  /// - Parameter directory: An absolute path.
  /// - Throws: The errors of `FileSystemObserver.start()`, for example `rootNotFound`. The monitor then does not run.
  public func startMonitoring(directory: FilePath) throws(FileSystemObserverError) {
    try lifecycle.withLock { (_) throws(FileSystemObserverError) in
      stop()
      var configuration = FileSystemObserver.Configuration(directory: directory)
      configuration.depth = 0
      configuration.tagging = .never
      configuration.warnsWithoutListeners = false
      let observer = FileSystemObserver(configuration)
      let listing = FirstListing()
      let token = observer.addNotificationBlock { [weak self] observer, event in
        self?.take(event, of: observer)
        listing.note(event)
      }
      state.withLock { $0 = State(observer: observer, token: token) }
      do throws(FileSystemObserverError) {
        try observer.start()
        listing.wait()
      } catch {
        stop()
        throw error
      }
    }
  }

  /// Stops monitoring; does nothing if the monitor does not run.
  public func stopMonitoring() { lifecycle.withLock { _ in stop() } }

  private func stop() {
    let (observer, token) = state.withLock { state in
      defer { (state.observer, state.token) = (nil, nil) }
      return (state.observer, state.token)
    }
    observer?.stop()
    token?.invalidate()
  }

  private func take(_ event: FileSystemObserver.Event, of observer: FileSystemObserver) {
    switch event {
    case .didCompleteFullScan, .didChange, .reset: list(observer)
    default: break
    }
  }

  /// Lists the names, and posts what is different.
  private func list(_ observer: FileSystemObserver) {
    let names = observer.children(of: observer.directory).map(\.name).sorted()
    let (former, isNews) = state.withLock { state -> ([String], Bool) in
      guard state.observer === observer else { return (names, false) }
      defer { (state.names, state.isListed) = (names, true) }
      return (state.names, state.isListed)
    }
    let difference = OrderedListDifference(from: former, to: names)
    if isNews, !difference.isEmpty { post(difference, from: former, to: names) }
  }

  private func post(_ difference: OrderedListDifference, from former: [String], to names: [String]) {
    let userInfo: [String: Any] = [
      UserInfoKey.insertedNames: difference.insertions.map { names[$0] },
      UserInfoKey.deletedNames: difference.deletions.map { former[$0] },
      UserInfoKey.difference: difference,
    ]
    NotificationCenter.default.post(name: .filesChanged, object: self, userInfo: userInfo)
  }
}
