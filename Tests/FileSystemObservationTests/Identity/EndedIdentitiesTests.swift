import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Identities that ended.
struct EndedIdentitiesTests {
  private static func uuid(_ number: UInt64) -> UUIDBits { UUIDBits(high: 1, low: number) }
  private static func key(_ number: UInt64) -> FileKey { FileKey(device: 1, inode: number, born: 1) }

  @Test func anIdentityIsKnownByTheInodeWithWhichItWent() {
    var ended = EndedIdentities()
    #expect(!ended.contains(Self.uuid(1)) && !ended.contains(Self.uuid(1), onOtherThan: Self.key(1)))
    ended.insert(EndedItem(uuid: Self.uuid(1), key: Self.key(1)))
    #expect(ended.contains(Self.uuid(1)) && ended.key(of: Self.uuid(1)) == Self.key(1))
    #expect(ended.contains(Self.uuid(1), on: Self.key(1)) && !ended.contains(Self.uuid(1), on: Self.key(2)))
    #expect(!ended.contains(Self.uuid(1), onOtherThan: Self.key(1)))
    ended.insert(EndedItem(uuid: Self.uuid(1), key: Self.key(2)))
    #expect(ended.contains(Self.uuid(1), on: Self.key(2)) && ended.contains(Self.uuid(1), onOtherThan: Self.key(1)))
  }

  @Test func aCopyThatContinuedItsOriginalHasASuccessor() {
    var ended = EndedIdentities()
    ended.insert(EndedItem(uuid: Self.uuid(1), key: Self.key(1), successor: Self.uuid(2)))
    #expect(ended.successor(of: Self.uuid(1)) == Self.uuid(2) && ended.successor(of: Self.uuid(2)) == nil)
    // It came back with its old tag, and ended by itself.
    ended.insert(EndedItem(uuid: Self.uuid(1), key: Self.key(1)))
    #expect(ended.successor(of: Self.uuid(1)) == nil)
  }

  /// One that ends again is still as old as it was.
  @Test func theOldestIsForgottenFirst() {
    let limit: UInt64 = 65_536
    var ended = EndedIdentities()
    for number in 0..<limit {
      ended.insert(EndedItem(uuid: Self.uuid(number), key: Self.key(number)))
    }
    ended.insert(EndedItem(uuid: Self.uuid(0), key: Self.key(7)))
    #expect(ended.contains(Self.uuid(0)))
    ended.insert(EndedItem(uuid: Self.uuid(limit), key: Self.key(limit)))
    #expect(!ended.contains(Self.uuid(0)) && ended.contains(Self.uuid(1)) && ended.contains(Self.uuid(limit)))
    ended.insert(EndedItem(uuid: Self.uuid(limit + 1), key: Self.key(limit + 1)))
    #expect(!ended.contains(Self.uuid(1)) && ended.contains(Self.uuid(2)))
  }

  @Test func allAreListedInTheOrderInWhichTheyEnded() {
    var ended = EndedIdentities()
    let count = UInt64(EndedIdentities.limit) + 3
    for low in 0..<count {
      ended.insert(EndedItem(uuid: UUIDBits(high: 7, low: low), key: FileKey(device: 1, inode: low, born: 9)))
    }
    let all = ended.all
    #expect(all.map(\.uuid.low) == Array(3..<count))
    #expect(all.allSatisfy { $0.key.inode == $0.uuid.low })
  }

  private static func removed(_ number: UInt64, _ path: String) -> EndedItem {
    let former = EndedItem.Former(
      path: Array(path.utf8), size: 100, modified: 5, digest: ContentDigest(words: (number, 0, 0, 0)))
    return EndedItem(uuid: uuid(number), key: key(number), former: former)
  }

