// The classes of older libraries, which are built on an observer: a watcher of an inbox, and a monitor of one file.
//
//     swift run FromOlderLibraries /home/me/Inbox

import Dispatch
import FileSystemObservation
import Foundation
import ObservationCompatibility

@main struct FromOlderLibraries {
  @MainActor static func main() {
    let inbox = URL(filePath: CommandLine.arguments.dropFirst().first ?? "/home/me/Inbox", directoryHint: .isDirectory)

    // snippet.watcher
    let watcher = DirectoryWatcher(
      at: FilePath(inbox.path),
      changesStarted: { print("something happens") },
      filesAdded: { paths in for path in paths { print("added, and complete: \(path)") } },
      filesRemoved: { paths in for path in paths { print("removed: \(path)") } },
      changesEnded: { print("nothing is being copied any more") })
    if let failure = watcher.failure { return print(failure) }
    // snippet.end

    // snippet.monitor
    let letter = inbox.appending(path: "letter.txt")
    let monitor = FileSystemObjectMonitor(fileURL: letter, options: [.dataDidChange, .wasRenamed]) { event in
      switch event {
      case .dataDidChange(let url): print("saved: \(url.lastPathComponent)")
      case .wasRenamed(let old, let new): print("renamed: \(old.lastPathComponent) to \(new.lastPathComponent)")
      default: break
      }
    }
    monitor.startMonitoring()
    // snippet.end
    print("Watching \(watcher.watchedPath) and \(monitor.fileURL.lastPathComponent)")
    withExtendedLifetime((watcher, monitor)) { dispatchMain() }
  }
}
