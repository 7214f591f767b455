import FileIdentity
import LinuxFileSystem
import TestTraits
import Testing

@testable import FileSystemObservation

/// Digests by entry: each counts for the content that it was made of, and for no other.
@Suite(.light) struct KnownContentsTests {
  private var worked = WorkedGraph()
  private var known = KnownContents(sizes: 64 ... .max)

  private static func digest(_ number: UInt64) -> ContentDigest { ContentDigest(words: (number, 1, 2, 3)) }

  private func expectConsistent(_ location: SourceLocation = #_sourceLocation) {
    var report = InvariantReport()
    known.checkInvariants(&report)
    #expect(report.violations == [], sourceLocation: location)
  }

  @Test mutating func aDigestIsFoundByItsEntryAndByItsContent() throws {
    let ids = ["one", "two", "three"].map { worked.make(.file, at: worked.place($0)) }
    for (id, number) in zip(ids, [7, 7, 8] as [UInt64]) { known.set(Self.digest(number), of: id, in: worked.graph) }
    #expect(known.digest(of: ids[0], in: worked.graph) == Self.digest(7))
    #expect(Set(known.files(with: Self.digest(7), in: worked.graph)) == Set(ids[..<2]))
    #expect(known.files(with: Self.digest(9), in: worked.graph) == [])
    // The first word alone is no evidence.
    #expect(known.files(with: ContentDigest(words: (7, 1, 2, 4)), in: worked.graph) == [])
    expectConsistent()
  }

  @Test mutating func aDigestOfAnOlderContentIsNone() throws {
    let id = worked.make(.file, at: worked.place("file"))
    known.set(Self.digest(7), of: id, in: worked.graph)
    #expect(known.isExamined(id, in: worked.graph))
    worked.modify(id, size: 300)
    #expect(known.digest(of: id, in: worked.graph) == nil && !known.isExamined(id, in: worked.graph))
    #expect(known.files(with: Self.digest(7), in: worked.graph) == [])
    known.set(Self.digest(8), of: id, in: worked.graph)
    #expect(known.files(with: Self.digest(8), in: worked.graph) == [id] && known.count == 1)
    #expect(known.hasFile(ofSize: 300))
    expectConsistent()
  }

  @Test mutating func anEntryThatTakesANumberOverHasNoDigest() throws {
    let id = worked.make(.file, at: worked.place("file"))
    known.set(Self.digest(7), of: id, in: worked.graph)
    worked.delete(id)
    _ = worked.takeLog()
    let next = worked.make(.file, at: worked.place("another"))
    #expect(next.index == id.index && next != id)
    #expect(known.digest(of: next, in: worked.graph) == nil && known.digest(of: id, in: worked.graph) == nil)
    known.set(Self.digest(7), of: next, in: worked.graph)
    #expect(known.files(with: Self.digest(7), in: worked.graph) == [next])
    expectConsistent()
  }

  @Test mutating func whatCannotBeReadIsNotTriedAgain() throws {
    let id = worked.make(.file, at: worked.place("file"))
    known.set(nil, of: id, in: worked.graph)
    #expect(known.isExamined(id, in: worked.graph) && known.digest(of: id, in: worked.graph) == nil)
    #expect(known.count == 0)
    worked.modify(id, size: 300)
    #expect(!known.isExamined(id, in: worked.graph))
    expectConsistent()
  }

  @Test func bytesAndWordsOfADigest() throws {
    let bytes = (0..<32).map { UInt8($0) }
    let digest = try #require(ContentDigest(bytes: bytes))
    #expect(digest.words.0 == 0x0001_0203_0405_0607 && digest.bytes == bytes)
    #expect(ContentDigest(bytes: bytes.dropLast()) == nil && ContentDigest(bytes: bytes + [0]) == nil)
  }
}
