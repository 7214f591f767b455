import FileSystemObservation
import Foundation
import Synchronization
import SystemPackage

/// This library, in this process: a notification block.
final class Observer: Contender {
  let name = "FileSystemObservation"
  let sightings = Sightings()
  private let running = Mutex<(FileSystemObserver, NotificationToken)?>(nil)

  func begin(in folder: Folder) throws {
    let observer = FileSystemObserver(directory: URL(filePath: folder.path))
    let isReady = DispatchSemaphore(value: 0)
    let isWatching = Mutex(false)
    let token = observer.addNotificationBlock { [sightings] _, notification in
      let now = Moment.now
      switch notification {
      case .didCompleteFullScan:
        isWatching.withLock { $0 = true }
        isReady.signal()
      case .didChange(let set) where isWatching.withLock({ $0 }):
        for change in set { sightings.note(change.kind.rawValue, change.path.string, at: now) }
      default: break
      }
    }
    running.withLock { $0 = (observer, token) }
    try observer.start()
    isReady.wait()
  }

  func end() {
    running.withLock { running in
      running?.0.stop()
      running = nil
    }
  }

  func sight(of happening: Happening) -> Sightings.Sight {
    Sightings.Sight(word: happening.change.rawValue, path: happening.path)
  }
}
