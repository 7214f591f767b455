import Testing

@testable import FileSystemObservation

/// Which listings are older than what a scan has found that was made in between.
@Suite struct NestedScansTests {
  private let directory = NodeID(index: 3)

  @Test func aListingThatANestedScanHasOvertakenIsOld() {
    var scans = NestedScans()
    let outer = scans.begin()
    let inner = scans.begin()
    let isOld = [scans.compare(directory, by: inner)]
    let isLast = [scans.end()]
    let areOld = isOld + [scans.compare(directory, by: outer), scans.compare(NodeID(index: 4), by: outer)]
    #expect(areOld == [false, true, false])
    let areLast = isLast + [scans.end()]
    #expect(areLast == [false, true])
  }

  @Test func aSingleListingOvertakesAScan_andALaterOneIsNew() {
    var scans = NestedScans()
    let outer = scans.begin()
    let (single, later) = (scans.beginListing(), scans.beginListing())
    let areOld = [single, later, single, outer].map { scans.compare(directory, by: $0) }
    #expect(areOld == [false, false, true, true])
  }

  @Test func nothingIsKeptAfterTheLastScan() {
    var scans = NestedScans()
    let outer = scans.begin()
    let single = scans.beginListing()
    let wasOld = [single, outer].map { scans.compare(directory, by: $0) }
    #expect(wasOld == [false, true])
    let isLast = scans.end()
    #expect(isLast && scans.depth == 0)
    let areOld = [single, outer].map { scans.compare(directory, by: $0) }
    #expect(areOld == [false, false])
  }
}
