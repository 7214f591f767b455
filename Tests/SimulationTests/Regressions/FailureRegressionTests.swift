import ObservationSimulation
import TestTraits
import Testing

/// Faults where a call failed: what could not be seen was taken for gone, for new, or for something else.
@Suite(.processor) struct FailureRegressionTests {
  /// A file that could not be looked at once was taken for missing.
  @Test func aFileThatCannotBeLookedAtOnceIsNotMissing() {
    let world = Scenario("new notes")
    world.run("fail look append notes |", tells: ["modified notes"])
  }

  /// A folder that could not be looked at was taken for moved to its copy.
  @Test func aFolderThatCannotBeLookedAtIsNotMovedToItsCopy() {
    let world = Scenario("mkdir a; mkdir a/b; mkdir d")
    let before = world.identity("a/b")
    world.runs("fail look; tag a/b d | 600ms")
    #expect(world.identity("a/b") == before)
    #expect(world.deletions == [])
  }

  /// No descriptor was free to ask who writes: a file that had been closed once was told as finished while another had
  /// it open.
  @Test func aFileIsNotFinishedBecauseNobodyCouldAskWhoWrites() {
    let world = Scenario()
    world.run(
      "new c; open c | fail probe 3000ms write c; close c |", tells: ["discovered(copying) c", "copyFinished c"])
  }

  /// A copy was found before the folder of its original could be listed: the original was told as the copy.
  @Test func anOriginalThatIsFoundAfterItsCopyKeepsItsIdentity() {
    let world = Scenario("mkdir d; new d/doc")
    let before = world.identity("d/doc")
    world.runs("kill 0 copy-a d/doc a; fail list@2 begin 0 | … ")
    #expect(world.identity("d/doc") == before)
    #expect(world.identity("a") != before)
  }

  /// A file with a partial name in a folder that could not be listed was told as new, and its tag overwritten.
  @Test func aPartialFileThatIsFoundLateKeepsItsIdentity() {
    let world = Scenario("mkdir d; new d/x.part")
    let before = world.identity("d/x.part")
    world.runs("kill 0 fail list@2 begin 0 | …")
    #expect(world.identity("d/x.part") == before)
  }

  /// That a tag had not been read once was remembered after it had been: the folder's copy was told as the original.
  @Test func aTagThatWasReadInTheEndIsKnown() {
    let world = Scenario("mkdir d")
    let before = world.identity("d")
    world.runs("kill 0 fail readTag begin 0 | … ")
    world.run("mkdir c; tag d c |", tells: ["duplicated d => c"])
    #expect(world.identity("d") == before)
  }

  /// Of a document and its backup neither tag could be read: the backup was given what had been minted for its inode,
  /// the document's.
  @Test func aDocumentAndItsBackupWhoseTagsCannotBeReadKeepTheirIdentities() {
    let world = Scenario("new a")
    world.runs("rename a a~; new a | …")
    let before = [world.identity("a"), world.identity("a~")]
    world.runs("kill 0 fail readTag fail readTag@2 begin 0 | …")
    #expect([world.identity("a"), world.identity("a~")] == before)
  }

  /// A document had been saved while its old inode was elsewhere: that came back while one call failed, and was taken
  /// for the document.
  @Test func anOldInodeThatComesBackWhileACallFailsIsNotTheDocument() {
    let world = Scenario("new a; mkdir d; mkdir d/p; link a d/p/b")
    let before = world.identity("a")
    world.runs("rename d /outside/d | … new t; rename t a | …")
    world.runs("fail look rename /outside/d e | …")
    #expect(world.identity("a") == before)
    #expect(world.identity("e/p/b") != before)
  }

  /// One tag of a file with two names could not be read: its identity was minted again, was another's by now, and the
  /// tag was overwritten.
  @Test func aTagThatCouldNotBeReadUnderOneNameIsNotOverwritten() {
    let world = Scenario("new a; new n; link n m; link n c")
    world.runs("new t; new u; rename c a; rename t m | …")
    let before = ["a", "n", "m"].map { world.identity($0) }
    world.runs("kill 0 fail readTag@3 begin 0 | …")
    #expect(["a", "n", "m"].map { world.identity($0) } == before)
  }

