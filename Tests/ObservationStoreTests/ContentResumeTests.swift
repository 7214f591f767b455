#if Store
import FileTestSupport
import Foundation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// What is known, by their contents, of files that have lost their tags while no observer was running.
@Suite(.busy, .timeLimit(.minutes(10))) struct ContentResumeTests {
  private let stored: StoredFolder

  init() throws {
    stored = try StoredFolder()
  }

  /// Observes files with different contents, at rest.
  private func observe(_ names: String...) async throws -> FileSystemSnapshot {
    for name in names { try stored.write(name, name) }
    try stored.rest()
    return try await stored.run().snapshot
  }

  /// The new file is complete before it is decided that the document is no version of it that was set aside.
  @Test func aFileInThePlaceOfOneThatWasMovedIsItsCopyByItsContent() async throws {
    _ = try await observe("letter.odt", "folder/other.odt")
    try stored.shell("mv letter.odt folder/ && cp --preserve=timestamps folder/letter.odt letter.odt")
    var configuration = stored.configuration
    configuration.quietPeriod = .milliseconds(1)
    let observer = FileSystemObserver(configuration, store: stored.store)
    let said = try await stored.said(stored.started(observer))
    await observer.stop()
    #expect(
      said == ["duplicated folder/letter.odt => letter.odt", "moved letter.odt -> folder/letter.odt"])
  }

  // MARK: - Documents that are gone

  @Test func aDocumentThatWasCopiedAndRemovedIsRenamed() async throws {
    let before = try await observe("letter.odt", "other.odt")
    try stored.shell("cp letter.odt renamed.odt && rm letter.odt")
    let (said, after) = try await stored.run()
    #expect(said == ["renamed letter.odt -> renamed.odt"])
    #expect(try stored.uuid("renamed.odt", in: after) == stored.uuid("letter.odt", in: before))
    // It has its tag again: the next run needs no content.
    try stored.shell("mv renamed.odt again.odt")
    let next = try await stored.run()
    #expect(next.said == ["renamed renamed.odt -> again.odt"])
  }

  @Test func itIsMovedIfItIsInAnotherFolder() async throws {
    let before = try await observe("letter.odt", "folder/other.odt")
    try stored.shell("cp letter.odt folder/ && rm letter.odt")
    let (said, after) = try await stored.run()
    #expect(said == ["moved letter.odt -> folder/letter.odt"])
    #expect(try stored.uuid("folder/letter.odt", in: after) == stored.uuid("letter.odt", in: before))
  }

  @Test func withoutEvidenceOfContentsItIsAnother() async throws {
    _ = try await observe("letter.odt")
    try stored.shell("cp letter.odt renamed.odt && rm letter.odt")
    var plain = stored
    plain.evidence = .off
    #expect(try await plain.run().said == ["deleted letter.odt", "discovered renamed.odt"])
  }

  @Test func documentsThatWereUnpackedAreTheSame() async throws {
    let before = try await observe("book/one.odt", "book/two.odt", "book/part/three.odt")
    // As unzip does: other inodes, the times of before, no attributes.
    try stored.shell("tar cf ../book.tar book && rm -r book && mkdir unpacked && tar xf ../book.tar -C unpacked")
    let (said, after) = try await stored.run()
    #expect(
      said == [
        "deleted book", "deleted book/part", "discovered unpacked", "discovered unpacked/book",
        "discovered unpacked/book/part", "moved book/one.odt -> unpacked/book/one.odt",
        "moved book/part/three.odt -> unpacked/book/part/three.odt", "moved book/two.odt -> unpacked/book/two.odt",
      ])
    for name in ["book/one.odt", "book/two.odt", "book/part/three.odt"] {
      #expect(try stored.uuid("unpacked/\(name)", in: after) == stored.uuid(name, in: before), "\(name)")
    }
  }

  @Test func aCloudClientThatReplacesAndRenamesIsSeenThrough() async throws {
    let before = try await observe("letter.odt", "other.odt")
    // It writes to a temporary name, renames that to the name on the server, and removes the old one.
    try stored.shell("cp letter.odt .letter.part && mv .letter.part 'letter (Paris).odt' && rm letter.odt")
    let (said, after) = try await stored.run()
    #expect(said == ["renamed letter.odt -> letter (Paris).odt"])
    #expect(try stored.uuid("letter (Paris).odt", in: after) == stored.uuid("letter.odt", in: before))
  }

  @Test func aTagThatWasRemovedFromAMovedInodeIsPutBack() async throws {
    let before = try await observe("letter.odt")
    try stored.shell(
      "mkdir folder && setfattr -x user.fsobserver.uuid letter.odt && cp letter.odt folder/ && rm letter.odt")
    let (said, after) = try await stored.run()
    #expect(said == ["discovered folder", "moved letter.odt -> folder/letter.odt"])
    let uuid = try stored.uuid("letter.odt", in: before)
    #expect(try stored.uuid("folder/letter.odt", in: after) == uuid)
    try stored.shell(
      "test $(getfattr --only-values -n user.fsobserver.uuid folder/letter.odt) = \(uuid.uuidString.lowercased())")
  }

  // MARK: - Copies

  @Test func aPlainCopyIsACopy() async throws {
    let before = try await observe("letter.odt", "other.odt")
    try stored.shell("cp letter.odt copy.odt && cp letter.odt 'copy 2.odt'")
    let (said, after) = try await stored.run()
    #expect(said == ["duplicated letter.odt => copy 2.odt", "duplicated letter.odt => copy.odt"])
    #expect(try stored.uuid("letter.odt", in: after) == stored.uuid("letter.odt", in: before))
    #expect(Set(after.map(\.uuid)).count == 4)
  }

  // MARK: - What could be several

  @Test func twoFilesWithTheContentOfOneThatIsGoneAreNeither() async throws {
    _ = try await observe("letter.odt")
    try stored.shell("cp letter.odt one.odt && cp letter.odt two.odt && rm letter.odt")
    #expect(try await stored.run().said == ["deleted letter.odt", "discovered one.odt", "discovered two.odt"])
  }

  @Test func aFileWithTheContentOfTwoIsNeithers() async throws {
    for name in ["one.odt", "two.odt"] { try stored.write(name, "the same") }
    try stored.rest()
    try await stored.run()
    try stored.shell("cp one.odt new.odt")
    #expect(try await stored.run().said == ["discovered new.odt"])
    try stored.shell("cp one.odt newer.odt && rm two.odt")
    #expect(try await stored.run().said == ["deleted two.odt", "discovered newer.odt"])
  }

  @Test func emptyAndTinyFilesAreNoEvidence() async throws {
    try stored.shell("touch empty && printf 'a few words' > tiny")
    try stored.rest()
    try await stored.run()
    try stored.shell("cp empty nothing && cp tiny small && rm empty tiny")
    #expect(try await stored.run().said == ["deleted empty", "deleted tiny", "discovered nothing", "discovered small"])
  }

  @Test func anOlderContentIsNoEvidence() async throws {
    let observer = FileSystemObserver(stored.configuration, store: stored.store)
    try stored.write("letter.odt", "first")
    try stored.rest()
    _ = try await stored.started(observer)
    await observer.readContents()
    await observer.stop()
    // The document was written anew, and an old copy of it has come.
    try stored.shell("cp letter.odt ../old && printf '%0400d' 7 > letter.odt && cp ../old 'old letter.odt'")
    #expect(try await stored.run().said == ["discovered old letter.odt", "modified letter.odt"])
  }

  @Test func evidenceOfContentsNeedsAStore() async throws {
    let observer = FileSystemObserver(stored.configuration)
    #expect(throws: FileSystemObserverError.self) { try observer.start() }
    await observer.readContents()
  }

  /// A store of an earlier version has no digests; one with digests is still a store for it.
  @Test func aStoreWithoutDigestsGetsThemAndOneWithIsReadWithoutThem() async throws {
    var plain = stored
    plain.evidence = .off
    try plain.write("letter.odt", "letter")
    try plain.rest()
    let before = try await plain.run().snapshot
    func digests() throws -> Int {
      try StoreFileReader(at: stored.store.path).read { reading in
        var count = 0
        try reading.forEachChunk(.contents) { count += ($0.bytes.count - 8) / 41 }
        return count
      }
    }
    #expect(try digests() == 0)
    try await stored.run()
    #expect(try digests() == 1)
    #expect(try stored.store.snapshot().map(\.uuid) == before.map(\.uuid))
    try stored.shell("cp letter.odt renamed.odt && rm letter.odt")
    #expect(try await stored.run().said == ["renamed letter.odt -> renamed.odt"])
    // Whoever wants no evidence leaves no digests behind.
    try await plain.run()
    #expect(try digests() == 0)
  }

  @Test func filesBeyondTheLimitAreNotRead() async throws {
    try stored.shell("head -c 17000000 /dev/urandom > large")
    try stored.rest()
    try await stored.run()
    try stored.shell("cp large larger && rm large")
    #expect(try await stored.run().said == ["deleted large", "discovered larger"])
    var all = stored
    all.evidence = .all
    try await all.run()
    try stored.shell("cp larger largest && rm larger")
    #expect(try await all.run().said == ["renamed larger -> largest"])
  }
}
#endif
