import ObservationSimulation
import Testing

/// Temporary files that were announced before they took their document's place, and documents that are as new as those
/// and are none.
struct VersionRegressionTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify, .polling]

  /// Resilio, encoders, sync clients: the document's identity ended, and that of the temporary file took its place.
  @Test(arguments: ["film.mkv.xyz", "film.tmp.mkv", "film.mkvAb12"], sources)
  func aVersionThatWasAnnouncedIsTheDocument(_ version: String, _ source: SimulatedSource) {
    let world = Scenario("new film.mkv", source: source)
    let document = world.identity("film.mkv")
    world.run("new \(version)")
    world.run("append \(version)")
    world.run("rename \(version) film.mkv", tells: ["deleted(removed) \(version)", "modified film.mkv"])
    #expect(world.identity("film.mkv") == document && world.tag("film.mkv") == document)
  }

  /// The pieces of a download come seconds apart: it is not finished with the first.
  @Test func aVersionOfAPartialNameIsNotFinishedWithItsFirstPiece() {
    Scenario("new film.mkv").run(
      """
      new film.mkv.!sync 2000ms append film.mkv.!sync 2000ms append film.mkv.!sync 2000ms
      rename film.mkv.!sync film.mkv |
      """,
      tells: ["discovered(copying) film.mkv.!sync", "deleted(removed) film.mkv.!sync", "modified film.mkv"])
  }

  /// The copy bears whatever name its program gave it.
  @Test(arguments: sources) func aCopyThatWasWorkedOnIsTheDocument(_ source: SimulatedSource) {
    let world = Scenario("new doc.txt", source: source)
    world.run("copy-a doc.txt tmp1234", tells: ["duplicated doc.txt => tmp1234", "copyFinished tmp1234"])
    world.run("append tmp1234", tells: ["modified tmp1234"])
    world.run("rename tmp1234 doc.txt", tells: ["deleted(removed) tmp1234", "modified doc.txt"])
  }

  /// However the old version is put aside.
  @Test(arguments: ["rename doc doc~", "link doc doc~"])
  func theOldVersionOfWhichIsKeptAsABackup(_ aside: String) {
    let world = Scenario("new doc")
    world.run("new doc.new")
    let told = world.run("\(aside); rename doc.new doc |")
    let expected = ["deleted(removed) doc.new", "modified doc", "duplicated doc => doc~", "copyFinished doc~"]
    #expect(told == expected && world.problems == [])
  }

  @Test(arguments: sources) func orIsRemovedFirst(_ source: SimulatedSource) {
    let world = Scenario("new doc", source: source)
    world.run("new doc.new")
    world.run("unlink doc; rename doc.new doc", tells: ["deleted(removed) doc.new", "modified doc"])
  }
}

// MARK: - Documents of their own

extension VersionRegressionTests {
  /// Both were there before: nobody knows that one was made for the other.
  @Test(arguments: sources) func twoDocumentsThatBothExistedBeforeAreTwo(_ source: SimulatedSource) {
    Scenario("new film.mp4; new film.tmp.mp4", source: source).run(
      "rename film.tmp.mp4 film.mp4", tells: ["deleted(replaced) film.mp4", "renamed film.tmp.mp4 -> film.mp4"])
  }

  @Test(arguments: sources) func aDocumentOfAnotherNameIsItself(_ source: SimulatedSource) {
    let world = Scenario("new doc", source: source)
    world.run("new other")
    world.run("rename other doc", tells: ["deleted(replaced) doc", "renamed other -> doc"])
  }

  /// Whoever renamed it was not its writer.
  @Test(arguments: ["rename doc.new x; | rename x doc.new", "link doc.new y"])
  func aFileThatOthersHaveTouchedIsADocument(_ touch: String) {
    let world = Scenario("new doc")
    world.run("new doc.new")
    world.run(touch)
    #expect(world.run("rename doc.new doc").contains("deleted(replaced) doc"))
  }

  @Test func theMembersOfASeriesAreDocuments() {
    let world = Scenario()
    world.run("new log.1; new log.2")
    world.run("rename log.1 log.2", tells: ["deleted(replaced) log.2", "renamed log.1 -> log.2"])
  }
}

// MARK: - Renamed as soon as they are there

extension VersionRegressionTests {
  private static let sourcesOfHints: [SimulatedSource] = [.inotify, .fanotify]

  /// Scanning and importing programs: each page took the place of the next, and only one kept its UUID.
  @Test(arguments: sourcesOfHints) func newDocumentsAreRenumbered(_ source: SimulatedSource) {
    let world = Scenario(source: source)
    world.play("new p1; new p2; new p3 | 800ms")
    let before = ["p1", "p2", "p3"].map { world.identity($0) }
    world.run(
      "rename p3 p4; rename p2 p3; rename p1 p2 |",
      tells: ["renamed p3 -> p4", "renamed p2 -> p3", "renamed p1 -> p2"])
    #expect(["p2", "p3", "p4"].map { world.identity($0) } == before)
  }

  @Test(arguments: ["begin 0", "| 800ms"], sourcesOfHints)
  func newDocumentsChangePlacesByAThirdName(_ sight: String, _ source: SimulatedSource) {
    let world = Scenario(begins: sight != "begin 0", source: source)
    world.play("new a; new b; \(sight)")
    let before = [world.identity("a"), world.identity("b")]
    #expect(before[0] != nil && before[1] != nil)
    world.runs("rename a t; rename b a; rename t b |")
    #expect([world.identity("b"), world.identity("a")] == before)
  }

  /// A new document is moved over another that is as new.
  @Test(arguments: sourcesOfHints) func aNewDocumentOverANewOneIsItself(_ source: SimulatedSource) {
    let world = Scenario(source: source)
    world.play("new p1; new p2 | 800ms")
    world.run("rename p2 p1 |", tells: ["deleted(replaced) p1", "renamed p2 -> p1"])
  }
}
