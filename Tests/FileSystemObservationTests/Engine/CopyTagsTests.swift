import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// When the tags of copies are written: after the store has the copies.
struct CopyTagsTests {
  private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private static func tag(_ number: Int, inode: UInt64 = 1) -> HeldTags.Held {
    HeldTags.Held(
      id: NodeID(index: number), key: FileKey(device: 1, inode: inode, born: 1_000_000), isClaiming: false)
  }

  private static func ids(_ numbers: [Int]) -> [NodeID] { numbers.map { NodeID(index: $0) } }

  private func waiting(_ numbers: [Int], stored: UInt64? = 0) -> CopyTags {
    var tags = CopyTags()
    tags.stored = stored
    for number in numbers { tags.insert(Self.tag(number)) }
    return tags
  }

  @Test func theyWaitForTheSetThatAnnouncesThem() {
    var tags = waiting([4, 2])
    #expect(tags.due == nil && !tags.awaitsStore && tags.count == 2)
    tags.notePublished(7, Self.start) { _ in true }
    tags.stored = 6
    #expect(tags.awaitsStore && tags.take(atMost: 9, Self.start).isEmpty)
    tags.stored = 7
    #expect(!tags.awaitsStore && tags.due == Self.start)
    #expect(Set(tags.take(atMost: 9, Self.start).map(\.id)) == Set(Self.ids([2, 4])))
    #expect(tags.count == 0 && tags.takenCount == 2 && tags.total == 2)
  }

  @Test func whatIsNotAnnouncedYetWaitsForALaterSet() {
    var tags = waiting([1, 2])
    tags.notePublished(1, Self.start) { $0 == NodeID(index: 1) }
    tags.stored = 1
    #expect(tags.take(atMost: 9, Self.start).map(\.id) == Self.ids([1]))
    #expect(tags.due == nil && tags.count == 1)
    tags.notePublished(2, Self.start) { _ in true }
    #expect(tags.awaitsStore)
  }

  /// A store that hangs, or has failed, does not keep copies without tags for ever.
  @Test func theyDoNotWaitForAStoreThatDoesNotAnswer() {
    var tags = waiting([1])
    tags.notePublished(1, Self.start) { _ in true }
    let latest = Self.start + CopyTags.patience
    #expect(tags.due == latest && tags.take(atMost: 9, latest).count == 1)
    tags = waiting([1])
    tags.notePublished(1, Self.start) { _ in true }
    tags.stored = nil
    #expect(tags.take(atMost: 9, Self.start).count == 1)
  }

  /// A copy may be replaced while it waits.
  @Test func theTagIsThatOfTheLatestFile() {
    var tags = waiting([1])
    tags.notePublished(1, Self.start) { _ in true }
    tags.insert(Self.tag(1, inode: 5))
    tags.stored = 1
    #expect(tags.take(atMost: 9, Self.start).map(\.key.inode) == [5])
    #expect(tags.count == 0)
  }

  @Test func theyAreTakenInPortionsAndAllAtTheEnd() {
    var tags = waiting(Array(1...5))
    tags.notePublished(1, Self.start) { $0 != NodeID(index: 5) }
    tags.stored = 1
    #expect(tags.take(atMost: 3, Self.start).count == 3 && tags.due == Self.start)
    #expect(tags.takeAll().count == 2 && tags.count == 0 && tags.due == nil && tags.total == 5)
  }
}
