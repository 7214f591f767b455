// Saves a note without overwriting what another program has written meanwhile, and tells its own saves from others'.
//
//     swift run OwnSaves /home/me/Documents

import FileSystemObservation
import FoundationEssentials

// snippet.save
/// A note in an editor.
struct OpenNote {
  let uuid: UUID
  let observer: FileSystemObserver
  var text = ""
  private var version: FileSystemObserver.ContentVersion?

  init(_ uuid: UUID, _ observer: FileSystemObserver) async throws {
    self.uuid = uuid
    self.observer = observer
    try await read()
  }

  /// Reads the note wherever it is by now.
  mutating func read() async throws {
    let contents = try await observer.contents(ofItemWith: uuid)
    guard let text = String(data: contents.data, encoding: .utf8) else { throw CocoaError(.fileReadCorruptFile) }
    (self.text, version) = (text, contents.version)
  }

  /// Saves the note wherever it is by now.
  ///
  /// Returns false if another program has saved it since it was read; then nothing is written.
  mutating func save(notifying audience: FileSystemObserver.Audience = .everyone) async throws -> Bool {
    do {
      let saved = try await observer.replaceContents(
        ofItemWith: uuid, with: text.utf8, ifUnchangedSince: version, notifying: audience)
      version = saved.version
      return true
    } catch {
      if error.code == .contentsChanged { return false }
      throw error
    }
  }
}
// snippet.end

@main struct OwnSaves {
  static func main() async throws {
    let folder = FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Documents")
    let observer = FileSystemObserver(directory: folder)
    // snippet.origin
    let token = observer.addNotificationBlock { _, event in
      guard case .didChange(let changes) = event, !changes.isForReplayOnly else { return }
      for change in changes where change.kind == .modified {
        print("\(change.item.name) was saved by", change.origin == .thisProcess ? "this app" : "another program")
      }
    }
    // snippet.end
    try await observer.start()
    await observer.synchronize()

    // snippet.conflict
    let path = folder.appending("note.txt")
    _ = try? await observer.createFile(at: path)  // unless it is there
    guard let item = observer[path] else { return }
    var note = try await OpenNote(item.uuid, observer)
    note.text = "Milk\n"
    print("saved:", try await note.save())
    note.text += "Bread\n"
    print("saved, and the block is not called:", try await note.save(notifying: .others(than: token)))

    let list = folder.appending("list.txt")
    try FileManager.default.moveItem(atPath: path.string, toPath: list.string)  // another program
    note.text += "Salt\n"
    print("saved:", try await note.save())
    try Data("Milk\nBread\nTea\n".utf8).write(to: URL(filePath: list.string))  // another program
    note.text += "Butter\n"
    print("saved:", try await note.save())
    try await note.read()
    note.text += "Butter\n"
    print("saved after reading it again:", try await note.save())
    // snippet.end
    try await observer.renameItem(at: list, to: "note.txt")
    await observer.synchronize()
    withExtendedLifetime(token) { observer.stop() }
  }
}
