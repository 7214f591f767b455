import ObservationSimulation
import Testing

/// `rm -r d; mkdir d`: the identity stays with the path, and what is in the folder is compared by name.
struct FolderMadeAnewTests {
  private static let rebuild = "remove d; mkdir d;"

  @Test(arguments: SimulatedSource.allCases) func anEmptyFolderIsTheSame(_ source: SimulatedSource) {
    let world = Scenario("mkdir d", source: source)
    let identity = world.identity("d")
    world.run("\(Self.rebuild) |", tells: [])
    #expect(world.identity("d") == identity)
    #expect(world.tag("d") == identity)
  }

  /// What is made anew in it was saved, what is not was removed, and what was not there before is new.
  @Test(arguments: SimulatedSource.allCases) func whatIsInItIsComparedByName(_ source: SimulatedSource) {
    let world = Scenario("mkdir d; mkdir d/e; new d/a; new d/b; new d/e/f", source: source)
    let paths = ["d", "d/a", "d/e", "d/e/f"]
    let before = paths.map { world.identity($0) }
    world.run("\(Self.rebuild) mkdir d/e; new d/a; new d/c; new d/e/f |")
    let expected = [
      "modified d/a", "modified d/e/f", "deleted(removed) d/b", "discovered d/c", "copyFinished d/c",
    ]
    #expect(world.told.sorted() == expected.sorted(), "\(world.journal)")
    #expect(world.problems == [])
    #expect(paths.map { world.identity($0) } == before)
  }

  /// When the window is over, it is another.
  @Test(arguments: [SimulatedSource.fanotify, .inotify]) func afterTheWindowItIsAnother(_ source: SimulatedSource) {
    let world = Scenario("mkdir d", source: source)
    let identity = world.identity("d")
    world.run("remove d | 600ms mkdir d |", tells: ["deleted(removed) d", "discovered d"])
    #expect(world.identity("d") != identity)
  }

  /// One that was renamed away, or out of the tree, is where it went.
  @Test(arguments: [SimulatedSource.fanotify, .inotify]) func aFolderThatLeftIsWhereItWent(_ source: SimulatedSource) {
    let world = Scenario("mkdir d; new d/a", source: source)
    world.run("rename d e; mkdir d |", tells: ["renamed d -> e", "discovered d"])
    world.run("rename d /outside/d; mkdir d |", tells: ["deleted(movedOut) d", "discovered d"])
  }
}
