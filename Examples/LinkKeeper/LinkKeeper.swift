// Mends the links between Markdown notes when a note, picture or folder is renamed or moved, by whatever program, and with
// a store also while this did not run: swift run LinkKeeper ~/Notes [STORE]
// Links are [text](../plans/a%20b.md#top "title"), [text]: path, [[wiki]], [[wiki|alias]], and [[folder/wiki#heading]].
import FileSystemObservation
import Foundation
#if Store
import ObservationStore
#endif

@main struct LinkKeeper {
  static func main() async throws {
    let words = CommandLine.arguments
    let vault = FileSystemObserver.Configuration(directory: FilePath(words.count > 1 ? words[1] : "/home/me/Notes"))
    var observer = FileSystemObserver(vault)
    #if Store
    if words.count > 2 { observer = FileSystemObserver(vault, store: try ObservationStore(at: FilePath(words[2]))) }
    #endif
    try await observer.start()
    var keeper = LinkKeeper(observer: observer, tree: FileSystemTree(directory: observer.directory))
    for try await event in observer.events() { keeper.take(event) }
  }

  let pattern = #/(\[\[|\](?:\(|: +)<?)([^\[\]<>|#\n]+)/#.matchingSemantics(.unicodeScalar)
  let observer: FileSystemObserver
  /// The vault as of the last event, and its files by name.
  var tree: FileSystemTree, byName: [String: [FileSystemItem.Snapshot]] = [:]
  /// What the links of each note mean, by their paths as written.
  var targets: [UUID: [String: UUID]] = [:]
  /// Notes that must be saved with other links; after each event it is tried again.
  var unmended: Set<UUID> = []

  mutating func take(_ event: FileSystemObserver.Event) {
    let changes = if case .didChange(let set) = event { set } else { FileSystemChanges([], directory: tree.directory) }
    let moves = changes.filter { $0.previousPath != nil }.flatMap { [$0] + changes.movesBelow($0) }
    // What was moved while this did not run is where it is now, and its links are as they were.
    for move in moves where targets[move.uuid] == nil { read(move.item, as: tree[move.uuid]) }
    tree.apply(event)
    if changes.isEmpty || changes.contains(where: { $0.kind != .modified }) {
      byName = Dictionary(grouping: tree.filter { $0.kind == .file }, by: \.name)
    }
    let moved = Set(moves.map(\.uuid))
    unmended.formUnion(targets.filter { moved.contains($0.key) || !moved.isDisjoint(with: $0.value.values) }.keys)
    if case .reset = event { tree.forEach { read($0) } }
    for change in changes where change.previousPath == nil && change.origin != .thisProcess { read(change.item) }
    unmended.forEach { mend($0) }
    if case .didCompleteFullScan = event { print("Keeping the links of \(targets.count) notes") }
  }

  /// Learns what the links of a note mean; one that leads nowhere means what it meant before.
  mutating func read(_ note: FileSystemItem.Snapshot, as former: FileSystemItem.Snapshot? = nil) {
    guard note.path.extension == "md", !unmended.contains(note.uuid),
      let text = try? String(contentsOf: note.url, encoding: .utf8)
    else { return }
    for link in text.matches(of: pattern).map(Link.init) {
      if let target = target(of: link, in: former ?? note) {
        targets[note.uuid, default: [:]][link.path] = target
      } else if targets[note.uuid]?[link.path] != nil {
        unmended.insert(note.uuid)
      }
    }
  }

  /// Writes where the links of a note lead now, unless another program saves it meanwhile.
  mutating func mend(_ uuid: UUID) {
    guard let note = tree[uuid], let links = targets[uuid] else { return unmended.subtract([uuid]) }
    do {
      let contents = try observer.contents(of: note.path)
      guard let old = String(data: contents.data, encoding: .utf8) else { return unmended.subtract([uuid]) }
      let new = old.replacing(pattern) { match in
        let link = Link(match)
        guard let meant = links[link.path], meant != target(of: link, in: note), let item = tree[meant]
        else { return String(match.0) }
        let path = path(to: item, in: note, for: link)
        targets[uuid]?[path] = meant
        return link.opening + path + link.rest
      }
      if new != old { try observer.replaceContents(of: note.path, with: new.utf8, ifUnchangedSince: contents.version) }
      unmended.remove(uuid)
    } catch {
      print(error)
    }
  }

  /// The item to which a link in a note leads.
  func target(of link: Link, in note: FileSystemItem.Snapshot) -> UUID? {
    let (name, folder) = (link.path.removingPercentEncoding ?? "", note.path.removingLastComponent())
    if !link.isWiki { return tree[folder.appending(name).lexicallyNormalized()]?.uuid }
    for name in [link.path + ".md", link.path] {
      if let item = tree[folder.appending(name)] ?? tree[tree.directory.appending(name)] { return item.uuid }
      if let items = byName[name], items.count == 1 { return items[0].uuid }
    }
    return nil
  }

  /// How a note writes the path of an item.
  func path(to item: FileSystemItem.Snapshot, in note: FileSystemItem.Snapshot, for link: Link) -> String {
    if link.isWiki {
      let path = byName[item.name]?.count == 1 && !link.path.contains("/") ? item.name : item.relativePath.string
      return path.hasSuffix(".md") ? String(path.dropLast(3)) : path
    }
    let (from, to) = (note.relativePath.removingLastComponent().components, item.relativePath.components)
    let common = zip(from, to).prefix { $0 == $1 }.count
    let path = Array(repeating: "..", count: from.count - common) + to.dropFirst(common).map(\.string)
    return path.joined(separator: "/").replacing(#/[ %#()<>\[\]|]/#) { "%" + String($0.0.utf8.first ?? 0, radix: 16) }
  }
}

/// A link: how it begins, its path, and what follows up to the next bracket.
struct Link {
  let opening: String, path: String, rest: String
  var isWiki: Bool { opening == "[[" }
  init(_ match: Regex<(Substring, Substring, Substring)>.Match) {
    var depth = 0
    let path = match.2.prefix { character in
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      return "[<".contains(match.1.suffix(1)) || depth >= 0 && !character.isWhitespace
    }
    (opening, self.path, rest) = (String(match.1), String(path), String(match.2[path.endIndex...]))
  }
}
