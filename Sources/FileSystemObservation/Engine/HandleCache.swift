/// Open directories that were used last: the prober looks at entries relative to them.
///
/// A handle stays right when its directory is renamed or moved; that is the point of it.
struct HandleCache<Handle> {
  private struct Item {
    var handle: Handle
    var lastUse: UInt64
  }

  private let limit: Int
  private var items: [NodeID: Item] = [:]
  private var clock: UInt64 = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func find(_ id: NodeID) -> Handle? {
    guard let index = items.index(forKey: id) else { return nil }
    clock += 1
    items.values[index].lastUse = clock
    return items.values[index].handle
  }

  mutating func insert(_ handle: Handle, for id: NodeID) {
    clock += 1
    if items.count >= limit { evict() }
    items[id] = Item(handle: handle, lastUse: clock)
  }

  mutating func remove(_ id: NodeID) { items[id] = nil }
  mutating func removeAll() { items = [:] }

  /// Lets go of the half that was not used for longest, so that this is rare.
  private mutating func evict() {
    let median = items.values.map(\.lastUse).sorted()[items.count / 2]
    items = items.filter { $0.value.lastUse > median }
  }
}
