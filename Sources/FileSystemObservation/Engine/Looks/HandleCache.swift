/// The most recently used open directories; a handle stays valid when its directory is renamed or moved.
struct HandleCache<Handle> {
  private struct Item {
    var handle: Handle
    var lastUse: UInt64
  }

  private let limit: Int
  private var items: [NodeID: Item] = [:]
  private var clock: UInt64 = 0
  /// Directories that are kept only to the end of a step.
  private var passing: [NodeID] = []

  init(limit: Int) {
    self.limit = limit
  }

  mutating func find(_ id: NodeID) -> Handle? {
    guard let index = items.index(forKey: id) else { return nil }
    clock += 1
    items.values[index].lastUse = clock
    return items.values[index].handle
  }

  /// - Parameter isPassing: Whether `removePassing()` closes it.
  mutating func insert(_ handle: Handle, for id: NodeID, isPassing: Bool = false) {
    if isPassing { passing.append(id) }
    clock += 1
    if items.count >= limit { evict() }
    items[id] = Item(handle: handle, lastUse: clock)
  }

  mutating func remove(_ id: NodeID) { items[id] = nil }
  mutating func removeAll() { items = [:] }

  mutating func removePassing() {
    if passing.isEmpty { return }
    for id in passing { items[id] = nil }
    passing = []
  }

  /// Closes the less recently used half, so that eviction is rare.
  private mutating func evict() {
    let median = items.values.map(\.lastUse).sorted()[items.count / 2]
    items = items.filter { $0.value.lastUse > median }
  }
}
