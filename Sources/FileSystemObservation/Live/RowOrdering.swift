import FileIdentity
import FoundationEssentials
import LinuxFileSystem

/// Compares the rows of a list by keys of bytes.
///
/// A key has the properties of the order, each in bytes that sort like it. No key is the beginning of another. Where two
/// are equal, the ties make the order total.
struct RowOrdering: Sendable {
  let order: FileSystemItemList.Order
  /// Whether names are among what is compared anyway.
  private let comparesNames: Bool
  /// The functions of the app in the order, and the keys that each has made, by entry.
  ///
  /// Rows stay in order whatever the functions would return by now.
  private var ownKeys: [(maker: FileSystemItemList.Order.OwnKey, keys: [NodeID: [UInt8]])]
  private var key: [UInt8] = []
  private var scratch: [UInt8] = []
  /// The entry given to `begin`, whose key is in `key`.
  private var sought = NodeID.root

  /// Makes an ordering.
  ///
  /// - Parameter former: An ordering of the same entries, whose keys of the app are kept if they are the same.
  init(_ order: FileSystemItemList.Order, after former: RowOrdering? = nil) {
    self.order = order
    let properties = order.clauses.map(\.property)
    comparesNames = properties.contains(.name)
    ownKeys = properties.compactMap { property in
      guard case .own(let maker) = property else { return nil }
      return (maker, former?.ownKeys.first { $0.maker == maker }?.keys ?? [:])
    }
  }

  /// Forgets the keys of an entry that has changed or was removed.
  mutating func forget(_ id: NodeID) {
    for index in ownKeys.indices { ownKeys[index].keys[id] = nil }
  }

  /// Forgets all keys: the entries have other numbers.
  mutating func forgetAll() {
    for index in ownKeys.indices { ownKeys[index].keys = [:] }
  }

  /// Prepares to find the place of an entry.
  mutating func begin(_ id: NodeID, in graph: FileGraph) {
    makeKey(of: id, in: graph)
    swap(&key, &scratch)
    sought = id
  }

  /// Whether an entry comes before the one given to `begin`.
  mutating func precedes(_ id: NodeID, in graph: FileGraph) -> Bool {
    makeKey(of: id, in: graph)
    return scratch == key ? precedesInTies(id, sought, in: graph) : scratch.lexicographicallyPrecedes(key)
  }

  /// Whether an entry comes before the one given to `begin`; its key is made once, and kept.
  mutating func precedes(_ id: NodeID, keeping known: inout [UInt8]?, in graph: FileGraph) -> Bool {
    if let known, known != key { return known.lexicographicallyPrecedes(key) }
    let precedes = precedes(id, in: graph)
    known = scratch
    return precedes
  }

  /// Makes the key of an entry in `scratch`, whose memory is used again and again.
  private mutating func makeKey(of id: NodeID, in graph: FileGraph) {
    var buffer: [UInt8] = []
    swap(&buffer, &scratch)
    buffer.removeAll(keepingCapacity: true)
    append(id, in: graph, to: &buffer)
    swap(&buffer, &scratch)
  }
}

// MARK: - Keys

extension RowOrdering {
  /// Appends the properties of the order, and the name.
  mutating func append(_ id: NodeID, in graph: FileGraph, to key: inout [UInt8]) {
    let node = graph[id]
    for clause in order.clauses {
      let start = key.count
      append(clause.property, of: id, node, in: graph, to: &key)
      if clause.isReversed { for index in start..<key.count { key[index] = ~key[index] } }
    }
    if !comparesNames { NaturalKey.append(graph.storage.nameBytes(id), to: &key) }
  }

  private mutating func append(
    _ property: FileSystemItemList.Order.Property, of id: NodeID, _ node: Node, in graph: FileGraph,
    to key: inout [UInt8]
  ) {
    switch property {
    case .folders: key.append(node.kind == .directory ? 0 : 1)
    case .name: NaturalKey.append(graph.storage.nameBytes(id), to: &key)
    case .own(let maker): appendOwnKey(of: id, maker, in: graph, to: &key)
    case .modificationDate: key.append(number: graph.content(of: id).modified)
    case .creationDate: key.append(number: graph.key(id).hasBirthTime ? node.born : 0)
    case .size: key.append(number: node.kind == .directory ? 0 : graph.content(of: id).size)
    case .kind:
      key.append(node.kind == .directory ? 0 : 1)
      if node.kind != .directory { Self.appendExtension(of: graph.storage.nameBytes(id), to: &key) }
      if node.kind == .directory { key.append(0) }
    }
  }

  /// Appends what makes the order total: the bytes of the name, the UUID, and the UUID of the directory, since a file
  /// may have the same name in two.
  func appendTies(_ id: NodeID, in graph: FileGraph, to key: inout [UInt8]) {
    let node = graph[id]
    key.append(contentsOf: graph.storage.nameBytes(id))
    key.append(0)
    key.append(node.uuid)
    key.append(graph[node.parent].uuid)
  }

  private static func appendExtension(of name: ArraySlice<UInt8>, to key: inout [UInt8]) {
    let dot = name.dropFirst().lastIndex(of: UInt8(ascii: "."))
    NaturalKey.append(dot.map { name[($0 + 1)...] } ?? [], to: &key)
  }

  private mutating func appendOwnKey(
    of id: NodeID, _ maker: FileSystemItemList.Order.OwnKey, in graph: FileGraph, to key: inout [UInt8]
  ) {
    guard let index = ownKeys.firstIndex(where: { $0.maker == maker }) else { return }
    if let known = ownKeys[index].keys[id] { return key.append(escaped: known) }
    let made = maker.make(
      for: UUID(graph[id].uuid), named: String(decoding: graph.storage.nameBytes(id), as: UTF8.self))
    ownKeys[index].keys[id] = made
    key.append(escaped: made)
  }
}

extension [UInt8] {
  /// Appends a number so that bytes sort like numbers.
  fileprivate mutating func append(number: Int64) {
    append(word: UInt64(bitPattern: number) ^ (1 << 63))
  }

  fileprivate mutating func append(_ uuid: UUIDBits) {
    append(word: uuid.high)
    append(word: uuid.low)
  }

  private mutating func append(word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
  }

  /// Appends bytes of any kind so that no others begin with them.
  fileprivate mutating func append(escaped bytes: [UInt8]) {
    for byte in bytes {
      append(byte)
      if byte == 0 { append(1) }
    }
    append(0)
    append(0)
  }
}
