import ObservationSimulation
import TestTraits
import Testing

/// Faults with files that have several names (hard links), found in simulated worlds and on real folders.
@Suite(.processor) struct LinkRegressionTests {
  /// A backup by hard link that stays took the identity, or was never told.
  @Test(arguments: [".t", "t.tmp"]) func aBackupByHardLinkThatStaysIsTold(_ temporary: String) {
    let world = Scenario("new sed4")
    world.run(
      "link sed4 sed4.bak; create \(temporary); rename \(temporary) sed4; close \(temporary) |",
      tells: ["modified sed4", "duplicated sed4 => sed4.bak", "copyFinished sed4.bak"])
  }

  /// The copy took the identity of a file that still stood under another name: two files had one UUID.
  @Test func aCopyDoesNotTakeTheIdentityOfAFileWithAnotherName() {
    let world = Scenario("new a; link a b")
    world.run(
      "copy-a a c; unlink a |", tells: ["duplicated a => c", "copyFinished c", "unlinked a", "renamed a -> b"])
  }

  /// All names of the original are gone, so that the copy is it: what another name of the copy was told stayed.
  @Test func aCopyTakesTheIdentityOfAFileWhoseNamesAreAllGone() {
    let world = Scenario("new a; link a b; mkdir d")
    world.run("copy-a a d/c; unlink a; unlink b |", tells: ["unlinked b", "moved a -> d/c"])
  }

  /// A name that was held as a backup perhaps was forgotten when its document was renamed, not saved.
  @Test func aFurtherNameIsToldThoughTheDocumentIsRenamed() {
    let world = Scenario("new notes")
    world.run("link notes notes.orig; rename notes a.txt |", tells: ["renamed notes -> a.txt", "linked notes.orig"])
  }

  /// The new inode of a save in doubt got a second name and lost its first: no tag was ever written to it.
  @Test func aSaveInDoubtIsFollowedToItsSecondName() {
    let world = Scenario("new main.c; new report")
    world.runs(
      "rename main.c main.c.bak | create main.c; link main.c c.odt | unlink main.c.bak; rename report main.c |")
    #expect(world.tag("c.odt") == world.identity("c.odt"))
  }

  /// A document moved over another was taken for moved to a new link of its inode.
  @Test func aDocumentMovedOverAnotherIsNotItsOwnNewLink() {
    let world = Scenario("new data.db; link data.db notes; new data.db.orig")
    world.run(
      "rename data.db data.db.orig; link notes notes~ |",
      tells: ["deleted(replaced) data.db.orig", "renamed data.db -> data.db.orig", "linked notes~"])
  }

  /// A change set said `linked` of an inode on its way, and contradicted itself.
  @Test func aLinkThatGoesWhereItsFileWasIsToldOnce() {
    let world = Scenario("new A")
    world.run("link A X; rename A Y; rename X A |", tells: ["linked Y"])
  }

  /// What was written through a name that went before the hint was read stayed unknown.
  @Test func whatIsWrittenThroughALinkThatGoesIsSeen() {
    let world = Scenario("new n12; new b.txt")
    world.run("link b.txt n20 | copy-a n12 n20; unlink n20 |", tells: ["linked n20", "unlinked n20", "modified b.txt"])
    #expect(world.tag("b.txt") != world.tag("n12"))
  }

  /// Here nobody ever saw which file the name was of: no event tells, and only a scan will.
  @Test func aTouchThroughALinkThatGoesUnseenIsMissed() {
    withKnownIssue("inotify tells the name, and by the time it is looked up the name is gone") {
      Scenario("new x.png; mkdir d").run(
        "link x.png d/data.db; touch d/data.db; remove d |", tells: ["deleted(removed) d", "modified x.png"])
    }
  }

  /// A file found by the scan while it is written is saved over: it was told as modified, and never as finished.
  @Test func aLinkedFileSavedOverWhileItIsWrittenIsFinished() {
    let world = Scenario(begins: false)
    world.run(
      "create n12; write n12; link n12 report; begin 0 new t; rename t report |",
      tells: [
        "discovered(copying) n12", "linked report", "unlinked n12", "renamed n12 -> report", "copyFinished report",
        "discovered n12", "copyFinished n12",
      ])
  }

  /// The document's URL was the other name: that it has changed was not told.
  @Test(arguments: [SimulatedSource.inotify, .fanotify, .polling])
  func aLinkedFileSavedAtTheNameThatIsNotItsURLGetsThat(_ source: SimulatedSource) {
    let told = Scenario("new a; mkdir d; link a d/b", source: source).run("new d/.t; rename d/.t d/b")
    let expected = ["unlinked a", "moved a -> d/b", "modified d/b", "duplicated d/b => a", "copyFinished a"]
    #expect(told.sorted() == expected.sorted())
  }

