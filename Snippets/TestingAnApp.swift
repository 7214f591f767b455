// How an app tests what it does with changes: without files, and with real ones.
//
//     swift run TestingAnApp

import FileSystemObservation
import FoundationEssentials

// snippet.index
/// What is tested: an index of documents.
struct Index {
  private(set) var names: [UUID: String] = [:]

  mutating func take(_ event: FileSystemObserver.Event) {
    switch event {
    case .reset(let snapshot, _): names = Dictionary(snapshot.map { ($0.uuid, $0.name) }) { first, _ in first }
    case .didChange(let changes):
      for change in changes { names[change.uuid] = change.kind == .deleted ? nil : change.item.name }
    default: break
    }
  }
}
// snippet.end

@main struct TestingAnApp {
  static func main() async throws {
    aRenameIsFollowed()
    try await aFileThatIsSavedKeepsItsEntry()
    print("All is well.")
  }

  // snippet.values
  static func aRenameIsFollowed() {
    let draft = FileSystemItem.Snapshot(uuid: UUID(), relativePath: "draft.txt", directory: "/notes")
    let letter = FileSystemItem.Snapshot(uuid: draft.uuid, relativePath: "letter.txt", directory: "/notes")
    var index = Index()
    index.take(.reset(FileSystemSnapshot([draft], directory: "/notes"), .initial))
    let rename = FileSystemChange(.renamed(from: draft.path), letter)
    index.take(.didChange(FileSystemChanges([rename], directory: "/notes")))
    precondition(index.names == [draft.uuid: "letter.txt"])
  }
  // snippet.end

  // snippet.files
  static func aFileThatIsSavedKeepsItsEntry() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let observer = FileSystemObserver(directory: folder)
    let queue = try observer.makeEventQueue()
    try await observer.start()
    await observer.synchronize()

    let letter = try await observer.createFile(at: observer.directory.appending("letter.txt"))
    try Data("Dear Ada".utf8).write(to: folder.appending(path: "letter.txt"), options: .atomic)
    await observer.synchronize()

    var index = Index()
    queue.drain { index.take($0) }
    precondition(index.names == [letter.uuid: "letter.txt"])
    await observer.stop()
  }
  // snippet.end
}
