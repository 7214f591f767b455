internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// All items at one moment, parents before children, without the observed directory itself.
///
/// ```swift
/// let snapshot = observer.snapshot()
/// let document = snapshot["/home/me/Documents/letter.odt"]
/// let sameDocument = document.flatMap { snapshot[$0.uuid] }
/// ```
///
/// A snapshot is an immutable value that shares its memory with the observer. Items are created on access. The first
/// look-up by path or UUID builds tables, which takes about 0.2 s and 20 MB for a million items.
///
/// A file with several names is one item for each name, all with the same UUID: see ``FileSystemItem/Snapshot/id``.
public struct FileSystemSnapshot: RandomAccessCollection, Sendable {
  /// The number of the last set of changes that the snapshot includes.
  ///
  /// Sets with a higher number build on it.
  public let sequence: UInt64
  /// The cursor of the snapshot; `nil` if the observer has not announced anything yet.
  public let cursor: FileSystemObserver.Cursor?

  let tree: KnownTree
  let order: [NodeID]
  /// Whether the snapshot is of the whole tree.
  let isWhole: Bool

  package init(
    _ storage: GraphStorage, sequence: UInt64, directory: FilePath, epoch: UInt64? = nil,
    scope: FileSystemObserver.Scope = .all
  ) {
    tree = KnownTree(storage, directory: directory)
    self.sequence = sequence
    cursor = epoch.map { FileSystemObserver.Cursor(epoch: $0, number: sequence) }
    order = storage.entries(in: scope)
    isWhole = scope == .all
  }

  /// Makes an empty snapshot.
  init(directory: FilePath) {
    self.init(GraphStorage(), sequence: 0, directory: directory)
  }

  /// Makes a snapshot, for tests.
  ///
  /// If two items have the same path, the first counts. The directory of an item need not be among the items. Of a
  /// file with several names, only the names among the items count.
  ///
  /// - Parameters:
  ///   - items: The items, parents before children.
  ///   - directory: The observed directory.
  public init(_ items: some Sequence<FileSystemItem.Snapshot>, directory: FilePath) {
    let items = Array(items)
    let missing = MissingDirectories(of: items, below: directory)
    var tree = FileSystemTree(directory: directory)
    tree.insert(missing.items + items)
    let storage = Self.storage(of: tree, items)
    let known = KnownTree(storage, directory: directory)
    self.tree = known
    sequence = 0
    cursor = nil
    isWhole = missing.items.isEmpty
    let order = storage.entries(in: .all)
    self.order = isWhole ? order : order.filter { !missing.contains(known.item($0).relativePath) }
  }

  /// A directory has as many children as its item says: those that are not in the part are not among the items.
  private static func storage(of tree: FileSystemTree, _ items: [FileSystemItem.Snapshot]) -> GraphStorage {
    var storage = tree.graph.storage
    for item in items {
      guard let count = item.childCount, let id = tree.graph.node(atPath: item.relativePath.bytes[...]) else {
        continue
      }
      storage.nodes[id.index].size = Int64(count)
    }
    return storage
  }
}

// MARK: - Looking up

extension FileSystemSnapshot {
  /// The observed directory.
  public var directory: FilePath { tree.directory }

  /// The position of the first item.
  public var startIndex: Int { 0 }
  /// The position after the last item.
  public var endIndex: Int { order.count }

  /// The item at a position.
  public subscript(position: Int) -> FileSystemItem.Snapshot { tree.item(order[position]) }

  /// The item with a UUID; for a file with several names, the item of its oldest name.
  ///
  /// The observed directory's UUID yields that directory.
  public subscript(uuid: UUID) -> FileSystemItem.Snapshot? { tree.node(with: UUIDBits(uuid)).map(tree.item) }

  /// The item at an absolute path; the observed directory at its own path.
  public subscript(path: FilePath) -> FileSystemItem.Snapshot? { tree.node(at: path).map(tree.item) }

  /// The item at a file URL.
  public subscript(url: URL) -> FileSystemItem.Snapshot? { (try? FilePath(url)).flatMap { self[$0] } }

  /// The items directly in a directory, in no particular order; empty if it is not a directory of the tree.
  public func children(of directory: UUID) -> [FileSystemItem.Snapshot] {
    children(of: tree.node(with: UUIDBits(directory)))
  }

  /// The items directly in the directory at a path.
  public func children(of path: FilePath) -> [FileSystemItem.Snapshot] { children(of: tree.node(at: path)) }

  private func children(of directory: NodeID?) -> [FileSystemItem.Snapshot] {
    directory.map { tree.storage.children(of: $0).map(tree.item) } ?? []
  }

  /// All names of an item, the oldest first; empty if there is no such item.
  public func names(of uuid: UUID) -> [FilePath] { tree.names(of: UUIDBits(uuid)) }
}

// MARK: - Conformances

extension FileSystemSnapshot: Hashable, Codable {
  /// Whether both have equal items of the same directory, in the same order.
  public static func == (left: FileSystemSnapshot, right: FileSystemSnapshot) -> Bool {
    left.directory == right.directory && left.elementsEqual(right)
  }

  /// Hashes the directory and the number of items.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(directory)
    hasher.combine(count)
  }

  private enum Key: String, CodingKey {
    case directory, items
  }

  /// Decodes a snapshot.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decode([FileSystemItem.Snapshot].self, forKey: .items),
      directory: try values.decodePath(forKey: .directory))
  }

  /// Encodes the directory and all items, but not the cursor.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(path: directory, forKey: .directory)
    try values.encode(Array(self), forKey: .items)
  }
}

extension FileSystemSnapshot: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The directory and the number of items.
  public var description: String { "\(count.counted("item")) in \(directory.printable)" }

  /// The same as the description.
  public var debugDescription: String { description }

  /// The directory and the count only: a million items are too many for a console.
  public var customMirror: Mirror { Mirror(self, children: ["directory": directory, "count": count]) }
}