  @Test func aRemovedFileIsFoundByThePathThatItHadLast() {
    var ended = EndedIdentities()
    #expect(!ended.hasRestorableItems)
    ended.insert(Self.removed(1, "f/a"))
    ended.insert(Self.removed(2, "f/b"))
    #expect(ended.restorableItem(at: Array("f/a".utf8))?.uuid == Self.uuid(1))
    #expect(ended.restorableItem(at: Array("a".utf8)) == nil && ended.hasRestorableItems)
    // Another was removed there; and the one that was removed there first, elsewhere.
    ended.insert(Self.removed(3, "f/a"))
    ended.insert(Self.removed(1, "c"))
    #expect(ended.restorableItem(at: Array("f/a".utf8))?.uuid == Self.uuid(3))
    #expect(ended.restorableItem(at: Array("c".utf8))?.uuid == Self.uuid(1))
    // It ended otherwise.
    ended.insert(EndedItem(uuid: Self.uuid(1), key: Self.key(1)))
    #expect(ended.restorableItem(at: Array("c".utf8)) == nil)
    #expect(ended.all.compactMap(\.former?.path) == [Array("f/b".utf8), Array("f/a".utf8)])
  }

  private static func absent(_ number: UInt64, _ name: String, in folder: UInt64 = 100) -> EndedItem {
    let absence = EndedItem.Absence(folder: uuid(folder), name: FileName(name))
    return EndedItem(uuid: uuid(number), key: key(number), absence: absence)
  }

  @Test func anAbsentFileIsKnownByItsNameUntilItsFolderIsBack() {
    var ended = EndedIdentities()
    ended.insert(Self.absent(1, "a"))
    ended.insert(Self.absent(2, "b"))
    ended.insert(Self.absent(3, "a", in: 101))
    #expect(ended.absentItem(named: FileName("a"), in: Self.uuid(100)) == Self.uuid(1))
    #expect(ended.absentItem(named: FileName("c"), in: Self.uuid(100)) == nil)
    ended.endAbsences(in: Self.uuid(100))
    #expect(ended.absentItem(named: FileName("b"), in: Self.uuid(100)) == nil && ended.contains(Self.uuid(2)))
    #expect(ended.absentItem(named: FileName("a"), in: Self.uuid(101)) == Self.uuid(3))
    #expect(ended.all.map { $0.absence != nil } == [false, false, true])
  }

  /// The last name counts, and a name belongs to who had it last.
  @Test func anItemThatEndsOnceMoreIsAbsentOnlyAtItsLastName() {
    var ended = EndedIdentities()
    ended.insert(Self.absent(1, "a"))
    ended.insert(Self.absent(1, "b"))
    #expect(ended.absentItem(named: FileName("a"), in: Self.uuid(100)) == nil)
    ended.insert(Self.absent(2, "b"))
    ended.insert(EndedItem(uuid: Self.uuid(1), key: Self.key(1)))
    #expect(ended.absentItem(named: FileName("b"), in: Self.uuid(100)) == Self.uuid(2))
    ended.insert(EndedItem(uuid: Self.uuid(2), key: Self.key(2)))
    #expect(!ended.hasAbsentItems)
  }

  /// Archives keep whole seconds, or every second one.
  @Test(
    arguments: [
      (0, true), (1, false), (-400_000_000, true), (600_000_000, true), (-1_400_000_000, true), (1_600_000_000, true),
      (-2_400_000_000, false), (2_600_000_000, false), (-401_000_000, false),
    ] as [(Int64, Bool)])
  func aFileIsTheSameWithItsSizeAndTime(_ later: Int64, _ isSame: Bool) {
    let second: Int64 = 1_000_000_000
    let former = EndedItem.Former(path: [], size: 7, modified: 1_700_000_000 * second + 400_000_000)
    #expect(former.isSame(size: 7, modified: former.modified + later) == isSame)
    #expect(!former.isSame(size: 8, modified: former.modified + later))
    let rounded = EndedItem.Former(path: [], size: 7, modified: former.modified + later)
    #expect(rounded.isSame(size: 7, modified: former.modified) == isSame)
    #expect(!EndedItem.Former(path: [], size: 0, modified: 5).isSame(size: 0, modified: 5))
    #expect(!EndedItem.Former(path: [], size: 7, modified: .max).isSame(size: 7, modified: .min))
    #expect(!EndedItem.Former(path: [], size: 7, modified: 0).isSame(size: 7, modified: .min))
  }
}
