package import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// An app's own copy of an observed tree, kept up to date by the events of a listener for the whole tree.
///
/// ```swift
/// var tree = FileSystemTree(directory: observer.directory)
/// for try await event in observer.events() {
///   tree.apply(event)
/// }
/// ```
///
/// It is a value, and touches no disk. It shares memory with the snapshot it was made from, and with its copies; a
/// change costs what it changes, however large the tree or a moved directory is. It takes about 160 bytes an item.
///
/// Two trees are equal where they are of the same directory and have the same items with the same UUIDs at the same
/// paths; the rest of what is known of the items, and ``sequence``, make no difference.
public struct FileSystemTree: Sendable {
  /// One item of the tree.
  public typealias Item = FileSystemItem.Snapshot

  /// The observed directory.
  public internal(set) var directory: FilePath
  /// The number of the set of changes after which this is the state; 0 at first.
  public internal(set) var sequence: UInt64

  var graph: FileGraph

  /// A tree without any item.
  ///
  /// - Parameter directory: The observed directory, as sets of changes name it.
  public init(directory: FilePath) {
    self.directory = directory
    sequence = 0
    graph = FileGraph(root: .unseen, uuid: Self.rootUUID)
  }

  /// The tree of a snapshot.
  ///
  /// - Complexity: O(*n*) for *n* items.
  public init(_ snapshot: FileSystemSnapshot) {
    directory = snapshot.directory
    sequence = snapshot.sequence
    graph = FileGraph(snapshot.tree.storage)
  }

  /// Puts items in, which stay in their order; of two at one path, the first.
  mutating func insert(_ items: some Sequence<FileSystemItem.Snapshot>) {
    let items = Array(items)
    // What is put in last comes first in its directory.
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

  /// The observed directory is no item.
  private static let rootUUID = UUIDBits(high: 0, low: 0)
}

// MARK: - Looking up

extension FileSystemTree {
  /// The number of items; each name of a file that has several counts.
  public var count: Int { graph.count }

  /// Whether there are no items.
  public var isEmpty: Bool { count == 0 }

  /// The item at a path below the observed directory.
  public subscript(path: FilePath) -> Item? {
    node(at: path).flatMap { $0 == .root ? nil : item($0) }
  }

  /// The item with a UUID.
  ///
  /// For a file with several names, the one that stands for it: its oldest.
  public subscript(uuid: UUID) -> Item? {
    graph.node(with: UUIDBits(uuid)).flatMap { $0 == .root ? nil : item($0) }
  }

  /// All names of the item with a UUID, the oldest first; nothing where there is no such item.
  public func names(of uuid: UUID) -> [FilePath] {
    guard let oldest = graph.node(with: UUIDBits(uuid)), oldest != .root else { return [] }
    return graph.names(of: oldest).map { graph.storage.path(of: $0, below: directory) }
  }

  /// What is directly in a directory, in no particular order; nothing where there is no such directory.
  ///
  /// - Parameter path: The observed directory, or one below it.
  public func children(of path: FilePath) -> [Item] {
    node(at: path).map { graph.storage.children(of: $0).map(item) } ?? []
  }

  private func item(_ id: NodeID) -> Item { Item(id, graph, below: directory) }

  private func node(at path: FilePath) -> NodeID? {
    directory.bytes(ofPathBelow: path).flatMap { graph.node(atPath: $0) }
  }

  /// The identity at a path relative to the observed directory.
  package func uuid(at path: ArraySlice<UInt8>) -> UUIDBits? {
    graph.node(atPath: path).flatMap { $0 == .root ? nil : graph[$0].uuid }
  }

  /// Whether some item has an identity.
  package func contains(_ uuid: UUIDBits) -> Bool { graph.node(with: uuid) != nil }

  /// Whether a path relative to the observed directory is that of a directory; the empty one is.
  package func isDirectory(at path: ArraySlice<UInt8>) -> Bool {
    graph.node(atPath: path).map { graph[$0].kind == .directory } ?? false
  }
}

extension FileSystemTree: Sequence {
  /// Gives all items, parents before what is in them.
  public struct Iterator: IteratorProtocol {
    private let tree: FileSystemTree
    private var rest: ArraySlice<NodeID>

    fileprivate init(_ tree: FileSystemTree) {
      self.tree = tree
      var order: [NodeID] = []
      tree.graph.storage.forEachDescendant(of: .root) { order.append($0) }
      rest = order[...]
    }

    /// The next item.
    public mutating func next() -> Item? { rest.popFirst().map(tree.item) }
  }

  /// Begins with what is directly in the observed directory, and goes into each directory before it goes on.
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
          isSame(left.graph[child], right.graph[other])
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

  /// Nothing of what is inside: a million items are not for a console.
  public var customMirror: Mirror { Mirror(self, children: ["directory": directory, "count": count]) }
}

extension FileGraph {
  /// The entry at a path from the root, which the empty path is.
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
  /// The bytes of a path from this directory on; none for the directory itself, nothing where the path is not below it.
  func bytes(ofPathBelow path: FilePath) -> ArraySlice<UInt8>? {
    guard path.starts(with: self) else { return nil }
    let start = bytes.count
    return path.bytes.dropFirst(start).drop { $0 == UInt8(ascii: "/") }
  }
}
