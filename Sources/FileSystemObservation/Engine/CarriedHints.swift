import FileEvents
import LinuxFileSystem

/// Hints at the end of a batch that may be the first half of something.
struct CarriedHints {
  var hints: [Hint] = []
  /// The number of the first.
  var first: UInt64 = 0
  /// The number of the hint that follows the last.
  var next: UInt64 = 0
  /// The number of the first that comes after others were lost.
  var loss: UInt64?
  /// When they are to be judged as they are.
  var due: MonotonicTime?

  /// Takes in the batch that follows.
  mutating func append(_ batch: HintBatch) {
    if hints.isEmpty { first = batch.first }
    if let index = batch.lossIndex { loss = loss ?? batch.first + UInt64(index) }
    hints += batch.hints
    next = batch.next
  }

  /// The number of one of these.
  func number(of index: Int) -> UInt64 { first + UInt64(index) }

  /// Whether hints were lost before one of these.
  func isAfterLoss(_ index: Int) -> Bool { loss.map { $0 <= number(of: index) } ?? false }

  /// Whether one of these is from before its directory was listed.
  func isEarlier(_ index: Int, than listings: ListingMarks) -> Bool {
    listings.isEarlier(number(of: index), hints[index].directory)
  }

  func isOverdue(_ now: MonotonicTime) -> Bool { due.map { $0 <= now } ?? false }
}
