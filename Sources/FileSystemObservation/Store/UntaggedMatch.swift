import FileIdentity
import LinuxFileSystem

/// Which items without tags are those of a stored tree that are no longer at their places.
///
/// A file is the only missing one with its size and time, or of several the one with its name. A folder is the one in
/// which most of its items were.
struct UntaggedMatch {
  /// An item on disk.
  struct Item: Sendable {
    var key: FileKey
    var kind: FileKind
    var size: Int64
    var modified: Int64
    var name: FileName
    /// The number of the directory in which it is.
    var directory: UInt32
    /// The number of a directory itself, greater than that of the one above; 0 for any other item.
    var number: UInt32
  }

  /// What a file has in common with itself at another place.
  private struct Traits: Hashable {
    var size: Int64
    var modified: Int64
    var name: FileName?
  }

  private let storage: GraphStorage
  /// The items of the tree that are not at their places.
  private let missing: [NodeID]
  /// The inodes that have been found, and what they are.
  private(set) var numbers: [NodeID: FileKey] = [:]
  /// All names of each missing file.
  private let names: [UUIDBits: [NodeID]]
  private var found: [FileKey: NodeID] = [:]

  /// - Parameters:
  ///   - missing: The items of the tree that were not found; none of them has another name at which it was.
  ///   - items: What is on disk, and was not found to be anything else.
  init(of missing: [NodeID], in storage: GraphStorage, among items: [Item]) {
    self.storage = storage
    self.missing = missing
    names = Dictionary(grouping: missing.filter { storage.nodes[$0.index].kind == .file }) { id in
      storage.nodes[id.index].uuid
    }
    // An empty file is like any other.
    let files = items.filter { $0.kind == .file && $0.size > 0 }
    matchFiles(files, byName: true)
    matchFiles(files, byName: false)
    matchFolders(items)
  }

  private mutating func matchFiles(_ files: [Item], byName: Bool) {
    let present = Dictionary(grouping: files.filter { found[$0.key] == nil }) { file in
      Traits(size: file.size, modified: file.modified, name: byName ? file.name : nil)
    }
    let lost = Dictionary(grouping: names.values.joined().filter { numbers[$0] == nil }) { id in
      let node = storage.nodes[id.index]
      return Traits(size: node.size, modified: node.modified, name: byName ? storage.name(id) : nil)
    }
    for (traits, ids) in lost {
      // Several names of one file are not several files.
      let keys = Set((present[traits] ?? []).map(\.key))
      let files = Set(ids.map { storage.nodes[$0.index].uuid })
      guard keys.count == 1, files.count == 1, let key = keys.first, let file = files.first else { continue }
      for name in names[file] ?? [] { note(name, key) }
    }
  }

  /// Matches folders from the deepest up, by what was matched in them.
  private mutating func matchFolders(_ items: [Item]) {
    let missing = Set(missing)
    let contents = Dictionary(grouping: items, by: \.directory)
    for folder in items.filter({ $0.number > 0 }).sorted(by: { $0.number > $1.number }) {
      let former = (contents[folder.number] ?? []).compactMap { found[$0.key] }
      let counts = Dictionary(grouping: former) { storage.nodes[$0.index].parent }.mapValues(\.count)
      let candidates = counts.filter { id, count in
        missing.contains(id) && numbers[id] == nil && count * 2 > storage.children(of: id).count
      }
      // Of two folders that were put together, the one of which more is there.
      if let best = candidates.min(by: { (-$0.value, $0.key.rawValue) < (-$1.value, $1.key.rawValue) }) {
        note(best.key, folder.key)
      }
    }
  }

  private mutating func note(_ id: NodeID, _ key: FileKey) {
    numbers[id] = key
    found[key] = id
  }
}
