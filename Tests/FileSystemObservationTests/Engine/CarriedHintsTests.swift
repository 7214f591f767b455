import FileEvents
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Hints that wait for the next batch, and which of them are older than a listing or a loss.
struct CarriedHintsTests {
  private static func batch(_ count: Int, from first: UInt64, lostAfter index: Int? = nil) -> HintBatch {
    let hints = (0..<count).map { _ in Hint(directory: MarkID(rawValue: 1), kinds: .created) }
    var batch = HintBatch(hints: Array(hints.prefix(index ?? count)), first: first)
    guard let index else { return batch }
    batch.noteLoss()
    batch.append(HintBatch(hints: Array(hints.dropFirst(index)), first: first + UInt64(index)))
    return batch
  }

  @Test func theNextBatchGoesOnWithTheirNumbers() {
    var carried = CarriedHints()
    carried.append(Self.batch(2, from: 10))
    carried.append(Self.batch(3, from: 12))
    #expect(carried.first == 10 && carried.next == 15 && carried.hints.count == 5 && carried.number(of: 3) == 13)
  }

  @Test func aLossStaysWhereItWas() {
    var carried = CarriedHints()
    carried.append(Self.batch(2, from: 10))
    carried.append(Self.batch(3, from: 12, lostAfter: 1))
    carried.append(Self.batch(2, from: 15, lostAfter: 0))
    #expect((0..<7).map { carried.isAfterLoss($0) } == [false, false, false, true, true, true, true])
  }

  @Test func onlyWhatWasListedSinceIsOlder() {
    var (carried, listings) = (CarriedHints(), ListingMarks())
    carried.append(Self.batch(3, from: 10))
    listings.insert(MarkID(rawValue: 2), at: 13)
    #expect(!carried.isEarlier(0, than: listings))
    listings.insert(MarkID(rawValue: 1), at: 12)
    #expect((0..<3).map { carried.isEarlier($0, than: listings) } == [true, true, false])
  }

  @Test func listingsAreForgottenWhenAllBeforeTheNewestIsHandled() {
    var listings = ListingMarks()
    for (number, delivered) in [(1, 20), (2, 10)] as [(Int32, UInt64)] {
      listings.insert(MarkID(rawValue: number), at: delivered)
    }
    listings.forget(before: 19)
    #expect(listings.isEarlier(9, MarkID(rawValue: 2)) && listings.isEarlier(19, MarkID(rawValue: 1)))
    listings.forget(before: 20)
    #expect(!listings.isEarlier(9, MarkID(rawValue: 2)) && !listings.isEarlier(19, MarkID(rawValue: 1)))
  }

  @Test func theyAreJudgedWhenTheyAreDue() {
    var carried = CarriedHints()
    #expect(!carried.isOverdue(.init(nanoseconds: .max)))
    carried.due = MonotonicTime(nanoseconds: 5)
    #expect(!carried.isOverdue(.init(nanoseconds: 4)) && carried.isOverdue(.init(nanoseconds: 5)))
  }
}