  /// An unfinished file gets a second name and loses its first: it is finished under the one that is left.
  @Test func anUnfinishedFileIsFinishedUnderTheNameThatIsLeft() {
    Scenario().run(
      "create a; write a | 1500ms link a b | unlink a | write a; 1000ms close a |",
      tells: ["discovered(copying) a", "linked b", "unlinked a", "renamed a -> b", "copyFinished b"])
  }

  /// A file is written for long, and has two names from the first moment: one of them was not told before it was closed.
  @Test(arguments: [SimulatedSource.inotify, .fanotify, .polling])
  func bothNamesOfAFileThatIsBeingWrittenAreTold(_ source: SimulatedSource) {
    Scenario(source: source).run(
      "create a; write a; link a b | 4000ms close a |", tells: ["discovered(copying) a", "linked b", "copyFinished a"])
  }

  /// A name was removed and linked again for a save: it was taken for the save, and the document lost its identity.
  @Test func aBackupThatIsLinkedAgainIsNoSave() {
    let world = Scenario("new n; link n n.orig")
    let before = world.identity("n")
    world.run(
      "unlink n.orig; link n n.orig; create sed; write sed; close sed; rename sed n; unlink n.orig |",
      tells: ["unlinked n.orig", "modified n"])
    #expect(world.identity("n") == before)
  }

  /// A saved document was looked at under its other name again and again: the save never ended.
  @Test func aSaveEndsThoughItIsLookedAtUnderAnotherName() {
    let world = Scenario("new a")
    world.run(
      "new .t; rename .t a; link a b | 300ms touch b | 300ms touch b | 300ms touch b |",
      tells: ["linked b", "modified a"])
  }

  /// A backup by hard link, and its document renamed to another backup name: one of the two was never told.
  @Test func aLinkedBackupAndARenamedOneAreBothTold() {
    let world = Scenario("new main.c")
    world.run(
      "link main.c main.c.orig | 15ms rename main.c #main.c# |",
      tells: ["renamed main.c -> #main.c#", "linked main.c.orig"])
  }

  /// A further name was taken for the move of a file that was on its way to another.
  @Test func aFurtherNameIsNoMoveOfAFileOnItsWay() {
    let world = Scenario("new f2")
    world.run("link f2 main.c; slowly rename f2 report | 15ms |", tells: ["renamed f2 -> report", "linked main.c"])
  }

  /// A document came back over another and got a second name: one inode had two identities.
  @Test func aDocumentThatComesBackOverAnotherBringsAllItsNames() {
    let world = Scenario("new a; new b")
    let before = world.identity("a")
    world.run("rename a /outside/a |", tells: ["deleted(movedOut) a"])
    world.runs("rename /outside/a b; link b c |")
    #expect([world.identity("b"), world.identity("c")] == [before, before])
  }

  /// A save, an exchange and a removal of three names of one file: one inode had two identities.
  @Test func aFileThatEndsAsItsOriginalBringsAllItsNames() {
    let world = Scenario("new a; link a r; link a q; new n")
    world.runs("new a.new; rename a.new a | exchange r n; unlink a |")
    world.runs("new a; link a r2; rename a b |")
  }

  /// A name was removed, and another name of the file put there and taken away again: the removal was never told.
  @Test func aNameThatIsRemovedIsGoneThoughAnotherWasAtItsPlace() {
    let world = Scenario("mkdir e; new a; new e/c; link e/c notes")
    world.runs(
      "create r | unlink notes; exchange e/c a; rename a notes | rename notes a | close r |")
  }

  /// Two names of one file changed places while a newcomer waited: the observer never came to rest.
  @Test func namesOfOneFileMayChangePlacesWhileANewcomerWaits() {
    let world = Scenario("new n32; link n32 n41")
    world.run(
      "create n42; rename n32 n9; rename n41 n32; rename n9 n41 | close n42 |",
      tells: ["discovered n42", "copyFinished n42"])
  }

  /// The oldest name of a file was in a folder that went away, and another came to the name of the folder: it was never
  /// told.
  @Test func aFurtherNameTakesThePlaceOfTheFolderOfAnother() {
    let world = Scenario("mkdir e; mkdir d; new d/x; link d/x e/x; link d/x /outside/y")
    let before = world.identity("e/x")
    world.runs("rename d /trash/d; rename /outside/y d | …")
    #expect(world.identity("d") == before)
  }

  /// A further name is removed and made again while the document waits to be told as renamed: what came to that name
  /// later became the document.
  @Test func aFurtherNameMadeAgainWhileItsFileIsRenamedIsNoSave() {
    let world = Scenario("mkdir d; new d/b; new d/a")
    world.runs("link d/b m")
    world.run(
      "new d/x; unlink m; rename d/b d/r; rename d/r d/b; link d/b m; unlink m; rename d/a m; rename d/b d/a |",
      tells: [
        "unlinked m", "moved d/a -> m", "renamed d/b -> d/a",
        "discovered d/x", "copyFinished d/x",
      ])
  }
}
