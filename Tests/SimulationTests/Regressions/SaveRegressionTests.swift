import ObservationSimulation
import TestTraits
import Testing

/// Faults with saves by replacement, found in simulated worlds and on real folders.
@Suite(.processor) struct SaveRegressionTests {
  /// The new version was seen where the document had just been renamed to, before the hint of its coming was read: the
  /// document was told as deleted.
  @Test(arguments: ["new t; rename t b", "unnamed u; name u t; rename t b", "new .t; rename .t b"])
  func aSaveUnderANewNameThatIsSeenBeforeItIsTold(_ save: String) {
    let world = Scenario("new a")
    let identity = world.identity("a")
    world.run("create n; rename a b; \(save); |3 +60ms |1 | close n |")
    #expect(world.identity("b") == identity)
    #expect(world.problems == [])
  }

  /// While a document was saved under its new name, a further link of another came to the old one: the document was
  /// told to be that.
  @Test func aSaveAndALinkAtTheNameThatTheDocumentHad() {
    let world = Scenario("new a; new z")
    world.run("rename a b |")
    let identity = world.identity("b")
    world.run("rename b c | link z b; new .t; rename .t c |", tells: ["renamed b -> c", "linked b", "modified c"])
    #expect(world.identity("c") == identity)
  }

  /// The old inode's name was free already, the UUID was minted anew for each of three generations: two files got one.
  @Test func threeGenerationsOfSavedLinksHaveThreeIdentities() {
    let world = Scenario()
    world.runs("new a; link a b; link a c … unlink a; new a … unlink b; new b")
    #expect(Set(["a", "b", "c"].map { world.identity($0) }).count == 3)
  }

  /// What was known of the write in place outlived the save that followed it: the tag was never looked at again.
  @Test func aSaveRightAfterAWriteInPlaceLeavesNothingOpen() {
    let world = Scenario("new report")
    world.run("open report; write report; close report | new .t; rename .t report |", tells: ["modified report"])
    world.run("strip report |", tells: [])
  }

  /// A placeholder announced as copying is replaced by the download: it was told as modified, and never as finished.
  @Test(arguments: ["new x.part; rename x.part x", "create x.part; rename x.part x; write x.part; close x.part"])
  func aPlaceholderThatIsReplacedIsFinished(_ download: String) {
    Scenario().run("create x | 1700ms \(download) |", tells: ["discovered(copying) x", "copyFinished x"])
  }

  /// That a document had been put aside for a save was remembered for ever.
  @Test(arguments: ["rename c n; rename n n.~1~", "rename c n; unlink n; new n"])
  func aDocumentPutAsideIsForgottenInTime(_ script: String) {
    Scenario("new c").runs(script)
  }

  /// A document that is put aside for a save has not been renamed, even if its backup goes before the new version comes.
  @Test(arguments: ["rename a a~; unlink a~; new a |", "rename a a~ +100ms | unlink a~ +100ms | new a |"])
  func aDocumentWhoseBackupGoesFirstIsSaved(_ save: String) {
    Scenario("new a").run(save, tells: ["modified a"])
  }

  @Test func aDocumentWhoseBackupIsReplacedIsSaved() {
    Scenario("new a").run(
      "new b; rename a a~ +50ms | rename b a~ +50ms | new a |",
      tells: ["discovered a~", "copyFinished a~", "modified a"])
  }

  /// The original is saved before its copy is looked at: "moved to the copy" was told.
  @Test(arguments: ["unlink doc; new doc", "new t; rename t doc", "unnamed t; write t; unlink doc; name t doc"])
  func aCopyWithTheTagIsNoMoveOfADocumentThatIsSaved(_ save: String) {
    Scenario("new doc").run(
      "copy-a doc copy; \(save) |", tells: ["modified doc", "duplicated doc => copy", "copyFinished copy"])
  }

  /// Two renames and a save in one millisecond: only the first rename was followed, and the document told as deleted.
  @Test func twoRenamesAndASaveAtOnce() {
    Scenario("new one").run(
      "rename one i; rename i y; unlink y; unnamed t; write t; name t y; close t |",
      tells: ["renamed one -> y", "modified y"])
  }

  @Test func aRenameASaveAndARenameAtOnce() {
    Scenario("new n").run(
      "rename n g; unlink g; new g; rename g w |", tells: ["renamed n -> w", "modified w"])
  }

  /// A document is saved and renamed before the quiet period is over: it was told as deleted.
  @Test func aDocumentRenamedRightAfterItsSaveKeepsItsIdentity() {
    Scenario("new w; mkdir a").run(
      "unnamed t; write t; unlink w; name t w; close t; rename w a/a |", tells: ["moved w -> a/a", "modified a/a"])
  }

  /// The same with a backup that stays: the backup was told as renamed.
  @Test func aDocumentRenamedRightAfterItsSaveWithABackupKeepsItsIdentity() {
    Scenario("new k").run(
      "rename k k~; create k; write k; rename k d; close k |",
      tells: ["renamed k -> d", "modified d", "duplicated d => k~", "copyFinished k~"])
  }

  /// A document comes back in its folder, and takes the place of another: that was taken for a save of the other.
  @Test(arguments: ["rename d/a b", "rename d/a b; link b d/c", "unlink b; rename d/a b"])
  func aDocumentThatIsBackIsNoSave(_ script: String) {
    let world = Scenario("mkdir d; new d/a; new b")
    let document = world.identity("d/a")
    world.runs("rename d /outside/d")
    world.runs("rename /outside/d d; \(script) |")
    #expect(world.tag("b") == document)
  }

