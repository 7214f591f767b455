// Observes several folders as one space of identities: what moves from one to another is the same document.
//
//     swift run SeveralFolders /home/me/Documents /home/me/Pictures

import FileSystemObservation

@main struct SeveralFolders {
  static func main() async throws {
    // snippet.observer
    var folders: [FilePath] = ["/home/me/Documents", "/home/me/Pictures", "/media/me/stick/Notes"]
    // snippet.end
    let arguments = CommandLine.arguments.dropFirst().map { FilePath($0) }
    if !arguments.isEmpty { folders = arguments }
    // snippet.observer
    let observer = FileSystemObserver(.init(directories: folders))
    // snippet.end
    try await observer.start()
    for try await event in observer.events() {
      switch event {
      case .didCompleteFullScan: print("Observing what is in \(folders.count) folders, below \(observer.directory)")
      case .didChange(let changes) where !changes.isFirstScan: for change in changes { print(change) }
      default: break
      }
    }
  }
}
