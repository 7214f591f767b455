import ObservationSimulation
import Testing

/// Patterns for directories, and for what is included, where each look tells what something is.
@Suite struct PatternScenarioTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify, .polling]

  /// What something is, is not told with every event: a file is not taken for the directory that the pattern is about.
  @Test(arguments: sources) func aPatternForDirectoriesIsNotAboutFiles(_ source: SimulatedSource) {
    let world = Scenario("new a; mkdir d; new d/c", source: source, excluding: ["a/", "/b/"])
    #expect(world.run("rename a b |") == ["renamed a -> b"])
    #expect(world.run("rename b d/a |") == ["moved b -> d/a"])
    world.run("exchange d/a d/c |")
    #expect(Set(world.told) == ["renamed d/a -> d/c", "renamed d/c -> d/a"])
    world.run("unlink d/a; create d/a; write d/a; close d/a |")
    #expect(world.problems == [])
  }

  /// A folder that is included by its name takes along what is in it.
  @Test(arguments: sources) func aFolderThatIsIncludedByItsNameIsMoved(_ source: SimulatedSource) {
    let world = Scenario("mkdir docs; mkdir e; new docs/a; new x.md", source: source, including: ["docs", "*.md"])
    #expect(world.run("rename docs e/docs |") == ["moved docs -> e/docs"])
    #expect(world.run("rename e/docs/a e/a.md |") == ["moved e/docs/a -> e/a.md"])
    #expect(world.run("rename x.md e/docs/x |") == ["moved x.md -> e/docs/x"])
    #expect(world.problems == [])
  }
}
