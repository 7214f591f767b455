import ObservationSimulation
import TestTraits
import Testing

/// Faults of two observers on one tree, found in simulated worlds.
@Suite(.processor) struct ObserverRegressionTests {
  /// Both know the same identities, and they are the tags.
  private func expectAgreement(_ world: Scenario, _ names: String..., sourceLocation: SourceLocation = #_sourceLocation)
  {
    for name in names {
      let known = [world.identity(name), world.identity(name, observer: 1)]
      #expect(known == [world.tag(name), world.tag(name)], "\(name)", sourceLocation: sourceLocation)
    }
    #expect(Set(names.map { world.tag($0) }).count == names.count, sourceLocation: sourceLocation)
  }

  /// One has no memory and believes the tags, the other knows better: each put its own back, and one gave up and said
  /// what was not so.
  @Test(arguments: [
    "unnamed t; write t; unlink notes; name t notes; close t", "new .t; rename .t notes", "unlink notes; new notes",
    "rename notes notes~; new notes", "new .t; exchange .t notes",
  ])
  func anObserverWithoutMemoryAgreesInTheEnd(_ save: String) {
    for moment in [
      "begin 1 |", "| begin 1 |", "| 700ms begin 1 |", "1500ms begin 1 |", "0|2 begin 1 |", "0| begin 1; 1| |",
    ] {
      let world = Scenario("new notes; new data.db", observers: 2)
      world.runs("kill 1 copy-a notes data.db; \(save) \(moment)")
      expectAgreement(world, "notes", "data.db")
      #expect(world.tagWrites < 60)
    }
  }

  /// Both see a copy at different times: each gives it the same identity.
  @Test(arguments: ["|", "0| 700ms 1|", "1| 700ms 0|", "0|1 1|2 |"]) func aCopyGetsOneIdentity(_ delivery: String) {
    let world = Scenario("new notes", observers: 2)
    let writes = world.tagWrites
    world.runs("copy-a notes b; copy-late notes c \(delivery)")
    expectAgreement(world, "notes", "b", "c")
    #expect(world.tagWrites - writes <= 4)
  }

  /// Both put a forged tag back, and neither takes the other's for a forgery.
  @Test(arguments: ["|", "0| 700ms 1|", "1| 0|"]) func aForgedTagIsPutBackOnce(_ delivery: String) {
    let world = Scenario("new notes; new b", observers: 2)
    let before = world.identity("b")
    let writes = world.tagWrites
    world.run("tag notes b \(delivery)", tells: [])
    #expect(world.identity("b") == before)
    expectAgreement(world, "notes", "b")
    #expect(world.tagWrites - writes <= 2)
  }

  /// A save that one of them did not see, as it was not there.
  @Test(arguments: [
    "new .t; rename .t notes", "rename notes notes~; new notes", "new .t; exchange .t notes; unlink .t",
  ])
  func aSaveThatOneOfThemMissedKeepsTheIdentity(_ save: String) {
    let world = Scenario("new notes", observers: 2)
    let before = world.identity("notes")
    world.runs("kill 0 \(save); 1| begin 0")
    #expect(world.identity("notes") == before)
    expectAgreement(world, "notes")
  }

  /// One was away while a document with several names was copied over: it told of one name only what both had to yield.
  @Test func aContestOverAFileWithSeveralNamesEnds() {
    let world = Scenario("new d; link d a; new n", observers: 2)
    world.runs("kill 1 copy-a n a; begin 1 |")
    expectAgreement(world, "d", "n")
    #expect(world.tag("a") == world.tag("d"))
    #expect(world.tagWrites < 80)
  }

  /// A file bore the tag of the folder it is in: it was told to be another before the folder was.
  @Test func aFolderIsToldBeforeWhatIsInIt() {
    let world = Scenario("mkdir d; mkdir d/e; new d/e/f", observers: 2)
    world.runs("kill 1 tag d/e/f d; begin 1 |")
    expectAgreement(world, "d", "d/e", "d/e/f")
  }

  /// One was away while a document was saved with a backup that stays: who had watched had to give in.
  @Test func whoHasWatchedForLongerIsRight() {
    let world = Scenario("new report", observers: 2)
    let before = world.identity("report")
    world.runs("kill 1 rename report report.orig; new report; begin 1 |")
    #expect(world.identity("report") == before)
    expectAgreement(world, "report", "report.orig")
  }
}
