import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// When the tags of many new files are written.
struct HeldTagsTests {
  private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private static func key(_ inode: UInt64) -> FileKey { FileKey(device: 1, inode: inode, born: 1_000_000) }

  @Test func aFewFilesDoNotWait() {
    let held = HeldTags()
    #expect(held.due == nil)
    #expect(!held.mustWait(unfinished: 0) && !held.mustWait(unfinished: HeldTags.burst - 1))
    #expect(held.mustWait(unfinished: HeldTags.burst))
  }

  /// The last files of a burst are written with the others, though few are left.
  @Test func whoeverComesWhileOthersWaitWaitsToo() {
    var held = HeldTags()
    held.insert(NodeID(1), Self.key(1), Self.start)
    #expect(held.mustWait(unfinished: 0))
  }

  @Test func theyAreDueWhenNothingMoreArrivesButNotForEver() {
    var held = HeldTags()
    for step in 0..<40 {
      let now = Self.start + Int64(step) * 500_000_000
      held.insert(NodeID(UInt32(step)), Self.key(UInt64(step)), now)
      #expect(held.due == min(now + HeldTags.rest, Self.start + HeldTags.patience))
    }
  }

  @Test func allAreTakenOnceInTheirOrder() {
    var held = HeldTags()
    for number in [5, 3, 5, 9] as [UInt32] { held.insert(NodeID(number), Self.key(UInt64(number)), Self.start) }
    #expect(held.take().map(\.id) == [5, 3, 9].map { NodeID($0) })
    #expect(held.take().isEmpty && held.due == nil && !held.mustWait(unfinished: 0))
  }
}
