import ObservationSimulation
import TestTraits
import Testing

/// Faults of exchanges (`RENAME_EXCHANGE`), found in simulated worlds and on real folders.
///
/// The kernel tells an exchange as two renames, and has finished both before it tells of the first.
@Suite(.processor) struct ExchangeRegressionTests {
  /// What was hidden took the place of a newcomer nobody had looked at: nothing was ever told of the visible name.
  @Test func aNewcomerExchangedWithAHiddenOneIsTold() {
    Scenario().run("new notes; new .t; exchange .t notes |", tells: ["discovered notes", "copyFinished notes"])
  }

  /// One document moved over another and exchanged with a third at once: the third was told as deleted a second time.
  @Test func anExchangeAfterAMoveOverADocumentEndsNoneTwice() {
    let world = Scenario("mkdir d; mkdir e; mkdir e/f; new d/main.c; new e/a; new e/f/f1")
    world.run(
      "rename d/main.c e/a; exchange e/a e/f/f1 |",
      tells: ["deleted(replaced) e/a", "moved d/main.c -> e/f/f1", "moved e/f/f1 -> e/a"])
  }

  /// A save by exchange while the temporary file is still open was told as a rename, and never came to rest.
  @Test func aSaveByExchangeWithAnOpenFileIsASave() {
    Scenario("new c").run("create c.new; exchange c.new c | unlink c.new |", tells: ["modified c"])
  }

  /// With fanotify, events of the two saves are merged: where the old versions went was taken for where the document is.
  @Test(arguments: [SimulatedSource.inotify, .fanotify, .fewMarks])
  func aDocumentThatIsSavedTwiceByExchangeIsRenamed(_ source: SimulatedSource) {
    let save = "new .t; exchange .t doc; unlink .t"
    let world = Scenario("new doc", source: source)
    world.run("\(save); \(save); rename doc other |", tells: ["renamed doc -> other", "modified other"])
  }

  /// The document's other name took over its identity.
  @Test func aSaveByExchangeLeavesALinkedNameBehind() {
    let world = Scenario("new notes; link notes c.odt")
    world.run(
      "new notes.tmp; exchange notes.tmp notes | unlink notes.tmp |",
      tells: ["unlinked c.odt", "modified notes", "duplicated notes => c.odt", "copyFinished c.odt"])
  }

  /// A file of a folder that is not marked yet takes the place of a newcomer: its name was never told.
  @Test func anExchangeWithAFileOfAnUnmarkedFolderIsTold() {
    let world = Scenario()
    world.run(
      "new x.png; rename x.png c.odt; mkdir src; new src/f1; exchange src/f1 c.odt |",
      tells: ["discovered c.odt", "copyFinished c.odt", "discovered src", "discovered src/f1", "copyFinished src/f1"])
  }

  /// Of two exchanges in a chain only the temporary file's first hint had come: documents were told as deleted that
  /// stood.
  @Test func aChainOfExchangesReadInTwoPartsIsFollowed() {
    let world = Scenario("new notes; new a.txt; link a.txt b.txt")
    world.run(
      "new lu2.tmp; exchange lu2.tmp notes; exchange notes a.txt; |1 |",
      tells: [
        "renamed notes -> a.txt", "renamed a.txt -> notes", "modified a.txt", "duplicated a.txt => lu2.tmp",
        "copyFinished lu2.tmp",
      ])
  }

  /// The temporary file's name was looked at after the exchange, when the document's old inode had it: two renames were
  /// told.
  @Test func aTemporaryFileLookedAtAfterTheExchangeIsNotTheDocument() {
    Scenario("new doc").run("new t; exchange t doc; |1 unlink t |", tells: ["modified doc"])
  }

  /// The old inode left the tree before it was known to be a backup: the save was waited for without end.
  @Test func anExchangeReadInTwoPartsWhoseOldInodeLeavesEnds() {
    let world = Scenario("new data.db")
    world.run(
      "new main.c.~1~; exchange main.c.~1~ data.db |2 |2 rename main.c.~1~ /outside/m |", tells: ["modified data.db"])
  }

  /// Two documents change places, and one is saved by exchange in the same millisecond: one was told as deleted.
  @Test func anExchangeOfTwoDocumentsAndASaveOfOneAtOnce() {
    let world = Scenario("mkdir d; new t; new d/n")
    world.run(
      "exchange t d/n; new t.new; exchange t.new t; unlink t.new |",
      tells: ["moved t -> d/n", "moved d/n -> t", "modified t"])
  }

  /// The folder of one of them is exchanged before the second half is read: the document was told as deleted and
  /// returned.
  @Test func anExchangeIsFollowedThoughItsFolderIsExchanged() {
    let world = Scenario("new one; mkdir b; mkdir c; new b/two")
    world.run(
      "exchange one b/two; |1 +20ms exchange b c | append c/two |",
      tells: ["moved one -> c/two", "moved b/two -> one", "renamed b -> c", "renamed c -> b", "modified c/two"])
  }

  /// A rename and an exchange of the same name in one millisecond: the other document was told as deleted.
  @Test func aRenameAndAnExchangeAtOnce() {
    Scenario("new n; new c").run("rename n r; exchange c r |", tells: ["renamed c -> r", "renamed n -> c"])
  }

  /// The two halves were read long after: an exchange was taken for a move over a document.
  @Test func anExchangeThatIsReadLate() {
    Scenario("new a; new b").run("exchange a b; +50ms |", tells: ["renamed a -> b", "renamed b -> a"])
  }

