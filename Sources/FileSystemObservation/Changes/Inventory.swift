public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// All items at one moment, parents before children; the observed directory itself is not among them.
///
/// It is a snapshot that shares its memory with the observer: cheap to take, and it stays as it is.
public struct Inventory: RandomAccessCollection, Sendable {
  /// One item.
  public struct Item: Sendable, Hashable {
    /// The item's identity.
    public let uuid: UUID
    /// Whether it is a file, a directory or a symbolic link.
    public let itemKind: ItemKind
    /// Where it is.
    public let path: FilePath
    /// Whether it is still being written.
    public let isCopying: Bool
    /// What the UUID rests on.
    public let identityKind: IdentityKind

    /// `path` as a file URL.
    public var url: URL { URL(path, itemKind) }
  }

  /// The change set after which this is the state.
  ///
  /// Sets with a higher number follow; the first of them may say again what the inventory has already.
  public let sequence: UInt64
  /// The observed directory.
  public let directory: FilePath

  let storage: GraphStorage
  private let order: [NodeID]

  init(_ storage: GraphStorage, sequence: UInt64, directory: FilePath) {
    self.storage = storage
    self.sequence = sequence
    self.directory = directory
    var order: [NodeID] = []
    storage.forEachDescendant(of: .root) { order.append($0) }
    self.order = order
  }

  /// An inventory of nothing.
  init(directory: FilePath) {
    storage = GraphStorage()
    sequence = 0
    self.directory = directory
    order = []
  }

  /// The position of the first item.
  public var startIndex: Int { 0 }
  /// The position after the last item.
  public var endIndex: Int { order.count }

  /// The item at a position.
  ///
  /// Its path is made when it is asked for.
  public subscript(position: Int) -> Item {
    Item(order[position], storage, below: directory)
  }
}

extension Inventory.Item {
  init(_ id: NodeID, _ storage: GraphStorage, below directory: FilePath) {
    let node = storage.nodes[id.index]
    self.init(
      uuid: UUID(node.uuid), itemKind: ItemKind(node.kind), path: storage.path(of: id, below: directory),
      isCopying: node.flags.contains(.copying), identityKind: node.flags.contains(.tagged) ? .tag : .fileKey)
  }
}
