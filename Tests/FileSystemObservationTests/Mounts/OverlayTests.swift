import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Files in the lower layer of an overlay: a tag would have them copied into the upper layer, and when something else
/// copies them, they are the same files.
@Suite(
  .light, .enabled(if: OverlayFolder.isPossible, "needs root, and a file system that may be an overlay's upper layer"))
struct OverlayTests {
  /// Files and folders in both layers.
  private static func fill(_ lower: Folder, _ upper: Folder) throws {
    for letter in ["a", "b", "c", "d", "e", "f", "g"] { try lower.write("\(letter).txt", "lower \(letter)") }
    try lower.makeDirectories("sub/deep")
    try lower.write("sub/in.txt")
    try lower.write("sub/deep/in.txt")
    try upper.write("upper.txt")
  }

  private static let lowerCount = 11

  private func observe(
    _ overlay: OverlayFolder, options: FileSystemObserver.Configuration = FileSystemObserver.Configuration()
  ) async throws -> ObservedFolder {
    let observed = ObservedFolder(overlay.folder, options: options)
    try await observed.start()
    return observed
  }

  /// What is told and what is on disk, but for tags that are not there.
  private func differences(_ observed: ObservedFolder) -> [String] {
    observed.differences().filter { !$0.contains("bears no tag") }
  }

  @Test func aScanCopiesNothing() async throws {
    let overlay = try OverlayFolder(prepare: Self.fill)
    let observed = try await observe(overlay)
    defer { observed.observer.stop() }
    #expect(try overlay.upperPaths() == ["upper.txt"])
    #expect(observed.recorder.scans.map(\.skipped) == [[.onlyInLowerLayer: Self.lowerCount]])
    let tagged = observed.observer.snapshot().filter { $0.identity == .tag }.map { observed.relative($0.path) }
    #expect(tagged == ["upper.txt"])
    // Polling may look at one again, and says then that it has no tag.
    #expect(observed.recorder.diagnostics.count { $0.code != .tagNotWritten } == 0)
    #expect(observed.recorder.diagnostics.count <= 1)
    #expect(differences(observed) == [])
  }

  @Test func theObservedFolderMayBeInTheLowerLayer() async throws {
    let overlay = try OverlayFolder(prepare: Self.fill)
    let observer = FileSystemObserver(directory: URL(filePath: overlay.folder.watched["sub"]))
    let recorder = Recorder(observer)
    try await observer.start()
    defer { observer.stop() }
    #expect(try await recorder.awaitScan().skipped == [.onlyInLowerLayer: 3])
    #expect(try overlay.upperPaths() == ["upper.txt"])
  }

  @Test func allIsTaggedWhereThatIsWanted() async throws {
    let overlay = try OverlayFolder(prepare: Self.fill)
    var options = FileSystemObserver.Configuration()
    options.tagsFilesOfLowerLayers = true
    let observed = try await observe(overlay, options: options)
    defer { observed.observer.stop() }
    #expect(try overlay.upperPaths().count == Self.lowerCount + 1)
    #expect(observed.recorder.scans.map(\.skipped) == [[:]])
    try await observed.expectAgreement()
    // The scan itself has copied it up: it is the same file all the same.
    try await observed.saysExactly(["renamed a.txt -> z.txt"]) { try $0.rename("a.txt", "z.txt") }
    try await observed.saysExactly(["copyFinished sub/new.txt", "discovered sub/new.txt"], order: .any) {
      try $0.write("sub/new.txt")
    }
  }

  private struct Mounting: CustomTestStringConvertible {
    var options = ""
    var isLowerInMemory = false
    var testDescription: String { "lower layer \(isLowerInMemory ? "elsewhere" : "on the same file system")\(options)" }
  }

  private static let mountings = [
    Mounting(), Mounting(options: ",index=on"), Mounting(options: ",metacopy=on,redirect_dir=on"),
    Mounting(isLowerInMemory: true), Mounting(options: ",xino=off", isLowerInMemory: true),
  ]

