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

    // 2. What it finds and what happens is told to notification blocks. Keep the token: dropping it ends the
    //    notifications. The block runs on a thread of the observer's own, one notification at a time, unless you name a
    //    queue.
    let token = observer.addNotificationBlock { observer, event in
      tell(event, of: observer)
    }

    // 3. Starting opens the folder; the scan goes on in the background. What can go wrong is told with what to do about
    //    it.
    do {
      try observer.start()
    } catch {
      print(error)
      exit(EXIT_FAILURE)
    }

    withExtendedLifetime(token) { dispatchMain() }
  }

  static func tell(_ event: FileSystemObserver.Event, of observer: FileSystemObserver) {
    switch event {
    case .willBeginFullScan:
      print("Scanning \(observer.directory) …")

    // The scan has told everything it found as changes before, and has given a UUID to every file that had none.
    case .didCompleteFullScan(let summary):
      print("\(summary.itemCount) items, \(summary.taggedCount) of them newly tagged. Now change something …")

    // The tree has gone from one state to the next. Replaying all change sets gives exactly what is on disk.
    case .didChange(let changes):
      for change in changes { tell(change) }

    // This program was too slow to follow, and changes were dropped: start anew from what is there now.
    case .reset(let snapshot, _):
      print("Changes were missed. There are \(snapshot.count) items now.")

    case .scanProgress(let progress):
      print(progress)

    case .rootMoved(_, let path):
      print("The folder is \(path) now.")

    case .diagnostic(let diagnostic):
      print(diagnostic.message)

    case .didEnd(let error):
      print(error)
      exit(EXIT_FAILURE)

    // What a later version of the library may tell besides.
    @unknown default: break
    }
  }

  /// A change names its document by UUID, which stays the same whatever the document is called and however it is saved.
  static func tell(_ change: FileSystemChange) {
    let (document, path) = (change.uuid.uuidString.prefix(8), change.item.relativePath)
    switch change.event {
    case .discovered(isCopying: true, _): print(document, "is being copied to", path)
    case .discovered: print(document, "is at", path)
    case .copyFinished: print(document, "is complete:", change.item.size, "bytes")
    case .modified: print(document, "was changed:", path)
    case .renamed: print(document, "is now called", change.item.name)
    case .moved: print(document, "is now at", path)
    case .duplicated(let original): print(document, "is a copy:", path, "of", original.path)
    case .linked: print(document, "has another name:", path)
    case .unlinked: print(document, "has lost a name:", path)
    case .deleted(let reason): print(document, "is gone:", reason)
    // Only for listeners that ask for them.
    case .attributesChanged, .activity: break
    @unknown default: print(document, change.kind.rawValue)
    }
  }
}
