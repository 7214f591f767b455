import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// When the tags of many new files are written.
struct HeldTagsTests {
  private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private static func tag(_ number: UInt32, claiming isClaiming: Bool = true) -> HeldTags.Held {
    HeldTags.Held(
      id: NodeID(index: Int(number)), key: FileKey(device: 1, inode: UInt64(number), born: 1_000_000),
      isClaiming: isClaiming)
  }

  @Test func aFewFilesDoNotWait() {
    let held = HeldTags()
    #expect(held.due == nil)
    #expect(!held.mustWait(unfinished: 0) && !held.mustWait(unfinished: HeldTags.burst - 1))
    #expect(held.mustWait(unfinished: HeldTags.burst))
  }

  /// The last files of a burst are written with the others, though few are left.
  @Test func whoeverComesWhileOthersWaitWaitsToo() {
    var held = HeldTags()
    held.insert(Self.tag(1), Self.start)
    #expect(held.mustWait(unfinished: 0))
  }

  @Test func theyAreDueWhenNothingMoreArrivesButNotForEver() {
    var held = HeldTags()
    for step in 0..<40 {
      let now = Self.start + Int64(step) * 500_000_000
      held.insert(Self.tag(UInt32(step)), now)
      #expect(held.due == min(now + HeldTags.rest, Self.start + HeldTags.patience))
    }
  }

  @Test func allAreTakenOnceInTheirOrder() {
    var held = HeldTags()
    for number in [5, 3, 5, 9] as [UInt32] { held.insert(Self.tag(number), Self.start) }
    #expect(held.take().map(\.id) == [5, 3, 9].map { NodeID(index: $0) })
    #expect(held.take().isEmpty && held.due == nil && !held.mustWait(unfinished: 0))
  }

  /// A step does not take long, however many there are; the rest is due at once.
  @Test func theyAreTakenInPortions() {
    var held = HeldTags()
    for number in 0..<5 as Range<UInt32> { held.insert(Self.tag(number), Self.start) }
    let due = held.due
    let first = held.take(atMost: 2)
    #expect(first.map(\.id) == [0, 1].map { NodeID(index: $0) } && held.due == due)
    held.insert(Self.tag(1), Self.start)
    let (second, third) = (held.take(atMost: 3), held.take(atMost: 3))
    #expect(second.map(\.id) == [2, 3, 4].map { NodeID(index: $0) })
    #expect(third.map(\.id) == [NodeID(index: 1)] && held.due == nil)
  }

  /// Who waits for tags does not wait for those of files that come later.
  @Test func whoWaitsHasThemDue() {
    var held = HeldTags()
    #expect(held.hurry(Self.start) == 0 && held.due == nil)
    for number in 0..<3 as Range<UInt32> { held.insert(Self.tag(number), Self.start) }
    let count = held.hurry(Self.start + 1)
    held.insert(Self.tag(3), Self.start + 2)
    #expect(held.due == Self.start + 1)
    _ = held.take(atMost: 2)
    #expect(held.takenCount < count)
    _ = held.take(atMost: 1)
    #expect(held.takenCount == count && held.count == 1)
    _ = held.take()
    held.insert(Self.tag(4), Self.start + 3)
    #expect(held.hurry(Self.start + 4) == 5)
  }

  /// A document that was saved has its tag whatever somebody else has written meanwhile; a new file keeps what it has.
  @Test func howATagIsToBeWrittenIsKept() {
    var held = HeldTags()
    held.insert(Self.tag(1, claiming: true), Self.start)
    held.insert(Self.tag(2, claiming: false), Self.start)
    #expect(held.take().map(\.isClaiming) == [true, false])
  }
}
