import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Reading a document, with the version for the save that follows.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct ReadingTests {
  private let fixture: OperationFixture
  private let letter: UUID
  private var root: Folder { fixture.root }
  private var observer: FileSystemObserver { fixture.observer }

  init() async throws {
    fixture = try await .ofDocuments()
    letter = try fixture.observed.uuid("letter")
  }

  private func text(_ contents: FileSystemObserver.DocumentContents) -> String {
    String(decoding: contents.data, as: UTF8.self)
  }

  @Test func whatIsReadIsSavedWithItsVersion() async throws {
    let path = fixture.path("letter")
    let contents = try await observer.contents(of: path)
    #expect(text(contents) == "of letter" && contents.path == path)
    let version = try observer.version(ofItemAt: path)
    #expect(contents.version == version)
    let saved = try await observer.replaceContents(of: path, with: "new".utf8, ifUnchangedSince: contents.version)
    let next = try await observer.contents(of: URL(filePath: path.string))
    #expect(text(next) == "new" && next.version == saved.version)
    #expect(try fixture.now { try $0.contents(of: path) } == next)
    #expect(try fixture.now { try $0.contents(of: URL(filePath: path.string)) } == next)
    #expect(fixture.told() == ["own modified letter"])
  }

  @Test func whatIsWrittenAfterwardsIsNotOverwritten() async throws {
    let contents = try await observer.contents(ofItemWith: letter)
    try root.append("letter")
    let error = await #expect(throws: FileSystemObserverError.self) {
      try await observer.replaceContents(ofItemWith: letter, with: "new".utf8, ifUnchangedSince: contents.version)
    }
    #expect(error?.code == .contentsChanged)
  }

  @Test func aDocumentIsReadWhereItIsNow() async throws {
    try root.rename("letter", "d/moved")
    try root.rename("other", "letter")
    let contents = try await observer.contents(ofItemWith: letter)
    #expect(text(contents) == "of letter" && contents.path == fixture.path("d/moved"))
    #expect(try await observer.version(ofItemWith: letter) == contents.version)
  }

  @Test func aDocumentThatIsGoneIsNotRead() async throws {
    try root.unlink("letter")
    try root.rename("other", "letter")
    let error = await #expect(throws: FileSystemObserverError.self) { try await observer.contents(ofItemWith: letter) }
    #expect(error?.code == .outsideTree)
    let ofVersion = await #expect(throws: FileSystemObserverError.self) {
      try await observer.version(ofItemWith: letter)
    }
    #expect(ofVersion?.code == .outsideTree)
  }

  /// Two documents change places during each reading.
  @Test func noOtherDocumentIsRead() async throws {
    let root = root
    for _ in 0..<100 {
      async let exchange: Void = onThread { try root.exchange("letter", "other") }
      let contents = try await observer.contents(ofItemWith: letter)
      #expect(text(contents) == "of letter")
      try await exchange
    }
  }

  @Test func onlyAFileIsRead() async throws {
    try root.symlink("letter", "link")
    try root.makeFIFO("fifo")
    for name in ["d", "link", "fifo"] {
      let error = await #expect(throws: FileSystemObserverError.self) {
        try await observer.contents(of: fixture.path(name))
      }
      #expect(error?.code == .notAFile, "\(name)")
    }
    let error = await #expect(throws: FileSystemObserverError.self) {
      try await observer.contents(of: fixture.path("nothing"))
    }
    #expect(error?.errno == .noSuchFileOrDirectory && error?.message.contains("could not be read") == true)
  }

  @Test func anEmptyAndALargeDocument() async throws {
    try root.write("empty", "")
    #expect(try await observer.contents(of: fixture.path("empty")).data.isEmpty)
    let bytes = (0..<9_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try PlainFiles.write(bytes, to: fixture.path("large"))
    #expect(try await observer.contents(of: fixture.path("large")).data.elementsEqual(bytes))
  }
}
