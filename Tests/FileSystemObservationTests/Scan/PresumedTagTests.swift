import FileIdentity
import FileSystemObservation
import FoundationEssentials
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// The first scan of many files without tags does not read the tags of those at rest: what has one must be found all
/// the same.
@Suite(.light, .enabled(if: Ability.tags.isPossible)) struct PresumedTagTests {
  /// Takes in what there is, and wants tags for all files that are shown without, or for none.
  private struct Visitor: EntryVisitor {
    var presumesNoTagBefore: Int64?
    private(set) var shown: [(name: String, tag: TagReading)] = []
    private(set) var claims: [(name: String, claim: TagClaim)] = []

    init(presumes: Bool) {
      presumesNoTagBefore = presumes ? .max : nil
    }

    func wants(_ name: NameView, _ kind: ListedKind) -> Bool { true }

    mutating func visit(_ name: NameView, _ status: Result<FileStatus, Errno>, _ tag: TagReading) -> UUIDBits? {
      shown.append((FileName(name).description, tag))
      guard presumesNoTagBefore != nil, tag == .none, let key = try? FileKey(status.get()) else { return nil }
      return .minted(for: key, on: 1)
    }

    mutating func noteTag(of name: NameView, _ claim: TagClaim) {
      claims.append((FileName(name).description, claim))
    }
  }

  /// Many files, one of which has something in its tag and is shown as if it had not.
  private struct Fixture {
    let folder: TestFolder
    let files = HostFileSystem(tag: FileTag())
    let bearer: String

    init(value: String) throws {
      folder = try TestFolder("presumed")
      for number in 0..<200 { try folder.watched.write("\(number)") }
      bearer = "77"
      // That none has a tag is known by now.
      _ = try visit(Visitor(presumes: false))
      try folder.watched.setAttribute(tagName, of: bearer, to: value)
    }

    func visit(_ visitor: Visitor) throws -> Visitor {
      var visitor = visitor
      let directory = try files.reopenForListing(files.openRoot(at: FilePath(folder.watched.path)))
      try files.visitEntries(of: directory, &visitor)
      return visitor
    }

    /// What came of a claim on what bears a tag.
    func claim() throws -> TagClaim? {
      let seen = try visit(Visitor(presumes: true))
      try #require(seen.shown.first { $0.name == bearer }?.tag == TagReading.none, "it was not presumed to have none")
      return seen.claims.first { $0.name == bearer }?.claim
    }
  }

  private static let isPresumed: Bool = {
    guard let folder = try? TestFolder("presumes"),
      let directory = try? OwnedDescriptor.openDirectory(at: FilePath(folder.watched.path), for: .search)
    else { return true }
    return (try? FileSystemType.of(directory))?.createsAttributesExclusively ?? true
  }()

  @Test(.enabled(if: isPresumed), arguments: ["8075c88f-f44b-57c2-b3f2-e3a1d7e84e13", "no UUID", ""])
  func whatIsThereIsFoundAndLeft(_ value: String) throws {
    let fixture = try Fixture(value: value)
    let tag = UUIDBits(text: value.utf8Span.span).map(TagReading.uuid) ?? .garbage
    #expect(try fixture.claim() == .found(tag))
    #expect(try fixture.folder.watched.attribute(tagName, of: fixture.bearer) == value)
    for number in 0..<200 where "\(number)" != fixture.bearer {
      #expect(try fixture.folder.watched.tag("\(number)") != nil)
    }
  }

  /// Where it cannot be written, either, it is read.
  @Test(.enabled(if: isPresumed)) func whatCannotBeWrittenIsFound() throws {
    let uuid = UUIDBits(high: 1, low: 2)
    let fixture = try Fixture(value: uuid.description)
    let path = fixture.folder.watched[fixture.bearer]
    defer { try? Command.run("chattr", "-i", path) }
    if geteuid() == 0 {
      do {
        try Command.run("chattr", "+i", path)
      } catch {
        try Test.cancel("needs a file system that knows immutable files, and chattr")
      }
      #expect(try fixture.claim() == .failed(.notPermitted, .uuid(uuid)))
    } else {
      try fixture.folder.watched.chmod(fixture.bearer, 0o444)
      #expect(try fixture.claim() == .failed(.permissionDenied, .uuid(uuid)))
    }
  }

  /// Files of many kinds, at rest as documents mostly are.
  @Test func aTreeAtRestInWhichSomeHaveTags() async throws {
    let folder = try TestFolder("rested")
    var given: [String: UUID] = [:]
    for name in ["a", "b", "c", "d"] {
      try folder.watched.mkdir(name)
      for number in 0..<100 { try folder.watched.write("\(name)/\(number)") }
    }
    for number in 0..<100 where number % 10 == 9 { given["c/\(number)"] = UUID() }
    for number in 0..<100 { given["d/\(number)"] = UUID() }
    for (path, uuid) in given { try folder.watched.setTag(path, uuid) }
    try folder.watched.setTag("b/50", given["c/9"] ?? UUID())
    try folder.watched.link("a/1", "b/link")
    // True time: what has changed lately is looked at more closely.
    let made = Moment.now
    #expect(try await comesTrue { Moment.now > made + .seconds(11) })

    let observed = ObservedFolder(folder)
    try await observed.start()
    try await observed.expectAgreement()
    let known = observed.observer.snapshot().itemsByPath(root: folder.watched.path).mapValues(\.uuid)
    for (path, uuid) in given where path != "c/9" { #expect(known[path] == uuid) }
    #expect(known["a/1"] == known["b/link"])
    #expect(Set([known["c/9"], known["b/50"]]).count == 2, "a copy has an identity of its own")
    #expect([known["c/9"], known["b/50"]].contains(given["c/9"]), "and the original keeps its own")
    for (path, uuid) in known where !ObservedFolder.isCookie(path) { #expect(try folder.watched.tag(path) == uuid) }
    let summary = try #require(observed.recorder.scans.first)
    #expect(summary.skipped == [:])
    await observed.observer.stop()
  }
}
