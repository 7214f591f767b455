/// Values that expire, and are removed in bulk.
///
/// A search for expired values comes only after the table has doubled since the last one, so that the amortized cost of
/// each value is constant.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private static var fewest: Int { 256 }

  private var values: [Key: Value] = [:]
  private var limit = Self.fewest

  var count: Int { values.count }
  var keys: some Collection<Key> { values.keys }

  subscript(key: Key) -> Value? {
    get { values[key] }
    set { values[key] = newValue }
  }

  /// Sets a value, and returns those that it drops from a full table because `isRecent` rejects them.
  @discardableResult
  mutating func set(_ value: Value, for key: Key, keeping isRecent: (Value) -> Bool) -> [(key: Key, value: Value)] {
    values[key] = value
    guard values.count > limit else { return [] }
    let old = values.filter { $0.key != key && !isRecent($0.value) }
    for key in old.keys { values[key] = nil }
    limit = max(Self.fewest, 2 * values.count)
    return old.map { ($0.key, $0.value) }
  }
}
