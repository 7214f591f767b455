import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// The first scan: each entry is taken in as it is found, and the last may change what the first are.
struct ClassifierLoadTests {
  /// A classifier that takes in entries of one folder.
  private struct Load: ~Copyable {
    var classifier = Classifier(graph: .empty)
    var inventory = FirstInventory(storage: GraphStorage(), order: [], originals: [:], furtherNames: [])

    init() {
      classifier.now = MonotonicTime(nanoseconds: 1_000_000_000)
      classifier.begin(onWallClock: 1_000_000_000_000)
    }

    /// Inodes with higher numbers are younger.
    mutating func take(
      _ name: String, _ inode: UInt64, tag: TagReading = .none, linkCount: UInt32 = 1, isBeingWritten: Bool = false,
      wasTagged: Bool = false
    ) -> NodeID? {
      let status = FileStatus(
        device: 1, inode: inode, born: Int64(inode), kind: .file, linkCount: linkCount, size: 1, modified: 5, changed: 5
      )
      let entry = Entry(status, tag: tag, fileSystem: 1, isRecent: false)
      let scanned = ScannedEntry(
        nameStart: 0, nameCount: UInt16(name.utf8.count), isBeingWritten: isBeingWritten, wasTagged: wasTagged,
        entry: entry)
      let bytes = Array(name.utf8)
      let hashes = classifier.graph.prefetchedHashes(bytes.span, in: .root, entry.key, entry.tag.uuid)
      return classifier.load(scanned, bytes.span, in: .root, hashes, &inventory)
    }

    func uuid(_ id: NodeID?) -> UUIDBits? { id.map { classifier.graph[$0].uuid } }

    var tagsAsked: [NodeID] {
      classifier.requests.compactMap { if case .writeTag(let id, false) = $0 { id } else { nil } }
    }
  }

  private static let tag = UUIDBits(high: 3, low: 4)

  @Test func aFileWithATagIsWhatTheTagSays() {
    var load = Load()
    let (tagged, untagged) = (load.take("a", 10, tag: .uuid(Self.tag)), load.take("b", 11))
    #expect(load.uuid(tagged) == Self.tag && load.tagsAsked == [])
    #expect(load.uuid(untagged) == UUIDBits.minted(for: FileKey(device: 1, inode: 11, born: 11), on: 1))
    #expect(load.inventory.order == [tagged, untagged].compactMap { $0 } && load.inventory.originals.isEmpty)
  }

  /// In whichever order they are found.
  @Test(arguments: [[10, 11], [11, 10]] as [[UInt64]]) func theOlderOfTwoWithOneTagIsTheOriginal(_ inodes: [UInt64]) {
    var load = Load()
    let found = inodes.map { load.take("f\($0)", $0, tag: .uuid(Self.tag)) }
    let (original, copy) = inodes[0] == 10 ? (found[0], found[1]) : (found[1], found[0])
    #expect(load.uuid(original) == Self.tag && load.uuid(copy) != Self.tag)
    #expect(copy.map { load.inventory.originals[$0] } == original && load.tagsAsked == [copy].compactMap { $0 })
  }

  @Test func aFileWhoseTagIsItsOwnIsTheOriginalHoweverYoung() {
    var load = Load()
    let own = UUIDBits.minted(for: FileKey(device: 1, inode: 11, born: 11), on: 1)
    let (older, younger) = (load.take("a", 10, tag: .uuid(own)), load.take("b", 11, tag: .uuid(own)))
    #expect(load.uuid(younger) == own && load.uuid(older) != own)
    #expect(older.map { load.inventory.originals[$0] } == younger)
  }

  @Test func anInodeThatIsFoundAgainHasAFurtherNameOrWasRenamed() {
    var load = Load()
    let (first, second) = (load.take("a", 10, linkCount: 2), load.take("b", 10, linkCount: 2))
    #expect(load.uuid(first) == load.uuid(second) && load.classifier.graph.count == 2)
    #expect(load.inventory.furtherNames == Set([second].compactMap { $0 }))
    let (before, after) = (load.take("c", 11), load.take("d", 11))
    #expect(before == after && load.classifier.graph.count == 3)
    #expect(before.map { load.classifier.graph.name($0) } == FileName("d"))
  }

  @Test func aTagThatCouldNotBeReadIsReadUnderAFurtherName() {
    var load = Load()
    let first = load.take("a", 10, tag: .unreadable, linkCount: 2)
    #expect(load.uuid(first) == UUIDBits.minted(for: FileKey(device: 1, inode: 10, born: 10), on: 1))
    let second = load.take("b", 10, tag: .uuid(Self.tag), linkCount: 2)
    #expect(load.uuid(first) == Self.tag && load.uuid(second) == Self.tag && load.classifier.requests.isEmpty)
  }

  /// A saved document has the UUID of its first inode, whose number a new file has since.
  ///
  /// The scan has tagged that file under one name, and finds it under another.
  @Test func aTagThatThisScanHasWrittenIsNoEvidence() {
    var load = Load()
    let minted = UUIDBits.minted(for: FileKey(device: 1, inode: 10, born: 10), on: 1)
    let new = load.take("a", 10, tag: .uuid(minted), linkCount: 2)
    let document = load.take("b", 11, tag: .uuid(minted))
    #expect(load.uuid(new) == minted && load.uuid(document) != minted)
    let further = load.take("c", 10, tag: .uuid(minted), linkCount: 2, wasTagged: true)
    #expect(load.uuid(document) == minted && load.uuid(new) != minted && load.uuid(further) == load.uuid(new))
    #expect(new.map { load.inventory.originals[$0] } == document && load.tagsAsked.contains { $0 == new })
  }

  @Test func aFileThatIsBeingWrittenIsWatched() {
    var load = Load()
    let id = load.take("a", 10, tag: .uuid(Self.tag), isBeingWritten: true)
    #expect(id.map { load.classifier.isCopying($0) } == true && load.classifier.writing.keys == [id].compactMap { $0 })
    #expect(load.classifier.nextDeadline == load.classifier.now + load.classifier.timing.quiet)
  }

  /// Its tag may have been copied there a moment ago.
  @Test func aFileThatIsBeingWrittenIsTheCopyHoweverOld() {
    var load = Load()
    let written = load.take("a", 10, tag: .uuid(Self.tag), isBeingWritten: true)
    let atRest = load.take("b", 11, tag: .uuid(Self.tag))
    #expect(load.uuid(atRest) == Self.tag && load.uuid(written) != Self.tag)
    #expect(load.tagsAsked == [], "nothing is tagged before it is complete")
  }
}