  /// A program that nobody has heard of puts the document aside under any name, and removes it when the new one is
  /// written.
  @Test(arguments: ["new c; unlink n", "new c | unlink n", "| 300ms new c; unlink n", "new t; rename t c; unlink n"])
  func aSaveByWayOfAnyNameIsASave(_ save: String) {
    let world = Scenario("new c")
    let before = world.identity("c")
    let told = world.run("rename c n; \(save) |")
    #expect(world.problems == [] && told.contains("modified c") && world.deletions == [])
    #expect(world.tag("c") == before)
  }

  /// A newcomer's place is taken by a document: the newcomer was waited for without end.
  @Test func aNewcomerThatIsMovedOverIsForgotten() {
    Scenario("new b").run("new x | rename b x |", tells: ["renamed b -> x"])
  }

  /// A document swapped with another over a third name: both go on at each other's path.
  @Test func twoDocumentsSwappedOverAThirdName() {
    Scenario("new a; new b").run(
      "rename a t; rename b a; rename t b |", tells: ["renamed b -> a", "renamed a -> b"])
  }

  /// A file that left takes its UUID along: it was given to a backup in the tree.
  @Test func theIdentityOfAFileThatLeftIsNotGivenAway() {
    let world = Scenario("new f1")
    world.runs("link f1 f1.bak; new .t; rename .t f1 … rename f1 /outside/f1 …")
    let left = world.tag("/outside/f1")
    world.runs("link f1.bak .b; new .t; rename .t f1.bak; rename .b notes")
    #expect(left != nil && world.identity("notes") != left && world.identity("f1.bak") != left)
  }

  /// A UUID was told as deleted and given to another file in one window.
  @Test func aDeletedIdentityIsNotGivenToAFileThatShedsItsInode() {
    let world = Scenario("new main.c; link main.c report; link main.c c.odt")
    world.runs("new .t; rename .t c.odt")
    let document = world.identity("c.odt")
    let told = world.run("unlink c.odt; new .t; rename .t report")
    #expect(told.contains("deleted(removed) c.odt") && world.problems == [])
    #expect(world.identity("main.c") != document && world.identity("report") != document)
  }

  /// A document that had been announced a moment ago was put aside for its save: it was taken for a temporary file.
  @Test func aDocumentThatIsSavedAsSoonAsItIsAnnouncedKeepsItsIdentity() {
    let world = Scenario("new c.orig")
    world.runs("create c; write c; close c | 701ms")
    let before = world.identity("c")
    world.play("append c | …")
    world.runs("new d | 701ms rename d d.orig; new d |")
    #expect(world.identity("c") == before)
    #expect(world.deletions == [])
  }

  /// A temporary file was looked at when it had been renamed already and another of its name was there: the document
  /// was taken for that.
  @Test func aTemporaryFileThatWasReplacedBeforeTheLookIsNotTheDocument() {
    let world = Scenario("new doc")
    world.run(
      """
      create t; write t; close t |2 +100ms unlink doc; rename t doc; create t |3 |
      write t; close t; unlink doc | 10ms 10ms 10ms rename t doc |
      """, tells: ["modified doc"])
  }

  /// The observer was late: by the clock the window was over when it heard of the removal, and the document was told as
  /// deleted.
  @Test func aWindowIsNotOverForAnObserverThatIsLate() {
    let world = Scenario("new n10")
    world.run("rename n10 sed10; +42ms | 300ms new n10; unlink sed10; +250ms |")
    #expect(world.told.last == "modified n10")
  }

  /// Likewise with a document that has a further name.
  @Test func aDocumentWithAFurtherNameIsSavedThoughTheObserverIsLate() {
    let world = Scenario("new a; link a b")
    world.run("rename b lu11.tmp; new b | unlink lu11.tmp; +1400ms |")
    #expect(world.told.contains("modified b"))
  }

  /// A slow save by exchange, whose temporary file had been announced: that kept its identity, and the document was
  /// told as deleted.
  @Test func anExchangeWithATemporaryFileThatWasAnnounced() {
    let world = Scenario("new doc")
    let document = world.identity("doc")
    world.runs("create t; write t | 1200ms close t; exchange t doc; unlink t |")
    #expect(world.identity("doc") == document)
  }

  /// The old file of a document is held up by its name; when it is not any more, the document was told to have moved
  /// there.
  @Test func theOldFileOfADocumentIsNotTheDocumentThatIsMissingForAMoment() {
    let world = Scenario("new x.part; link x.part x")
    let document = world.identity("x.part")
    world.runs("unlink x.part; new x.part | 40000ms unlink x.part | new x.part |")
    #expect(world.identity("x.part") == document)
  }

  /// The observer was started when the new version was complete, and had not come to the document's place yet.
  @Test(arguments: ["rename notes.tmp notes", "exchange notes.tmp notes; unlink notes.tmp"])
  func aSaveThatBeganBeforeTheObserverIsASave(_ end: String) {
    let world = Scenario("new notes")
    let before = world.identity("notes")
    world.runs("kill 0 new notes.tmp; begin 0; \(end) | …")
    #expect(world.identity("notes") == before)
  }
}