  /// An exchange and its reverse, with events read between halves: "over it, then back" was told, and a tag
  /// overwritten.
  @Test(arguments: ["|", "|1 |", "|2 |", "|3 |"]) func anExchangeThereAndBack(_ delivery: String) {
    let world = Scenario("new x; new y")
    let (x, y) = (world.identity("x"), world.identity("y"))
    world.runs("exchange x y; exchange x y; \(delivery)")
    world.runs("exchange x y \(delivery) exchange x y; exchange x y \(delivery)")
    #expect([world.tag("x"), world.tag("y")] == [y, x])
    #expect(world.deletions == [])
  }

  /// The folder of the other is not marked yet: the document was told as deleted, and as returned half a second later.
  @Test(arguments: ["b d/e/a", "d/e/a b"])
  func anExchangeWithADocumentInAFolderThatIsNotMarkedYet(_ names: String) {
    let world = Scenario("mkdir d; mkdir d/e; new d/e/a; new b")
    world.runs("rename d /outside/d")
    world.runs("rename /outside/d d; exchange \(names) |")
    #expect(world.deletions == [])
    #expect(world.told.contains("moved b -> d/e/a"))
  }

  /// Its folder has come back a moment ago: that was taken for a save, and the tag of the one that was back
  /// overwritten.
  @Test(arguments: ["300ms", "|", ""]) func anExchangeWithADocumentThatIsBackKeepsBoth(_ pause: String) {
    let world = Scenario("mkdir d; new d/a; new b")
    let (a, b) = (world.identity("d/a"), world.identity("b"))
    world.runs("rename d /outside/d")
    world.runs("rename /outside/d d \(pause) exchange b d/a |")
    #expect([world.tag("b"), world.tag("d/a")] == [a, b])
  }

  /// A document changed places with one that was back, and then with a third, before it showed that this had been no
  /// save: it was taken for the third one's next version.
  @Test(arguments: ["", "; rename f/b d/s"]) func aDocumentWhoseSaveIsInDoubtIsNoVersionOfAnother(_ last: String) {
    let world = Scenario("new a; mkdir d; new d/c; mkdir f; new f/b")
    let (a, b, c) = (world.identity("a"), world.identity("f/b"), world.identity("d/c"))
    world.runs("rename d /outside/d")
    world.runs("rename /outside/d d; exchange a d/c | 300ms exchange d/c f/b\(last) |")
    #expect([world.tag(last.isEmpty ? "f/b" : "d/s"), world.tag("d/c"), world.tag("a")] == [a, b, c])
  }

  /// The process is interrupted between the events of its exchange.
  @Test(arguments: ["+3ms", "4ms"]) func anExchangeInterruptedBetweenItsEvents(_ pause: String) {
    let world = Scenario("new x; new y")
    world.run("slowly exchange x y | \(pause) append x |", tells: ["renamed x -> y", "renamed y -> x", "modified x"])
  }

  /// While an exchange is told by halves, a document is found back at the place it will go back to: that counted more
  /// than the hints.
  @Test func anExchangeInterruptedAfterASwap() {
    let world = Scenario("mkdir d; new d/x; new x")
    let (x, y) = (world.identity("x"), world.identity("d/x"))
    world.runs("create d/t |; rename x d/n; rename d/x x; rename d/n d/x; slowly exchange d/x x | write d/t |")
    #expect([world.identity("x"), world.identity("d/x")] == [x, y])
  }

  /// A document changes places with another that has just come back, and was renamed since anybody looked at it: that
  /// is no save.
  @Test func anExchangeWithADocumentThatIsBack() {
    let world = Scenario("mkdir d; new d/v; new a")
    world.runs("rename d /outside/d")
    world.run(
      "rename /outside/d d | rename d/v d/m; exchange a d/m | 100ms rename d/m e; rename a w |",
      tells: ["discovered(returned) d", "renamed a -> e", "discovered(returned) w", "copyFinished w"])
  }

  /// A folder came from outside and changed places with another before it was looked at: that other was told as
  /// replaced, and then as back.
  @Test func anExchangeWithAFolderThatHasJustComeBack() {
    let world = Scenario("mkdir a; mkdir b; new a/x; new b/y; mkdir c")
    world.run(
      "rename a /outside/a; rename /outside/a c/a; exchange c/a b |", tells: ["moved b -> c/a", "renamed a -> b"])
  }

  /// Documents changed places by way of a hidden name: each was told as saved, with the identity of the other written
  /// over its tag.
  @Test(arguments: [SimulatedSource.inotify, .fanotify]) func documentsThatChangePlacesByAHiddenNameAreNotSaved(
    _ source: SimulatedSource
  ) {
    let world = Scenario("new a; new b; new c; mkdir d; new d/.x", source: source)
    let (a, b, c) = (world.identity("a"), world.identity("b"), world.identity("c"))
    world.run(
      "exchange a d/.x; exchange b d/.x; exchange a d/.x |", tells: ["renamed b -> a", "renamed a -> b"])
    #expect([world.tag("b"), world.tag("a")] == [a, b])
    world.runs("exchange a d/.x; exchange b d/.x; exchange c d/.x; exchange a d/.x; append c |")
    #expect([world.tag("b"), world.tag("c"), world.tag("a")] == [b, a, c])
  }
}
