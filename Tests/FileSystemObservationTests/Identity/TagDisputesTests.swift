import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

struct TagDisputesTests {
  @Test func contestsAreFoundByTheRival() {
    let (own, otherTag) = (UUIDBits(high: 1, low: 1), UUIDBits(high: 2, low: 2))
    var disputes = TagDisputes()
    let dispute = TagDispute(otherTag: otherTag, rounds: 1, latest: .init(nanoseconds: 0), pace: 1_000)
    disputes.set(dispute, for: own, .init(nanoseconds: 0))
    #expect(disputes.identities(claimedAs: otherTag) == [own])
    disputes.remove(own)
    #expect(disputes.identities(claimedAs: otherTag) == [] && disputes.count == 0)
  }
}
