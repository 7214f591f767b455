internal import Dispatch
public import FileSystemObservation
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// Follows an open folder: tells the activity feed and the limits what happens, has annotations follow it, and keeps the
/// cursor of what was shown.
///
/// Sets of changes are looked through on another thread, and reach the main actor in a few stories, at most some times a
/// second.
@MainActor public final class FolderFollower {
  /// Called with each event but sets of changes, for example the progress of a scan.
  public var onEvent: ((FileSystemObserver.Event) -> Void)?

  private let observer: FileSystemObserver
  private let folder: KnownFolder
  private let state: BrowserState
  private let activity: ActivityFeed
  private let limits: LimitWatch
  private let inbox = Inbox()
  private var task: Task<Void, Never>?
  private var isWaiting = false
  private var isExamined = false

  /// News reach the main actor at most once in this time.
  private nonisolated static let interval = Duration.milliseconds(100)

  /// Makes a follower.
  ///
  /// - Parameters:
  ///   - observer: The observer of the folder, which is not started yet.
  ///   - folder: What is known of the folder.
  ///   - state: Where annotations and the cursor are kept.
  ///   - activity: Gets what happens.
  ///   - limits: Gets what cannot be observed.
  public init(
    _ observer: FileSystemObserver, of folder: KnownFolder, state: BrowserState, activity: ActivityFeed,
    limits: LimitWatch
  ) {
    self.observer = observer
    self.folder = folder
    self.state = state
    self.activity = activity
    self.limits = limits
  }

  /// Begins to listen.
  ///
  /// Call it before the observer is started: then nothing is missed.
  public func begin() {
    let events = observer.events(startingWith: folder.cursor.map { .after($0) } ?? .now)
    let inbox = inbox
    task = Task { [weak self] in
      await Self.read(events, into: inbox) { await self?.noteNews() }
    }
  }

  /// Ends listening.
  ///
  /// What was announced before is shown, and its cursor is kept.
  public func stop() {
    task?.cancel()
    task = nil
    takeNews()
  }

  /// Looks through events on another thread.
  @concurrent private static func read(
    _ events: FileSystemObserver.Events, into inbox: Inbox, notifying news: @Sendable () async -> Void
  ) async {
    var reader = EventReader()
    do {
      for try await event in events {
        inbox.add(reader.read(event))
        await news()
      }
    } catch {
      inbox.add(.event(.didEnd(error)))
      await news()
    }
  }

  /// News are there: takes them soon, together with those that follow meanwhile.
  private func noteNews() {
    guard !isWaiting else { return }
    isWaiting = true
    Task { [weak self] in
      try? await Task.sleep(for: Self.interval)
      self?.takeNews()
    }
  }

  private func takeNews() {
    isWaiting = false
    var events: [FileSystemObserver.Event] = []
    var cursor: FileSystemObserver.Cursor?
    var digests: [ActivityDigest] = []
    for news in inbox.takeAll() {
      switch news {
      case .event(let event):
        take(event)
      case .changes(let changes):
        events.append(changes.event)
        cursor = changes.cursor ?? cursor
        digests.append(changes.activity)
      }
    }
    activity.take(digests)
    if !events.isEmpty { state.take(events, cursor, in: folder, at: .now) }
  }

  private func take(_ event: FileSystemObserver.Event) {
    if case .rootMoved(_, let path) = event { activity.follow(to: path) }
    if case .didCompleteFullScan = event { examine() }
    limits.take(event)
    onEvent?(event)
  }

  /// Examines the file systems of the folder, once it is read: an observer does not tell where it polls.
  private func examine() {
    guard !isExamined else { return }
    isExamined = true
    let directory = observer.directory
    Task { [weak self] in
      guard let found = await Self.examine(directory), let self, task != nil else { return }
      limits.take(found)
    }
  }

  /// Examines a folder on a thread that may block.
  private nonisolated static func examine(_ directory: FilePath) async -> FileSystemObserver.Examination? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(returning: try? FileSystemObserver.examine(directory))
      }
    }
  }
}

/// What a follower has read and not shown yet.
private final class Inbox: Sendable {
  private let news = Mutex<[FolderNews]>([])

  func add(_ next: FolderNews) { news.withLock { $0.append(next) } }

  func takeAll() -> [FolderNews] {
    news.withLock { news in
      defer { news = [] }
      return news
    }
  }
}
