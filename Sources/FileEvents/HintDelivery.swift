/// Hands hints to whoever takes them, numbered in the order in which they are delivered.
struct HintDelivery: Sendable {
  var handler: @Sendable (HintBatch) -> Void = { _ in }
  /// How many have been delivered.
  private(set) var count: UInt64 = 0

  /// Numbers the hints of a batch, and hands it over unless there is nothing in it.
  mutating func deliver(_ made: consuming HintBatch) {
    var batch = made
    batch.first = count
    count += UInt64(batch.hints.count)
    batch.next = count
    if !batch.isEmpty { handler(batch) }
  }
}
