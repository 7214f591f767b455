// Keeps the links between Markdown notes when a note is renamed or moved, by whatever program. A link names a note by
// its path in the vault, for example [a plan](projects/plan.md).
import FileSystemObservation
import FoundationEssentials

@main struct LinkKeeper {
  static func main() async throws {
    let observer = FileSystemObserver(directory: FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Notes"))
    try await observer.start()
    var keeper = LinkKeeper(observer: observer)
    for try await event in observer.events() {
      switch event {
      case .reset(let snapshot, _): for item in snapshot { keeper.read(item) }
      case .didChange(let changes): for change in changes { keeper.follow(change, in: changes) }
      case .didCompleteFullScan: print("Keeping the links of \(keeper.targets.count) notes")
      default: break
      }
    }
  }

  let observer: FileSystemObserver
  /// The notes that a note links to, by the paths in its links.
  var targets: [UUID: [String: UUID]] = [:]

  mutating func follow(_ change: FileSystemChange, in changes: FileSystemChanges) {
    switch change.event {
    case .renamed, .moved: for moved in [change] + changes.movesBelow(change) { mendLinks(to: moved.item) }
    case .deleted: targets[change.uuid] = nil
    default: read(change.item)
    }
  }

  /// Notes where the links of a note lead; one that leads nowhere now still means the note that it led to before.
  mutating func read(_ note: FileSystemItem.Snapshot) {
    guard note.path.extension == "md", let text = text(of: note) else { return }
    for path in text.matches(of: /\]\(([^)]+\.md)\)/).map({ String($0.1) }) {
      let target = observer[observer.directory.appending(path)]?.uuid ?? targets[note.uuid]?[path]
      targets[note.uuid, default: [:]][path] = target
    }
  }

  /// Writes the new path of a note into all notes that link to it.
  mutating func mendLinks(to target: FileSystemItem.Snapshot) {
    let path = target.relativePath.string
    for (note, links) in targets {
      for (old, uuid) in links where uuid == target.uuid && old != path {
        guard let item = observer[note], let version = try? observer.version(ofItemAt: item.path),
          let text = text(of: item)?.replacing("](\(old))", with: "](\(path))"),
          (try? observer.replaceContents(of: item.path, with: text.utf8, ifUnchangedSince: version)) != nil
        else { continue }
        targets[note]?[old] = nil
        targets[note]?[path] = uuid
      }
    }
  }

  func text(of note: FileSystemItem.Snapshot) -> String? {
    (try? Data(contentsOf: note.url)).map { String(decoding: $0, as: UTF8.self) }
  }
}