  /// A document that could not be looked at was told as a copy of its backup, whose tag could not be read, as long as
  /// that was written.
  @Test func aDocumentIsNoCopyOfAFileWhoseTagCouldNotBeRead() {
    let world = Scenario("new a")
    world.runs("rename a a~; new a | …")
    let before = [world.identity("a"), world.identity("a~")]
    world.runs(
      "kill 0 fail readTag@2 fail look@2 begin 0 open a~; write a~; 600ms write a~; 600ms write a~; close a~ …")
    #expect([world.identity("a"), world.identity("a~")] == before)
  }

  /// The identity minted for a backup that was being written was that of the document, whose tag could not be read, and
  /// was overwritten.
  @Test func anIdentityMintedForAnUnfinishedFileGivesWay() {
    let world = Scenario("new a; new x")
    world.runs("rename a a~; new a | …")
    let before = world.identity("a")
    world.runs("kill 0 open a~; tag x a~; fail readTag@4 begin 0; close a~ | …")
    #expect(world.identity("a") == before)
  }

  /// While a file could not be looked at, what was copied to a folder that had just been made was taken for what had
  /// been there before.
  @Test func whatIsInANewFolderIsNotOlderThanTheFolder() {
    let world = Scenario("mkdir d; new d/f")
    world.run(
      "fail look new g | mkdir s; copy-late d/f s/f | 800ms mkdir h; copy-a s/f h/f | …",
      tells: [
        "discovered s", "duplicated d/f => s/f", "copyFinished s/f", "discovered g", "copyFinished g", "discovered h",
        "duplicated s/f => h/f", "copyFinished h/f",
      ])
  }

  /// A file whose tag had been stripped was found first, and got the identity minted for its inode, which was that of
  /// the document.
  @Test func anIdentityThatAFileWaitsWithIsNotMinted() {
    let world = Scenario("new a")
    world.runs("rename a a~; new a | …")
    let before = world.identity("a")
    world.runs("kill 0 strip a~; fail list begin 0 | …")
    #expect(world.identity("a") == before)
  }

  /// A document was being written when observation began: its copy, in a folder that was listed late, was taken for the
  /// original.
  @Test func aDocumentThatIsBeingWrittenIsNoCopy() {
    let world = Scenario("mkdir d; new a; link a b")
    let before = world.identity("a")
    world.runs("open a; kill 0 fail mark@3 begin 0 copy-a a d/c; write a; close a …")
    #expect(world.identity("a") == before)
    #expect(world.identity("d/c") != before)
  }

  /// What a link in a folder had changed places with was moved into the folder while that was told as deleted, and
  /// stayed there.
  @Test func whatComesToAFolderThatGoesIsDeletedWithIt() {
    let world = Scenario("mkdir d; new x; new y; link x d/c")
    world.runs("fail look@3 new z | link x d/d | exchange d/c y; rename d /trash/d …")
    #expect(world.identity("d/c") == nil)
  }

  /// A folder that moved while a call failed was not found at once: what had been copied from it, with its tag, was
  /// taken for it.
  @Test func aFolderThatMovesBesideItsCopyKeepsItsIdentity() {
    let world = Scenario("mkdir s; mkdir s/q; mkdir d; mkdir d/e; new d/e/f")
    let before = world.identity("d")
    world.runs("fail look new z | mkdir s/c; tag d s/c; rename d s/q/d …")
    #expect(world.identity("s/q/d") == before)
    #expect(world.identity("s/c") != before)
  }

  /// As long as a folder could not be read, every file that came was looked after each two seconds, for ever.
  @Test func nothingWakesUpBecauseAFolderCannotBeRead() {
    Scenario("mkdir d").run(
      "mkdir e; chmod-000 e; new a |", tells: ["discovered e", "discovered a", "copyFinished a"])
  }
}
