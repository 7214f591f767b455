package import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// An app's own copy of an observed tree, or of a part of it, updated by the events of a listener.
///
/// ```swift
/// var tree = FileSystemTree(directory: observer.directory)
/// for try await event in observer.events() {
///   tree.apply(event)
/// }
/// ```
///
/// A tree is a value, and does not access the disk. It shares memory with the snapshot it was made from and with its
/// copies. The cost of a change does not depend on the size of the tree or of a moved directory. It takes about 160
/// bytes an item.
///
/// The tree of a listener for a part (``FileSystemObserver/Scope``) begins with the listener's first event: a snapshot,
/// or the set of a first scan. It has the items of that part only. The folders above them are no items of it, though
/// they are in the paths: they are not counted and not found.
///
/// Two trees are equal if they are of the same directory and have the same items with the same UUIDs at the same paths.
/// Other properties of the items, and ``sequence``, are not compared.
public struct FileSystemTree: Sendable {
  /// One item of the tree.
  public typealias Item = FileSystemItem.Snapshot

  /// The observed directory.
  public internal(set) var directory: FilePath
  /// The number of the last applied set of changes; 0 at first.
  public internal(set) var sequence: UInt64
  /// The cursor after the last applied set, with which a listener goes on from this tree; `nil` at first.
  public internal(set) var cursor: FileSystemObserver.Cursor?

  var graph: FileGraph
  /// The folders above the items of a part, which are no items; `nil` for the whole tree.
  var foldersAbove: Set<NodeID>?

  /// Makes an empty tree.
  ///
  /// - Parameter directory: The observed directory, as sets of changes name it.
  public init(directory: FilePath) {
    self.directory = directory
    sequence = 0
    graph = FileGraph(root: .unseen, uuid: Self.rootUUID)
  }

  /// Makes the tree of a snapshot: of the part of it, if the snapshot is that of a part.
  ///
  /// - Complexity: O(*n*) for *n* items.
  public init(_ snapshot: FileSystemSnapshot) {
    self.init(directory: snapshot.directory)
    sequence = snapshot.sequence
    cursor = snapshot.cursor
    let storage = snapshot.tree.storage
    if snapshot.isWhole { graph = FileGraph(storage) } else { becomePart(of: storage, with: snapshot) }
  }

  /// Has some items of a tree, and none but those.
  mutating func becomePart(of whole: GraphStorage, with items: some Sequence<Item>) {
    graph = FileGraph(root: .unseen, uuid: whole.isLive(.root) ? whole.nodes[0].uuid : Self.rootUUID)
    foldersAbove = []
    insert(items)
  }

  /// Inserts items in order; if two have the same path, the first counts.
  mutating func insert(_ items: some Sequence<FileSystemItem.Snapshot>) {
    let items = Array(items)
    // The last inserted item comes first in its directory.
    apply(
      items.reversed().map { item in
        TreeStep(FileSystemChange(.discovered(isCopying: item.isCopying, isReturned: false), item), below: directory)
      })
    for item in items where item.nameCount > 1 && !item.isFurtherName { orderNames(of: item) }
    if let root = items.first(where: { $0.relativePath.components.count == 1 })?.parent {
      graph.setIdentity(.root, uuid: UUIDBits(root), key: .unseen)
    }
  }

  private mutating func orderNames(of item: Item) {
    for name in item.names.reversed() {
      if let id = node(at: name), graph[id].uuid == UUIDBits(item.uuid) { graph.makeOldest(id) }
    }
  }

  /// The root's placeholder UUID: the observed directory is not an item.
  private static let rootUUID = UUIDBits(high: 0, low: 0)
}

// MARK: - Looking up

extension FileSystemTree {
  /// The number of items; each name of a file counts.
  public var count: Int { graph.count - (foldersAbove?.count ?? 0) }

  /// Whether there are no items.
  public var isEmpty: Bool { count == 0 }

  /// The item at an absolute path; `nil` for the observed directory itself.
  public subscript(path: FilePath) -> Item? {
    node(at: path).flatMap { isItem($0) ? item($0) : nil }
  }

  /// The item with a UUID; for a file with several names, the item of its oldest name.
  public subscript(uuid: UUID) -> Item? {
    graph.node(with: UUIDBits(uuid)).flatMap { isItem($0) ? item($0) : nil }
  }

  /// All names of the item with a UUID, the oldest first; empty if there is no such item.
  public func names(of uuid: UUID) -> [FilePath] {
    guard let oldest = graph.node(with: UUIDBits(uuid)), isItem(oldest) else { return [] }
    return graph.names(of: oldest).map { graph.storage.path(of: $0, below: directory) }
  }

