// Says what has happened in a folder since the last time. Run it twice, and change something in between.
//
//     swift run AfterARestart /home/me/Documents /home/me/.local/state/documents.sqlite [BOOKMARK]

// This package can be built without the store. A package of your own needs no #if, nor what is below #else.
#if Store
import FileSystemObservation
import FoundationEssentials
import ObservationStore

@main struct AfterARestart {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    guard arguments.count >= 2 else { return print("usage: AfterARestart FOLDER STORE [BOOKMARK]") }

    // snippet.store
    let store = try ObservationStore(at: FilePath(arguments[1]))
    let observer = FileSystemObserver(.init(directory: FilePath(arguments[0])), store: store)
    let events = observer.events(startingWith: .now)
    try await observer.start()
    for try await event in events {
      switch event {
      case .willBeginFullScan(.resumed): print("Since the last time:")
      case .willBeginFullScan: print("This is the first time.")
      case .didChange(let changes) where !changes.isFirstScan: for change in changes { print("   ", change) }
      case .diagnostic(let diagnostic): print("Note: \(diagnostic.message)")
      case .didCompleteFullScan: return try await finish(observer, bookmark: arguments.dropFirst(2).first)
      default: break
      }
    }
    // snippet.end
  }

  static func finish(_ observer: FileSystemObserver, bookmark text: String?) async throws {
    await observer.synchronize()
    if let text { try await reopen(text, observer) }
    // snippet.bookmark
    if let document = observer.snapshot().first(where: { $0.kind == .file }) {
      print("A bookmark of \(document.relativePath): \(try FileBookmark(for: document))")
    }
    // snippet.end
    await observer.stop()
  }

  // snippet.resolve
  static func reopen(_ text: String, _ observer: FileSystemObserver) async throws {
    let bookmark = try FileBookmark(parsing: text)
    do {
      let resolution = try await bookmark.resolve(in: [.observer(observer)])
      print("The document that was \(bookmark.lastKnownPath) is \(resolution.path)")
      if resolution.isStale { print("Keep this bookmark from now on: \(resolution.bookmark)") }
    } catch {
      print(error)  // says what was looked for, and what helps
    }
  }
  // snippet.end

  // snippet.adopt
  /// Takes a document over from another library, with the UUID that it has there.
  static func take(_ data: Data, as uuid: UUID, to path: FilePath, _ observer: FileSystemObserver) async throws {
    try await observer.createFile(at: path, contents: data)
    do {
      try await observer.adopt(uuid, forItemAt: path)
    } catch {
      guard error.code == .identityInUse else { throw error }
      print("The document is here already, at \(error.path?.string ?? "another path")")
    }
  }
  // snippet.end
}
#else
@main struct AfterARestart {
  static func main() { print("This was built without the trait Store.") }
}
#endif
