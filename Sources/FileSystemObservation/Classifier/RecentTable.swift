/// Values that are of account for a while only: those that are not any more are forgotten when there are many.
///
/// They are looked through only when as many have come again as were left the last time, so that each costs the same
/// however many there are.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private static var fewest: Int { 256 }

  private var values: [Key: Value] = [:]
  private var limit = Self.fewest

  var count: Int { values.count }
  var keys: some Collection<Key> { values.keys }

  /// The value of a key, which may be removed.
  subscript(key: Key) -> Value? {
    get { values[key] }
    set { values[key] = newValue }
  }

  /// Sets a value; where there are too many, those go of which the closure says that they are of no account.
  ///
  /// - Returns: Those that went.
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
