import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What could not be seen, and for how long that matters.
struct CoverageTests {
  private let one = NodeID(index: 1)
  private let two = NodeID(index: 2)
  private let start = MonotonicTime(nanoseconds: 1_000)
  private var coverage = Coverage()

  @Test mutating func gapsOfOneKindAreCounted() {
    #expect(coverage.set(.unlistable, of: one) && !coverage.set(.unlistable, of: one))
    coverage.set(.needsListing, of: one)
    coverage.set(.unlistable, of: two)
    #expect(coverage.count(of: .unlistable) == 2 && coverage.count(of: .needsListing) == 1)
    #expect(coverage[one] == [.unlistable, .needsListing])
    coverage.end(.unlistable)
    #expect(coverage.count(of: .unlistable) == 0 && coverage.entries(with: .needsListing) == [one])
    coverage.forget(one)
    #expect(coverage[one] == [] && coverage.count(of: .needsListing) == 0)
  }

  /// Originals that were in a gap are found only a moment after it has ended.
  @Test mutating func aGapLastsUntilWhatWasInItIsFound() {
    #expect(!coverage.hasGap(start))
    coverage.beginGap(isStart: false, start)
    coverage.set(.unlistable, of: one)
    #expect(coverage.hasGap(start + 1_000_000))
    coverage.set(.unlistable, of: one, false)
    coverage.endGap(until: start + 10)
    #expect(coverage.hasGap(start + 9) && !coverage.hasGap(start + 10))
  }

  @Test mutating func whatIsThereSinceTheFirstScanMayBeACopyUnlessItWasSaved() {
    coverage.beginGap(isStart: true, start)
    coverage.set(.unlistable, of: one)
    #expect(coverage.mayBeCopy(two, start))
    coverage.noteSaved(two, start)
    #expect(!coverage.mayBeCopy(two, start))
    var later = Coverage()
    later.beginGap(isStart: false, start)
    later.set(.unlistable, of: one)
    #expect(!later.mayBeCopy(two, start))
  }

  @Test mutating func lateFindsAreKeptAsLongAsThereIsAGap() {
    coverage.set(.unlistable, of: one)
    coverage.noteLateFind(two, until: start + 5, isCopy: true, isMade: false)
    coverage.expireLateFind(two, at: start + 5, start + 5)
    #expect(coverage.lateFinds[two]?.isCopy == true)
    coverage.set(.unlistable, of: one, false)
    coverage.endGap(until: start + 20)
    coverage.forgetKept(start + 19)
    #expect(coverage.lateFinds[two] != nil && coverage.keptUntil == start + 20)
    coverage.forgetKept(start + 20)
    #expect(coverage.lateFinds.isEmpty && coverage.keptUntil == nil)
  }

  @Test mutating func aRecoveryThatBeginsInAnotherIsTheSame() {
    coverage.beginRecovery(start)
    coverage.beginRecovery(start)
    #expect(coverage.recovery == 1 && coverage.isRescanning)
    coverage.endRecovery()
    coverage.set(.unlistable, of: one)
    coverage.beginRecovery(start)
    #expect(coverage.recovery == 1)
  }
}
