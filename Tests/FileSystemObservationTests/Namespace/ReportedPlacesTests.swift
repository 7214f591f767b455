import FileEvents
import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What hints of unknown order say of documents.
struct ReportedPlacesTests {
  private static let document = NodeID(index: 1)
  private static let other = NodeID(index: 2)

  private static func place(_ name: String) -> Place { Place(parent: .root, name: FileName(name)) }

  /// A file; of two with one inode number, the second has a later `generation`.
  private static func file(_ inode: UInt64, generation: UInt32 = 1) -> HintedFile {
    HintedFile(handle: FileHandle(digest: Digest(high: inode, low: UInt64(generation))), inode: inode)
  }

  private static func key(_ inode: UInt64) -> FileKey { FileKey(device: 1, inode: inode, born: 1_000_000) }

  private static func brokenInvariants(_ places: ReportedPlaces) -> [String] {
    var report = InvariantReport()
    places.checkInvariants(&report)
    return report.violations
  }

  @Test func thePlaceThatWasReportedLastComesFirst() {
    var places = ReportedPlaces()
    for name in ["a", "b", "a"] { places.note(Self.document, at: Self.place(name)) }
    places.note(Self.document, at: Self.place("c"), isEarlier: true)
    #expect(places.places(of: Self.document) == ["a", "b", "c"].map(Self.place))
    #expect(places.lastPlace(of: Self.document) == Self.place("a"))
  }

  @Test func anEarlierPlaceIsNoNews() {
    var places = ReportedPlaces()
    places.note(Self.document, at: Self.place("a"))
    places.note(Self.other, at: Self.place("a"), isEarlier: true)
    places.note(Self.document, at: Self.place("b"))
    places.note(Self.document, at: Self.place("b"), isEarlier: true)
    #expect(places.occupant(of: Self.place("a")) == Self.document)
    #expect(places.places(of: Self.document) == ["b", "a"].map(Self.place))
  }

  @Test func aRemovedFileWasSavedNowhereElse() {
    var places = ReportedPlaces()
    places.note(Self.document, at: Self.place("a"))
    places.noteRemoved(Self.document, at: Self.place("b"))
    #expect(places.places(of: Self.document) == [Self.place("b")])
    places.note(Self.document, at: Self.place("c"))
    #expect(places.places(of: Self.document) == ["c", "b", "a"].map(Self.place))
  }

  @Test func theLatestVersionCounts() {
    var places = ReportedPlaces()
    #expect(!places.hasVersion(of: Self.document, besides: Self.key(10)))
    places.note(Self.file(10), isVersionOf: Self.document)
    #expect(!places.hasVersion(of: Self.document, besides: Self.key(10)))
    places.note(Self.file(11), isVersionOf: Self.document)
    places.note(Self.file(10), isVersionOf: Self.document)
    #expect(places.hasVersion(of: Self.document, besides: Self.key(10)))
    #expect(!places.hasVersion(of: Self.document, besides: Self.key(11)))
    for inode in [10, 11] as [UInt64] { _ = places.note(Self.file(inode), on: 1) }
    #expect(places.document(of: Self.key(10)) == Self.document && places.document(ofLatest: Self.key(10)) == nil)
    #expect(places.document(ofLatest: Self.key(11)) == Self.document)
    #expect(Self.brokenInvariants(places) == [])
  }

  /// A save by exchange: the new version is reported before the old one leaves.
  @Test func theFirstVersionIsNotTheLatest() {
    var places = ReportedPlaces()
    #expect(places.isLatest(Self.file(10), of: Self.document))
    places.note(Self.file(11), isVersionOf: Self.document)
    places.note(Self.file(10), isVersionOf: Self.document, isFirst: true)
    #expect(places.isLatest(Self.file(11), of: Self.document) && !places.isLatest(Self.file(10), of: Self.document))
    #expect(!places.hasVersion(of: Self.document, besides: Self.key(11)))
    #expect(Self.brokenInvariants(places) == [])
  }

  @Test func aFileThatGetsTheNumberOfAVersionIsNone() {
    var places = ReportedPlaces()
    let isFirst = places.note(Self.file(10), on: 1)
    #expect(isFirst)
    places.note(Self.file(10), isVersionOf: Self.document)
    #expect(places.document(of: Self.key(10)) == Self.document)
    let isFirstAgain = places.note(Self.file(10, generation: 2), on: 1)
    #expect(!isFirstAgain)
    #expect(places.document(of: Self.key(10)) == nil && places.document(of: Self.file(10)) == Self.document)
    #expect(places.document(of: FileKey(device: 2, inode: 10, born: 1)) == nil)
  }

  @Test func aFileIsAVersionOfOneDocument() {
    var places = ReportedPlaces()
    _ = places.note(Self.file(10), on: 1)
    places.note(Self.file(10), isVersionOf: Self.document)
    places.note(Self.file(10), isVersionOf: Self.other)
    #expect(places.document(of: Self.key(10)) == Self.other)
    #expect(!places.hasVersion(of: Self.document, besides: Self.key(11)))
    #expect(Self.brokenInvariants(places) == [])
  }

  @Test func whatEndsIsForgotten() {
    var places = ReportedPlaces()
    _ = places.note(Self.file(10), on: 1)
    places.note(Self.file(10), isVersionOf: Self.document)
    places.note(Self.document, at: Self.place("a"))
    places.note(Self.other, at: Self.place("b"))
    places.forget(Self.document)
    #expect(places.document(of: Self.file(10)) == nil && places.occupant(of: Self.place("a")) == nil)
    #expect(Array(places.ids) == [Self.other] && Self.brokenInvariants(places) == [])
    places.forget(Self.other)
    // With the last document, the numbers of files are forgotten, too.
    #expect(places.isEmpty && !places.hasFiles && places.occupant(of: Self.place("b")) == nil)
  }

  @Test func fewPlacesOfAWandererAreKept() {
    var places = ReportedPlaces()
    let names = (0..<ReportedPlaces.mostPlaces + 3).map { Self.place("n\($0)") }
    for place in names { places.note(Self.document, at: place) }
    #expect(places.places(of: Self.document) == names.dropFirst(3).reversed())
  }
}
