import ObservationSimulation
import TestTraits
import Testing

/// Faults with tags that others change, and with calls that fail, found in simulated worlds.
@Suite(.processor) struct TagRegressionTests {
  /// What was told of tags while a file was written outlived it: the removal of the copy's original was never told.
  @Test func anOriginalThatIsRemovedAfterACopyOverAnotherIsToldAsDeleted() {
    Scenario("new notes; new n4").run(
      "truncate n4; write n4 | tag notes n4; close n4 | … unlink notes |",
      tells: ["modified n4", "deleted(removed) notes"])
  }

  /// A tag is changed and the file renamed before the hint is read: the tag was never put back.
  @Test(arguments: ["strip", "garble", "tag b"]) func aTagChangedBeforeARenameIsPutBack(_ change: String) {
    let world = Scenario("mkdir d; new a; new b")
    world.run("\(change) a; rename a c |", tells: ["renamed a -> c"])
    world.run("\(change) c; rename c d/a |", tells: ["moved c -> d/a"])
  }

  /// A document is written with the content and tag of another: it was told as a copy that arrived.
  @Test func aDocumentCopiedOverWithTheSourcesTagIsModified() {
    let world = Scenario()
    world.runs("new notes; new data.db")
    world.run("copy-a data.db notes |", tells: ["modified notes"])
    world.run("copy-late data.db notes |", tells: ["modified notes"])
  }

  /// A tag that could not be read was overwritten, and with it the identity of the document.
  @Test(arguments: ["readTag@2", "readTag@2 fail readTag@3", "readTag fail readTag@2 fail readTag@3 fail readTag@4"])
  func aTagThatCannotBeReadIsNotOverwritten(_ calls: String) {
    let world = Scenario("new notes")
    // Where the document has another inode, nothing gives its identity but the tag.
    world.runs("new .t; rename .t notes")
    let before = world.tag("notes")
    world.runs("kill 0 fail \(calls) begin 0")
    #expect(before != nil && world.identity("notes") == before && world.tag("notes") == before)
  }

  /// A folder is renamed while its tag is to be written: it never got one.
  @Test(arguments: [
    "mkdir c/x; rename c/x a/y", "mkdir c/x | +3ms rename c/x a/y",
    "mkdir c/x; mkdir c/x/y; new c/x/y/f; rename c/x a/z",
    "mkdir c/x; |1 rename c/x a/y; |1 rename a/y b |",
  ])
  func aFolderRenamedRightAfterItWasMadeIsTagged(_ script: String) {
    Scenario("mkdir a; mkdir c").runs(script)
  }

  /// Where a tag could not be written it is written later.
  @Test func aTagThatCannotBeWrittenIsWrittenLater() {
    let world = Scenario("new a")
    world.run("fail writeTag new b |", tells: ["discovered b", "copyFinished b"])
    world.run("fail writeTag strip a |", tells: [])
  }
}
