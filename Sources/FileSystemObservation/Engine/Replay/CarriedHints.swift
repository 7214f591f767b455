import FileEvents
import LinuxFileSystem

/// The hints at the end of a batch that may be the first half of a rename or an exchange.
struct CarriedHints {
  var hints: [Hint] = []
  /// The number of the first hint.
  var first: UInt64 = 0
  /// The number of the hint after the last one.
  var next: UInt64 = 0
  /// The number of the first hint after a loss.
  var loss: UInt64?
  /// When the engine decides about them without more hints.
  var due: MonotonicTime?

  mutating func append(_ batch: HintBatch) {
    if hints.isEmpty { first = batch.first }
    if let index = batch.lossIndex { loss = loss ?? batch.first + UInt64(index) }
    hints += batch.hints
    next = batch.next
  }

  func number(of index: Int) -> UInt64 { first + UInt64(index) }

  /// Whether hints were lost before the hint at an index.
  func isAfterLoss(_ index: Int) -> Bool { loss.map { $0 <= number(of: index) } ?? false }

  /// Whether the hint at an index is from before its directory was listed.
  func isEarlier(_ index: Int, than listings: ListingMarks) -> Bool {
    listings.isEarlier(number(of: index), hints[index].directory)
  }

  func isOverdue(_ now: MonotonicTime) -> Bool { due.map { $0 <= now } ?? false }
}
