/// Values by entry, with an index by directory.
///
/// The caller reports each move of an entry by `move(_:to:)`.
struct EntryTable<Value: Sendable>: Sendable {
  private struct Item: Sendable {
    var value: Value
    var directory: NodeID
  }

  private var items: [NodeID: Item] = [:]
  private var byDirectory = Multimap<NodeID, NodeID>()

  var count: Int { items.count }
  var isEmpty: Bool { items.isEmpty }
  /// All entries, in no order.
  var keys: [NodeID] { Array(items.keys) }

  subscript(id: NodeID) -> Value? { items[id]?.value }

  mutating func set(_ value: Value, for id: NodeID, in directory: NodeID) {
    if let known = items[id]?.directory, known != directory { byDirectory.remove(id, for: known) }
    items[id] = Item(value: value, directory: directory)
    byDirectory.insert(id, for: directory)
  }

  /// Changes the value of an entry in place, if it has one.
  mutating func update(_ id: NodeID, _ change: (inout Value) -> Void) {
    guard let index = items.index(forKey: id) else { return }
    change(&items.values[index].value)
  }

  @discardableResult
  mutating func remove(_ id: NodeID) -> Value? {
    guard let item = items.removeValue(forKey: id) else { return nil }
    byDirectory.remove(id, for: item.directory)
    return item.value
  }

  /// Indexes an entry under another directory.
  mutating func move(_ id: NodeID, to directory: NodeID) {
    guard let former = items[id]?.directory, former != directory else { return }
    byDirectory.remove(id, for: former)
    byDirectory.insert(id, for: directory)
    items[id]?.directory = directory
  }

  func hasEntries(in directory: NodeID) -> Bool { byDirectory.hasMembers(directory) }

  /// The entries of a directory, in the order of their numbers.
  func entries(in directory: NodeID) -> [NodeID] {
    byDirectory.members(of: directory).sorted { $0.rawValue < $1.rawValue }
  }
}
