// Scans a folder, says what it found, and then what happens in it, until you press ^C.
//
//     swift run scan ~/Documents

import Dispatch
import FileSystemObservation
import FoundationEssentials
import Glibc

@main
struct Scan {
  static func main() {
    let path = CommandLine.arguments.dropFirst().first ?? "."

    // 1. An observer knows one folder and everything in it. Options say how it works; the defaults suit a document app.
    let observer = FileSystemObserver(directory: URL(filePath: path, directoryHint: .isDirectory).absoluteURL)

    // 2. What it finds and what happens is told to notification blocks. Keep the token: dropping it ends the notifications.
    //    The block runs on a thread of the observer's own, one notification at a time, unless you name a queue.
    let token = observer.addNotificationBlock { observer, notification in
      tell(notification, of: observer)
    }

    // 3. Starting opens the folder; the scan goes on in the background. What can go wrong is told with what to do about it.
    do {
      try observer.start()
    } catch {
      print(error)
      exit(EXIT_FAILURE)
    }

    withExtendedLifetime(token) { dispatchMain() }
  }

  static func tell(_ notification: ObservationNotification, of observer: FileSystemObserver) {
    switch notification {
    case .willBeginFullScan:
      print("Scanning \(observer.directory.path()) …")

    // The scan has told everything it found as changes before, and has given a UUID to every file that had none.
    case .didCompleteFullScan(let summary):
      print("\(summary.itemCount) items, \(summary.taggedCount) of them newly tagged. Now change something …")

    // The tree has gone from one state to the next. Replaying all change sets gives exactly what is on disk.
    case .didChange(let changeSet):
      for change in changeSet.changes { tell(change) }

    // This program was too slow to follow, and changes were dropped: start anew from what is there now.
    case .mustRescan(let inventory):
      print("Changes were missed. There are \(inventory.count) items now.")

    case .diagnostic(let diagnostic):
      print(diagnostic.message)

    case .didEnd(let error):
      print(error)
      exit(EXIT_FAILURE)
    }
  }

  /// A change names its document by UUID, which stays the same whatever the document is called and however it is saved.
  static func tell(_ change: Change) {
    let document = change.uuid.uuidString.prefix(8)
    switch change.kind {
    case .discovered where change.isCopying: print(document, "is being copied to", change.path)
    case .discovered: print(document, "is at", change.path)
    case .copyFinished: print(document, "is complete")
    case .modified: print(document, "was changed:", change.path)
    case .renamed: print(document, "is now called", change.path.lastComponent?.string ?? "")
    case .moved: print(document, "is now at", change.path)
    case .duplicated: print(document, "is a copy:", change.path, "of", change.originalPath ?? "")
    case .linked: print(document, "has another name:", change.path)
    case .unlinked: print(document, "has lost a name:", change.path)
    case .deleted: print(document, "is gone:", change.reason?.rawValue ?? "")
    }
  }
}
