import ObservationSimulation
import TestTraits
import Testing

/// Documents that change their names with each other, and are not saved: each keeps its identity.
@Suite(.processor) struct RenumberingTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify]

  /// The UUID of each document went to the next one, and the correct tags were overwritten.
  @Test(arguments: sources, ["", "|", "| 100ms |"])
  func filesThatAreRenumberedThroughHiddenNames(_ source: SimulatedSource, _ pause: String) {
    let world = Scenario("new 1.jpg; new 2.jpg; new 3.jpg; new 4.jpg", source: source)
    let before = (1...4).map { world.identity("\($0).jpg") }
    let away = (1...4).map { "rename \($0).jpg .\($0)" }.joined(separator: "; ")
    let back = (1...4).map { "rename .\($0) \($0 + 1).jpg" }.joined(separator: "; ")
    world.runs("\(away) \(pause) \(back) …")
    #expect((2...5).map { world.identity("\($0).jpg") } == before, "\(world.told)")
    #expect((2...5).map { world.tag("\($0).jpg") } == before, "\(world.told)")
  }

  @Test(arguments: sources, ["", "|", "| 100ms |"])
  func threeNamesThatAreRotatedThroughHiddenOnes(_ source: SimulatedSource, _ pause: String) {
    let world = Scenario("new a; new b; new c", source: source)
    let before = ["a", "b", "c"].map { world.identity($0) }
    world.runs("rename a .1; rename b .2; rename c .3 \(pause) rename .1 b; rename .2 c; rename .3 a …")
    #expect(["b", "c", "a"].map { world.identity($0) } == before, "\(world.told)")
    #expect(["b", "c", "a"].map { world.tag($0) } == before, "\(world.told)")
  }

  /// logrotate with `delaycompress`: the compressed log gets the name of the one that has just moved up.
  @Test(arguments: sources, ["", "|", "| 100ms |"])
  func aSeriesThatMovesUp(_ source: SimulatedSource, _ pause: String) {
    for new in [
      "new app.log.1.gz \(pause) rename app.log.2.gz app.log.3.gz",
      "rename app.log.2.gz app.log.3.gz \(pause) new app.log.1.gz",
    ] {
      let world = Scenario("new app.log.2.gz; new app.log.1", source: source)
      let identity = world.identity("app.log.2.gz")
      world.runs("\(new); rename app.log.1.gz app.log.2.gz; unlink app.log.1 …")
      #expect(world.identity("app.log.3.gz") == identity, "\(new) \(world.told)")
      #expect(world.identity("app.log.2.gz") != identity)
    }
  }

  /// A document is renamed, and another one gets its name that was made only then.
  @Test(arguments: sources) func aFileThatIsMadeAfterTheRename(_ source: SimulatedSource) {
    let world = Scenario("new a.txt", source: source)
    let identity = world.identity("a.txt")
    world.runs("rename a.txt b.txt; new n.txt; rename n.txt a.txt …")
    #expect(world.identity("b.txt") == identity && world.told.contains("renamed a.txt -> b.txt"), "\(world.told)")
  }

  /// A document whose name has another's in its own counted for ever as the next version of that one.
  @Test(arguments: sources) func aDocumentThatGetsTheNameOfOneThatWasMovedAway(_ source: SimulatedSource) {
    let world = Scenario("new report.txt; mkdir d", source: source)
    world.runs("new report-new.txt … 3000ms")
    let (report, other) = (world.identity("report.txt"), world.identity("report-new.txt"))
    world.runs("rename report.txt d/old; rename report-new.txt report.txt …")
    #expect(world.identity("report.txt") == other && world.identity("d/old") == report, "\(world.told)")
  }
}

// MARK: - Documents that are put over others

extension RenumberingTests {
  /// A script keeps the last days: the new file got the UUID of the document that had moved on.
  @Test(arguments: sources, ["", "|", "| 100ms |"])
  func aDocumentIsPutOverAnotherAndANewOneGetsItsName(_ source: SimulatedSource, _ pause: String) {
    for new in [".new", "new.md"] {
      let world = Scenario("new today.md; new yesterday.md", source: source)
      let identity = world.identity("today.md")
      world.runs("new \(new) \(pause) rename today.md yesterday.md; rename \(new) today.md …")
      #expect(world.identity("yesterday.md") == identity && world.tag("yesterday.md") == identity, "\(world.told)")
      #expect(world.identity("today.md") != identity && world.told.contains("deleted(replaced) yesterday.md"))
    }
  }

  /// A name that is made from the document's is that of a backup, also if there was one.
  @Test(arguments: sources) func aBackupIsPutOverTheLastOne(_ source: SimulatedSource) {
    let world = Scenario("new today.md; new today-old.md", source: source)
    let identity = world.identity("today.md")
    world.runs("new .new; rename today.md today-old.md; rename .new today.md …")
    #expect(world.identity("today.md") == identity && world.tag("today.md") == identity, "\(world.told)")
  }
}
