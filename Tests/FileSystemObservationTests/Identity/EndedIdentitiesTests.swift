import FileIdentity
import Testing

@testable import FileSystemObservation

/// Identities that ended.
struct EndedIdentitiesTests {
  private static func uuid(_ number: UInt64) -> UUIDBits { UUIDBits(high: 1, low: number) }
  private static func key(_ number: UInt64) -> FileKey { FileKey(device: 1, inode: number, born: 1) }

  @Test func anIdentityIsKnownByTheInodeWithWhichItWent() {
    var ended = EndedIdentities()
    #expect(!ended.contains(Self.uuid(1)) && !ended.contains(Self.uuid(1), onOtherThan: Self.key(1)))
    ended.insert(Self.uuid(1), Self.key(1))
    #expect(ended.contains(Self.uuid(1)) && ended.key(of: Self.uuid(1)) == Self.key(1))
    #expect(ended.contains(Self.uuid(1), on: Self.key(1)) && !ended.contains(Self.uuid(1), on: Self.key(2)))
    #expect(!ended.contains(Self.uuid(1), onOtherThan: Self.key(1)))
    ended.insert(Self.uuid(1), Self.key(2))
    #expect(ended.contains(Self.uuid(1), on: Self.key(2)) && ended.contains(Self.uuid(1), onOtherThan: Self.key(1)))
  }

  /// One that ends again is still as old as it was.
  @Test func theOldestIsForgottenFirst() {
    let limit: UInt64 = 65_536
    var ended = EndedIdentities()
    for number in 0..<limit { ended.insert(Self.uuid(number), Self.key(number)) }
    ended.insert(Self.uuid(0), Self.key(7))
    #expect(ended.contains(Self.uuid(0)))
    ended.insert(Self.uuid(limit), Self.key(limit))
    #expect(!ended.contains(Self.uuid(0)) && ended.contains(Self.uuid(1)) && ended.contains(Self.uuid(limit)))
    ended.insert(Self.uuid(limit + 1), Self.key(limit + 1))
    #expect(!ended.contains(Self.uuid(1)) && ended.contains(Self.uuid(2)))
  }

  @Test func allAreListedInTheOrderInWhichTheyEnded() {
    var ended = EndedIdentities()
    let count = UInt64(EndedIdentities.limit) + 3
    for low in 0..<count { ended.insert(UUIDBits(high: 7, low: low), FileKey(device: 1, inode: low, born: 9)) }
    let all = ended.all
    #expect(all.map(\.uuid.low) == Array(3..<count))
    #expect(all.allSatisfy { $0.key.inode == $0.uuid.low })
  }
}