  /// Whatever copies a file up, it is the same file, and gets its tag then.
  @Test(arguments: mountings) private func whatIsChangedKeepsItsIdentity(_ mounting: Mounting) async throws {
    let overlay = try OverlayFolder(mounting.options, isLowerInMemory: mounting.isLowerInMemory, prepare: Self.fill)
    let observed = try await observe(overlay)
    defer { observed.observer.stop() }
    let before = Dictionary(
      uniqueKeysWithValues: observed.observer.snapshot().map { (observed.relative($0.path), $0.uuid) })
    let mark = observed.recorder.position
    try Self.change(observed.root)
    for (name, former) in [
      "a.txt": "a.txt", "b.txt": "b.txt", "c2.txt": "c.txt", "d.txt": "d.txt", "e.txt": "e.txt", "f.txt": "f.txt",
    ] {
      try await observed.expectTag(try #require(before[former]), name)
    }
    try await observed.settle()
    let said = observed.said(from: mark).sorted()
    #expect(
      said == [
        "copyFinished sub/new.txt", "deleted(removed) g.txt", "discovered sub/new.txt", "modified a.txt",
        "modified b.txt", "modified e.txt", "modified f.txt", "renamed c.txt -> c2.txt",
      ])
    for name in ["sub", "sub/in.txt", "sub/deep"] { #expect(try observed.knownUUID(name) == before[name], "\(name)") }
    #expect(try !overlay.upperPaths().contains("sub/in.txt"), "its folder was copied up without it")
    #expect(differences(observed) == [])
  }

  private static func change(_ root: Folder) throws {
    try root.write("a.txt", "written in place")
    try root.append("b.txt")
    try root.rename("c.txt", "c2.txt")
    try root.chmod("d.txt", 0o600)
    try root.write("e.tmp", "saved by a rename over it")
    try root.rename("e.tmp", "e.txt")
    try root.rename("f.txt", "f.txt~")
    try root.write("f.txt", "saved with a backup")
    try root.unlink("f.txt~")
    try root.unlink("g.txt")
    try root.write("sub/new.txt")
  }

  /// Of a file with two names, one is copied up: these are two files then.
  @Test func aNameOfSeveralIsCopiedUp() async throws {
    let overlay = try OverlayFolder { lower, _ in
      try lower.write("a.txt")
      try lower.link("a.txt", "b.txt")
    }
    let observed = try await observe(overlay)
    defer { observed.observer.stop() }
    let uuid = try observed.knownUUID("a.txt")
    #expect(try observed.knownUUID("b.txt") == uuid)
    try observed.root.append("a.txt")
    try await observed.expectTag(uuid, "a.txt")
    let deadline = Moment.now + .seconds(20)
    while !differences(observed).isEmpty, Moment.now < deadline { try await observed.settle() }
    #expect(differences(observed) == [])
    #expect(try observed.knownUUID("b.txt") != uuid)
    let diagnostics = observed.recorder.diagnostics
    #expect(diagnostics.map(\.code) == [.tagNotWritten], "found anew, it has no tag, and that is told")
    #expect(try overlay.upperPaths() == ["a.txt"])
  }

  /// What is copied up while nobody looks is the same file to the next observer, which tags it when it sees it changed.
  @Test func identityOutlastsTheObserver() async throws {
    let overlay = try OverlayFolder(prepare: Self.fill)
    let first = try await observe(overlay)
    let before = try first.knownUUID("a.txt")
    let folder = try first.knownUUID("sub")
    await first.observer.stop()
    try overlay.folder.watched.append("a.txt")
    try overlay.folder.watched.write("sub/new.txt")
    let second = try await observe(overlay)
    defer { second.observer.stop() }
    #expect(try second.knownUUID("a.txt") == before)
    #expect(try second.knownUUID("sub") == folder)
    #expect(try second.root.tag("sub/new.txt") != nil)
    try second.root.append("a.txt")
    try await second.expectTag(before, "a.txt")
  }

  @Test func theOperationsOnDocumentsCopyWhatTheyAreGivenOnly() async throws {
    let overlay = try OverlayFolder(prepare: Self.fill)
    let observed = try await observe(overlay)
    defer { observed.observer.stop() }
    let uuid = try observed.knownUUID("a.txt")
    let url = URL(filePath: observed.root["a.txt"])
    try await observed.observer.duplicateItem(at: url, to: URL(filePath: observed.root["copy.txt"]))
    #expect(try overlay.upperPaths() == ["upper.txt", "copy.txt"])
    try await observed.observer.replaceContents(of: url, with: Array("new".utf8))
    #expect(try observed.root.tag("a.txt") == uuid)
    #expect(try overlay.upperPaths() == ["upper.txt", "copy.txt", "a.txt"])
    try await observed.settle()
    #expect(try observed.knownUUID("a.txt") == uuid)
    #expect(differences(observed) == [])
  }

  @Test(arguments: TestSource.toTest) func everySourceTellsOfIt(_ source: TestSource) async throws {
    let overlay = try OverlayFolder(prepare: Self.fill)
    let observed = try await observe(overlay, options: source.applied(to: FileSystemObserver.Configuration()))
    defer { observed.observer.stop() }
    let uuids = try ["a.txt", "b.txt", "c.txt"].map { try observed.knownUUID($0) }
    try observed.root.append("a.txt")
    try observed.root.rename("b.txt", "b2.txt")
    try observed.root.write("c.tmp")
    try observed.root.rename("c.tmp", "c.txt")
    for (uuid, name) in zip(uuids, ["a.txt", "b2.txt", "c.txt"]) { try await observed.expectTag(uuid, name) }
    try await observed.settle()
    #expect(differences(observed) == [])
  }
}
