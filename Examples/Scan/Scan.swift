// Scans a folder, prints the result, and then prints what happens in it until you press ^C.
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

    // 1. An observer observes one folder and everything in it. A configuration has options; the defaults suit a
    //    document app.
    let observer = FileSystemObserver(directory: URL(filePath: path, directoryHint: .isDirectory).absoluteURL)

    // 2. Notification blocks get all events. Keep the token: releasing it ends the registration. The block runs on the
    //    observer's own threads, one event at a time, unless you pass a queue.
    let token = observer.addNotificationBlock { observer, event in
      show(event, of: observer)
    }

    // 3. The start opens the folder; the scan continues in the background. An error says what to do about it.
    do {
      try observer.start()
    } catch {
      print(error)
      exit(EXIT_FAILURE)
    }

    withExtendedLifetime(token) { dispatchMain() }
  }

  static func show(_ event: FileSystemObserver.Event, of observer: FileSystemObserver) {
    switch event {
    case .willBeginFullScan:
      print("Scanning \(observer.directory) …")

    // All changes of the scan were announced before. Files without a UUID have got one.
    case .didCompleteFullScan(let summary):
      print("\(summary.itemCount) items, \(summary.taggedCount) of them newly tagged. Now change something …")

    // The tree changed from one state to the next. Replaying all sets of changes yields exactly the tree on disk.
    case .didChange(let changes):
      for change in changes { show(change) }

    // This program fell behind, and changes were dropped: start again from the snapshot.
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

    // Events of later versions of the library.
    @unknown default: break
    }
  }

  /// A change identifies its document by UUID, which survives renames, moves and saves.
  static func show(_ change: FileSystemChange) {
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
    // Announced only to listeners that ask for them.
    case .attributesChanged, .activity, .propertiesChanged: break
    @unknown default: print(document, change.kind.rawValue)
    }
  }
}
