// Observes a folder that may be on a network, in a container or in a sandbox, and may be away for a while.
//
//     swift run NetworkFolders /media/share

import FileSystemObservation

@main struct NetworkFolders {
  static func main() async throws {
    let folder = FilePath(CommandLine.arguments.dropFirst().first ?? "/media/share")

    // snippet.mounts
    for mount in try FileSystemObserver.examine(folder).mounts {
      print("\(mount.path) (\(mount.type)): \(mount.source), because \(mount.reason)")
      if mount.takesTags == false { print("    files are known by their inodes, for no tag can be written") }
    }
    // snippet.end

    // snippet.configuration
    var configuration = FileSystemObserver.Configuration(directory: folder)
    configuration.rootLossPolicy = .waitForReturn
    let observer = FileSystemObserver(configuration)
    // snippet.end
    try await observer.start()
    for try await event in observer.events() { report(event) }
  }

  // snippet.report
  static func report(_ event: FileSystemObserver.Event) {
    switch event {
    case .diagnostic(let diagnostic) where diagnostic.code == .mountNotAnswering: print("The server does not answer.")
    case .diagnostic(let diagnostic) where diagnostic.code == .rootLost: print("The folder is away.")
    case .diagnostic(let diagnostic): print(diagnostic.message)
    case .didCompleteFullScan(let summary) where summary.reason == .rootReturned: print("The folder is back.")
    case .didCompleteFullScan(let summary): print("\(summary.itemCount) items")
    case .didChange(let changes) where !changes.isFirstScan: for change in changes { print(change) }
    default: break
    }
  }
  // snippet.end
}
