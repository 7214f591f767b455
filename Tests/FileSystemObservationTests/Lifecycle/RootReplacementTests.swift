import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import TestTraits
import Testing

/// Another user owns the folder above the observed one, and puts something else in its place: root must not look into
/// it.
@Suite(
  .light, .enabled(if: geteuid() == 0, "only root can act as another user"),
  .enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
struct RootReplacementTests {
  /// What the other user does in his folder `shared`, where `shared/sub/docs` is observed.
  enum Trick: String, CaseIterable, Sendable {
    case link = "mv sub/docs sub/away; ln -s ../../../outside/private/docs sub/docs"
    case linkToTheFolderItself = "mv sub/docs sub/away; ln -s away sub/docs"
    case linkOnTheWay = "mv sub away; ln -s ../../outside/private sub"
    case anotherFolder = "mv sub/docs sub/away; mkdir sub/docs; echo x > sub/docs/bait"
    case anotherFolderWithTheTag =
      "mv sub/docs sub/away; mkdir sub/docs; setfattr -n user.fsobserver.uuid -v $TAG sub/docs; echo x > sub/docs/bait"

    var undone: String {
      self == .linkOnTheWay ? "rm sub; mv away sub" : "rm -r sub/docs; mv sub/away sub/docs"
    }
  }

  private func act(_ script: String, in folder: TestFolder, tag: UUID) throws {
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-ec"]
    let command = user + ["TAG=\(tag.uuidString.lowercased()); \(script)"]
    // The folders above may be closed to him: he begins where he is at home.
    try Command.run(arguments: ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.watched["shared"]] + command)
  }

  private func awaitDiagnostic(_ code: FileSystemObserver.Diagnostic.Code, _ recorder: Recorder) async throws {
    try await recorder.await("\(code)") {
      if case .diagnostic(let diagnostic) = $0 { diagnostic.code == code } else { false }
    }
  }

  @Test(arguments: Trick.allCases)
  func whatAnotherUserPutsInItsPlaceIsNotLookedInto(_ trick: Trick) async throws {
    let folder = try TestFolder("replaced")
    try folder.watched.makeDirectories("shared/sub/docs")
    try folder.watched.write("shared/sub/docs/a.txt")
    try folder.outside.makeDirectories("private/docs")
    try folder.outside.write("private/docs/secret.txt")
    try Command.run("chown", "65534", folder.watched["shared"], folder.watched["shared/sub"])
    let docs = folder.watched.folder("shared/sub/docs")
    var options = FileSystemObserver.Configuration()
    options.rootLossPolicy = .waitForReturn
    options.directory = FilePath(docs.path)
    let observer = FileSystemObserver(TestSource.named?.applied(to: options) ?? options)
    let recorder = Recorder(observer)
    try await observer.start()
    defer { observer.stop() }
    try await recorder.awaitScan()
    let document = try docs.tag("a.txt")
    let tag = try #require(try folder.watched.tag("shared/sub/docs"))

    try act(trick.rawValue, in: folder, tag: tag)
    try await awaitDiagnostic(.rootLost, recorder)
    try await awaitDiagnostic(.rootReplaced, recorder)
    for name in ["private", "private/docs", "private/docs/secret.txt"] { #expect(try folder.outside.tag(name) == nil) }
    let mark = recorder.position
    try act(trick.undone, in: folder, tag: tag)
    try await recorder.awaitScan(from: mark)
    let names = recorder.changes().compactMap(\.path.lastComponent?.string)
    #expect(!names.contains("secret.txt") && !names.contains("bait"))
    #expect(try docs.tag("a.txt") == document)
    #expect(observer.snapshot().map(\.path.lastComponent?.string) == ["a.txt"])
  }
}
