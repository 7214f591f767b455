import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

/// A document of several files that programs save by putting another folder in its place: it stays itself, and so do
/// its files.
@Suite(.light) struct SavedFolderDocumentTests {
  private static let names = ["", "/text.md", "/assets", "/assets/a.png"]
  private static let fill =
    "mkdir N N/assets && echo new > N/text.md && echo more > N/more && cp doc.textbundle/assets/a.png N/assets/a.png"

  private let folder: TestFolder

  init() throws {
    folder = try TestFolder("bundle")
    try folder.watched.makeDirectories("doc.textbundle/assets")
    try folder.watched.write("doc.textbundle/text.md", "text\n")
    try folder.watched.write("doc.textbundle/assets/a.png", "picture\n")
  }

  private func run(_ command: String) async throws {
    try await onThread { [path = folder.watched.path] in try Command.run("sh", "-ec", "cd '\(path)' && \(command)") }
  }

  private func uuids(_ observed: ObservedFolder) throws -> [UUID] {
    try Self.names.map { try observed.uuid("doc.textbundle" + $0) }
  }

  private func observed(by source: TestSource) async throws -> ObservedFolder {
    let observed = ObservedFolder(folder, options: source.applied(to: FileSystemObserver.Configuration()))
    try await observed.start()
    return observed
  }

  /// Expects that every identity stays, and that nothing but a modification is told of them.
  private func expectSaved(_ observed: ObservedFolder, _ title: String, _ save: () async throws -> Void) async throws {
    let before = try uuids(observed)
    let mark = observed.recorder.position
    try await save()
    try await observed.settle()
    let said = observed.said(from: mark)
    #expect(try uuids(observed) == before, "\(title): \(said)")
    let told = observed.changes(from: mark).filter { before.contains($0.uuid) }
    #expect(told.allSatisfy { $0.kind == .modified || $0.kind == .renamed }, "\(title): \(said)")
    #expect(told.contains { $0.uuid == before[1] && $0.kind == .modified }, "\(title): \(said)")
    try await observed.expectAgreement()
  }

  @Test(arguments: TestSource.toTest) func anotherIsExchangedWithIt(_ source: TestSource) async throws {
    let observed = try await observed(by: source)
    for _ in 0..<2 {
      try await expectSaved(observed, "exchange") {
        try await run(Self.fill.replacing("N", with: ".new"))
        try folder.watched.exchange(".new", "doc.textbundle")
        try await run("rm -r .new")
      }
    }
  }

  /// Polling may look while nothing has the name.
  @Test(arguments: TestSource.toTest.filter { $0 != .polling }) func anotherIsRenamedToItsPlace(_ source: TestSource)
    async throws
  {
    let observed = try await observed(by: source)
    let (hidden, new) = (Self.fill.replacing("N", with: ".new"), Self.fill.replacing("N", with: "new"))
    for command in [
      "\(hidden) && mv doc.textbundle .old && mv .new doc.textbundle && rm -r .old",
      "\(hidden) && rm -r doc.textbundle && mv .new doc.textbundle",
      "\(hidden) && mv doc.textbundle ../old && mv .new doc.textbundle && rm -r ../old",
      "\(new) && mv doc.textbundle doc~.textbundle && mv new doc.textbundle && rm -r doc~.textbundle",
      "cp -a doc.textbundle new && echo x >> new/text.md && mv doc.textbundle old && mv new doc.textbundle && rm -r old",
    ] {
      try await expectSaved(observed, command) { try await run(command) }
    }
  }

  @Test(arguments: TestSource.toTest.filter { $0 != .polling }) func itIsMadeAnewAtItsPlace(_ source: TestSource)
    async throws
  {
    let observed = try await observed(by: source)
    let fill = Self.fill.replacing("cp doc.textbundle", with: "cp aside").replacing("N", with: "doc.textbundle")
    try await expectSaved(observed, "set aside") {
      try await run("mv doc.textbundle aside && \(fill) && rm -r aside")
    }
  }
}