  /// The items directly in a directory, in no particular order; empty if there is no such directory.
  ///
  /// - Parameter path: The observed directory, or one below it.
  public func children(of path: FilePath) -> [Item] {
    node(at: path).map { graph.storage.children(of: $0).filter(isItem).map(item) } ?? []
  }

  /// Whether an entry is an item, and not the observed directory or a folder above a part.
  private func isItem(_ id: NodeID) -> Bool { id != .root && !isAbove(id) }

  private func isAbove(_ id: NodeID) -> Bool { foldersAbove?.contains(id) ?? false }

  private func item(_ id: NodeID) -> Item { Item(id, graph, below: directory) }

  private func node(at path: FilePath) -> NodeID? {
    directory.bytes(ofPathBelow: path).flatMap { graph.node(atPath: $0) }
  }

  /// The UUID of the item at a path relative to the observed directory.
  package func uuid(at path: ArraySlice<UInt8>) -> UUIDBits? {
    graph.node(atPath: path).flatMap { isItem($0) ? graph[$0].uuid : nil }
  }

  /// Whether the tree has an item with a UUID.
  package func contains(_ uuid: UUIDBits) -> Bool { graph.node(with: uuid).map { !isAbove($0) } ?? false }

  /// Whether a directory is at a path relative to the observed directory; true for the empty path.
  package func isDirectory(at path: ArraySlice<UInt8>) -> Bool {
    graph.node(atPath: path).map { graph[$0].kind == .directory } ?? false
  }
}

extension FileSystemTree: Sequence {
  /// An iterator over all items, parents before children.
  public struct Iterator: IteratorProtocol {
    private let tree: FileSystemTree
    private var rest: ArraySlice<NodeID>

    fileprivate init(_ tree: FileSystemTree) {
      self.tree = tree
      var order: [NodeID] = []
      tree.graph.storage.forEachDescendant(of: .root) { if !tree.isAbove($0) { order.append($0) } }
      rest = order[...]
    }

    /// The next item.
    public mutating func next() -> Item? { rest.popFirst().map(tree.item) }
  }

  /// Makes an iterator that visits each directory's contents before the next sibling.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The number of items.
  public var underestimatedCount: Int { count }
}

extension FileSystemTree: Equatable {
  /// Whether two trees have the same items at the same paths.
  ///
  /// - Complexity: O(*n*) for *n* items.
  public static func == (left: FileSystemTree, right: FileSystemTree) -> Bool {
    guard left.directory == right.directory, left.count == right.count else { return false }
    var directories = [(left: NodeID.root, right: NodeID.root)]
    while let (leftDirectory, rightDirectory) = directories.popLast() {
      for child in left.graph.storage.children(of: leftDirectory) {
        let name = left.graph.storage.nameBytes(child)
        guard let other = right.graph.node(named: name.span, in: rightDirectory),
          left.isAbove(child) == right.isAbove(other),
          left.isAbove(child) || isSame(left.graph[child], right.graph[other])
        else { return false }
        directories.append((child, other))
      }
    }
    return true
  }

  private static func isSame(_ left: Node, _ right: Node) -> Bool {
    left.uuid == right.uuid && FileSystemItem.Kind(left.kind) == FileSystemItem.Kind(right.kind)
      && left.flags.contains(.copying) == right.flags.contains(.copying)
  }
}

extension FileSystemTree: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The directory and the number of items.
  public var description: String { "\(count.counted("item")) in \(directory.printable)" }

  /// The same as the description.
  public var debugDescription: String { description }

  /// The directory and the count only: a million items are too many for a console.
  public var customMirror: Mirror { Mirror(self, children: ["directory": directory, "count": count]) }
}

extension FileGraph {
  /// The entry at a path from the root; the root for the empty path.
  func node(atPath path: ArraySlice<UInt8>) -> NodeID? {
    var directory = NodeID.root
    var rest = path
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      let name = rest[..<end]
      guard let next = node(named: name.span, in: directory) else { return nil }
      directory = next
      rest = rest[min(end + 1, rest.endIndex)...]
    }
    return directory
  }
}

extension FilePath {
  /// The bytes of a path relative to this directory; empty for the directory itself, `nil` for a path outside it.
  func bytes(ofPathBelow path: FilePath) -> ArraySlice<UInt8>? {
    guard path.starts(with: self) else { return nil }
    let start = bytes.count
    return path.bytes.dropFirst(start).drop { $0 == UInt8(ascii: "/") }
  }
}
