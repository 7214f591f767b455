import BrowserModel
import FileSystemObservation
import SystemPackage

import struct FoundationEssentials.UUID

/// An open folder: its observer, and what follows it.
final class FolderSession {
  let folder: KnownFolder
  let observer: FileSystemObserver
  let activity: ActivityFeed
  private let follower: FolderFollower
  private let state: BrowserState

  /// Opens a folder; nothing is observed until the start.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - state: What the app keeps.
  ///   - limits: Gets what cannot be observed.
  ///   - onEvent: Called with the progress of scans, and at the end.
  init(
    _ path: FilePath, state: BrowserState, limits: LimitWatch, onEvent: @escaping (FileSystemObserver.Event) -> Void
  ) throws {
    self.state = state
    folder = try state.open(path)
    observer = state.makeObserver(of: folder)
    activity = ActivityFeed(of: path)
    follower = FolderFollower(observer, of: folder, state: state, activity: activity, limits: limits)
    follower.onEvent = onEvent
  }

  /// Begins to observe the folder, without blocking the window.
  func start() async throws(FileSystemObserverError) {
    follower.begin()
    try await observer.start()
    noteFolder()
  }

  /// Ends it, after everything that was announced is kept.
  func stop() async {
    follower.stop()
    noteFolder()
    await observer.stop()
  }

  /// The path of the folder, wherever it is now.
  var path: FilePath { observer.directory }

  /// Remembers the folder as the last one, by its identity.
  private func noteFolder() {
    if let bookmark = try? FileBookmark(forFileAt: path) { state.preferences.lastFolder = bookmark }
  }

  /// Makes the list of a folder, with or without what is below it.
  ///
  /// - Parameter folder: The UUID of a folder in the open one; `nil` for the open one itself.
  func list(of folder: UUID?, isDeep: Bool, _ query: DocumentQuery, _ order: SortOrder) -> FileSystemItemList? {
    let path = folder.flatMap { observer[$0]?.path } ?? path
    let (filter, order) = (query.filter(state.annotations), order.order(state.annotations))
    return isDeep
      ? observer.itemList(below: path, matching: filter, sortedBy: order)
      : observer.itemList(forDirectoryAt: path, sortedBy: order, filteredBy: filter)
  }

  /// What has happened to a document, as far as the store knows, read on another thread; the newest first.
  func history(of uuid: UUID) async -> [ActivityFeed.Entry] {
    let feed = ActivityFeed(of: path, limit: 30)
    let path = path
    for entry in await Self.read(observer, uuid) where entry.change.uuid == uuid {
      let set = FileSystemChanges([entry.change], directory: path, sequence: entry.sequence)
      feed.take(ActivityDigest(set), at: entry.date)
    }
    return feed.entries
  }

  @concurrent private static func read(
    _ observer: FileSystemObserver, _ uuid: UUID
  ) async -> [FileSystemObserver.HistoryEntry] {
    (try? observer.history(of: uuid)) ?? []
  }
}
