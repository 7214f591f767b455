// A program for TOFileSystemObserver, as it is with this library.
//
//     swift run FromTOFileSystemObserver /home/me/Documents

import Dispatch
import FileSystemObservation
import Foundation
import ObservationFoundation

@main struct FromTOFileSystemObserver {
  @MainActor static func main() throws {
    // snippet.observer
    let observer = FileSystemObserver(
      directory: FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Documents"))
    observer.excludedItems = ["/Inbox"]
    observer.includedDirectoryLevels = 3
    observer.broadcastsNotifications = true
    // snippet.end

    // snippet.block
    let token = observer.addNotificationBlock(on: MainActor.shared) { observer, event in
      switch event {
      case .willBeginFullScan: print("Scanning \(observer.directoryURL.path)")
      case .didCompleteFullScan(let summary): print("\(summary.itemCount) items")
      case .didChange(let changes):
        for item in changes.changes(ofKind: .discovered).map(\.item) { print("discovered", item.url.path) }
        for item in changes.changes(ofKind: .modified).map(\.item) { print("modified", item.url.path) }
        for item in changes.changes(ofKind: .deleted).map(\.item) { print("deleted", item.url.path) }
        for change in changes { if let old = change.previousPath { print("moved", old, change.path) } }
      default: break
      }
    }
    // snippet.end

    // snippet.notifications
    let name = Notification.Name.fileSystemObserverDidChange
    let center = NotificationCenter.default.addObserver(forName: name, object: observer, queue: nil) { notification in
      guard let changes = notification.userInfo?[BroadcastKey.changes] as? FileSystemChanges else { return }
      print("notified of \(changes.count) changes")
    }
    // snippet.end

    try observer.start()
    withExtendedLifetime((token, center)) { dispatchMain() }
  }
}
