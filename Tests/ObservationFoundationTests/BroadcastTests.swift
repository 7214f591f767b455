import FileSystemObservation
import FileTestSupport
import Foundation
import ObservationFoundation
import Synchronization
import SystemPackage
import Testing

/// Notifications through the NotificationCenter.
@Suite(.timeLimit(.minutes(10))) struct BroadcastTests {
  /// The notifications of one observer, as they are posted.
  private final class Listener: Sendable {
    let notifications: AsyncStream<Posted>
    private let stop: @Sendable () -> Void

    init(_ observer: FileSystemObserver, _ names: [Notification.Name]) {
      let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
      notifications = stream
      nonisolated(unsafe) let registrations = names.map { name in
        NotificationCenter.default.addObserver(forName: name, object: observer, queue: nil) {
          continuation.yield(Posted($0))
        }
      }
      stop = { for registration in unsafe registrations { NotificationCenter.default.removeObserver(registration) } }
    }

    deinit {
      stop()
    }
  }

  /// What a notification carried.
  private struct Posted: Sendable {
    let name: Notification.Name
    let observer: FileSystemObserver?
    let summary: FileSystemObserver.ScanSummary?
    let reason: FileSystemObserver.ScanReason?
    let changes: FileSystemChanges?

    init(_ notification: Notification) {
      name = notification.name
      observer = notification.userInfo?[BroadcastKey.observer] as? FileSystemObserver
      summary = notification.userInfo?[BroadcastKey.summary] as? FileSystemObserver.ScanSummary
      reason = notification.userInfo?[BroadcastKey.scanReason] as? FileSystemObserver.ScanReason
      changes = notification.userInfo?[BroadcastKey.changes] as? FileSystemChanges
    }
  }

  private static let names: [Notification.Name] = [
    .fileSystemObserverWillBeginFullScan, .fileSystemObserverDidChange, .fileSystemObserverDidCompleteFullScan,
  ]

  @Test func aScanIsPostedWithTheObserverAndWhatItFound() async throws {
    let folder = try ScratchFolder()
    try PlainFiles.write([1], to: folder.path.appending("document"))
    let observer = FileSystemObserver(directory: URL(filePath: folder.path.string))
    let listener = Listener(observer, Self.names)
    #expect(!observer.broadcastsNotifications)
    observer.broadcastsNotifications = true
    #expect(observer.broadcastsNotifications)
    try await observer.start()
    defer { observer.stop() }
    var posted = listener.notifications.makeAsyncIterator()
    for name in Self.names {
      let notification = try #require(await posted.next())
      #expect(notification.name == name)
      #expect(notification.observer === observer)
      #expect((notification.reason == .start) == (name == .fileSystemObserverWillBeginFullScan))
      #expect((notification.summary?.itemCount == 1) == (name == .fileSystemObserverDidCompleteFullScan))
      #expect((notification.changes?.first?.kind == .discovered) == (name == .fileSystemObserverDidChange))
    }
  }

  @Test func turnedOffNothingIsPosted() async throws {
    let folder = try ScratchFolder()
    let observer = FileSystemObserver(directory: URL(filePath: folder.path.string))
    let count = Atomic<Int>(0)
    let registration = NotificationCenter.default.addObserver(
      forName: .fileSystemObserverWillBeginFullScan, object: observer, queue: nil
    ) { _ in count.add(1, ordering: .relaxed) }
    defer { NotificationCenter.default.removeObserver(registration) }
    observer.broadcastsNotifications = true
    observer.broadcastsNotifications = true
    observer.broadcastsNotifications = false
    #expect(!observer.broadcastsNotifications)
    let events = observer.events()
    try await observer.start()
    defer { observer.stop() }
    for try await event in events {
      if case .didCompleteFullScan = event { break }
    }
    #expect(count.load(ordering: .relaxed) == 0)
  }

  @Test func itCanBeTurnedOffFromWithin() async throws {
    let folder = try ScratchFolder()
    let observer = FileSystemObserver(directory: URL(filePath: folder.path.string))
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    let registration = NotificationCenter.default.addObserver(
      forName: .fileSystemObserverWillBeginFullScan, object: observer, queue: nil
    ) { notification in
      let sender = notification.object as? FileSystemObserver
      sender?.broadcastsNotifications = false
      continuation.yield(sender?.broadcastsNotifications == false)
    }
    defer { NotificationCenter.default.removeObserver(registration) }
    observer.broadcastsNotifications = true
    try await observer.start()
    defer { observer.stop() }
    var results = stream.makeAsyncIterator()
    #expect(await results.next() == true)
  }
}
