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
}
