// Keeps an index of a folder from run to run, and reads only what has changed.
//
//     swift run FromOtherWatchers /home/me/Documents /home/me/.local/state/index

// This package can be built without the store. A package of your own needs no #if, nor what is below #else.
#if Store
import Dispatch
import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationStore

@main struct FromOtherWatchers {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { return print("usage: FromOtherWatchers FOLDER STATE") }
    let state = URL(filePath: arguments[2], directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    let store = try ObservationStore(at: FilePath(state.path).appending("observation.sqlite"))
    let observer = FileSystemObserver(.init(directory: FilePath(arguments[1])), store: store)
    try await observer.start()
    let requests = [SIGINT, SIGTERM].map { stop(observer, on: $0) }
    defer { withExtendedLifetime(requests) {} }

    // snippet.clock
    // Until then, a snapshot has the paths of the last run.
    await observer.synchronize()
    let clock = state.appending(path: "cursor")
    let known = (try? String(contentsOf: clock, encoding: .utf8)).flatMap { FileSystemObserver.Cursor($0) }
    for try await event in observer.events(startingWith: known.map { .after($0) } ?? .snapshot) {
      update(event)
      let cursor: FileSystemObserver.Cursor? =
        switch event {
        case .didChange(let changes): changes.cursor
        case .reset(let snapshot, _): snapshot.cursor
        default: nil
        }
      if let cursor { try Data(cursor.description.utf8).write(to: clock, options: .atomic) }
    }
    // snippet.end
  }

  // snippet.stop
  /// Stops the observer when the program is asked to end.
  ///
  /// The store then has every set, and the loop over the events ends.
  static func stop(_ observer: FileSystemObserver, on number: Int32) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { observer.stop() }
    source.activate()
    return source
  }
  // snippet.end

  // snippet.update
  static func update(_ event: FileSystemObserver.Event) {
    switch event {
    case .reset(let snapshot, _):
      print("forget everything")
      for item in snapshot where item.kind == .file && item.isComplete { print("read \(item.relativePath)") }
    case .didChange(let changes):
      for change in changes where change.item.kind == .file || change.previousPath != nil {
        update(change, isFirstScan: changes.isFirstScan)
      }
    default: break
    }
  }

  static func update(_ change: FileSystemChange, isFirstScan: Bool) {
    let path = change.item.relativePath
    switch change.event {
    // While observing, `copyFinished` follows, when the file is complete.
    case .discovered, .duplicated: if isFirstScan { print("read \(path)") }
    case .copyFinished, .modified: print("read \(path)")
    case .renamed, .moved: print("\(change.uuid.uuidString.prefix(8)) is now at \(path): nothing to read")
    case .deleted, .unlinked: print("forget \(path)")
    default: break
    }
  }
  // snippet.end
}
#else
@main struct FromOtherWatchers {
  static func main() { print("This was built without the trait Store.") }
}
#endif
