import ObservationSimulation
import Testing

/// Why an item ended is told truly, also where something else has its place at once.
struct ReasonTests {
  /// What comes to the name of a document that has left, and is no version of it.
  private static let newcomers: [(script: String, told: [String])] = [
    ("symlink a |", ["discovered a"]),
    ("link b a |", ["linked a"]),
    ("rename b a |", ["renamed b -> a"]),
    ("mkdir a |", ["discovered a"]),
    ("rename d a |", ["renamed d -> a"]),
  ]
  private static let departures = [("/outside/x", "movedOut"), ("/trash/x", "trashed")]

  /// The place was told to have been taken over what had left it: "replaced".
  @Test(arguments: 0..<newcomers.count, [SimulatedSource.fanotify, .inotify])
  func whatHasLeftWasNotReplaced(_ number: Int, _ source: SimulatedSource) {
    let (script, told) = Self.newcomers[number]
    for (place, reason) in Self.departures {
      let world = Scenario("new a; new b; mkdir d", source: source)
      world.run("rename a \(place); \(script)")
      #expect(Set(world.told) == Set(["deleted(\(reason)) a"] + told), "\(world.journal)")
      #expect(world.problems == [])
    }
  }

  /// Who only looks sees where something went only if that is the trash.
  @Test(arguments: 0..<newcomers.count) func whatIsInTheTrashIsFoundThere(_ number: Int) {
    let (script, told) = Self.newcomers[number]
    let world = Scenario("new a; new b; mkdir d", source: .polling)
    world.run("rename a /trash/x; \(script)")
    #expect(Set(world.told) == Set(["deleted(trashed) a"] + told))
    #expect(world.problems == [])
  }

  /// A document that comes back to the name of one that has just left.
  @Test(arguments: departures) func aDocumentThatReturnsToTheNameOfOneThatLeft(_ place: String, _ reason: String) {
    let world = Scenario("new a; new b")
    world.run("rename b /outside/b")
    world.run(
      "rename a \(place); rename /outside/b a |",
      tells: ["deleted(\(reason)) a", "discovered(returned) a", "copyFinished a"])
  }

  /// What is put over a document replaces it, whatever it is.
  @Test(arguments: ["rename b a |", "rename s a |"]) func whatIsPutOverADocumentReplacesIt(_ script: String) {
    let world = Scenario("new a; new b; symlink s")
    world.runs(script)
    #expect(world.deletions == ["deleted(replaced) a"])
  }

  /// A plain file at the name of a document that has just left is the document's next version: the identity stays with
  /// the name.
  @Test(arguments: departures.map(\.0)) func aNewFileAtTheNameOfADocumentThatLeftIsTheDocument(_ place: String) {
    let world = Scenario("new a")
    let identity = world.identity("a")
    world.run("rename a \(place); new a |", tells: ["modified a"])
    #expect(world.identity("a") == identity)
  }

  /// Some programs give an item a hidden name before they remove it.
  @Test(
    arguments: [
      "rename a .x; unlink .x |", "rename a .x | 100ms | unlink .x |", "rename a .x; rename .x .y | unlink .y |",
      "rename a .x; new .y; rename .y .x |", "rename a d/.x | unlink d/.x |",
    ], [SimulatedSource.fanotify, .inotify, .polling])
  func whatIsRemovedUnderAHiddenNameIsRemoved(_ script: String, _ source: SimulatedSource) {
    let world = Scenario("new a; mkdir d", source: source)
    world.run(script, tells: ["deleted(removed) a"])
  }

  @Test(arguments: [SimulatedSource.fanotify, .inotify]) func aFolderRemovedUnderAHiddenNameIsRemoved(
    _ source: SimulatedSource
  ) {
    let world = Scenario("mkdir d; new d/a", source: source)
    world.run("rename d .x; remove .x |", tells: ["deleted(removed) d/a", "deleted(removed) d"])
  }

  /// The place under a hidden name is another's after a while.
  @Test(arguments: [SimulatedSource.fanotify, .inotify]) func whatGoesOnUnderAHiddenNameHasMovedOut(
    _ source: SimulatedSource
  ) {
    let world = Scenario("new a; new b", source: source)
    world.run("rename a .x |", tells: ["deleted(movedOut) a"])
    world.run("rename .x .y; rename b .x; unlink .y |", tells: ["deleted(movedOut) b"])
    world.run("unlink .x |", tells: [])
  }

  @Test(arguments: ["rename a .x; rename .x b |", "rename a .x | rename .x .y | 50ms | rename .y b |"])
  func whatReturnsFromAHiddenNameIsRenamed(_ script: String) {
    let world = Scenario("new a")
    let identity = world.identity("a")
    world.run(script, tells: ["renamed a -> b"])
    #expect(world.identity("b") == identity)
  }

  /// A folder that is put in the trash ends there with all that is in it.
  @Test func whatIsInATrashedFolderIsInTheTrash() {
    let world = Scenario("mkdir d; new d/a")
    world.run(
      "rename d /trash/x; mkdir d |", tells: ["deleted(trashed) d/a", "deleted(trashed) d", "discovered d"])
  }
}
