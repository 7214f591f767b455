import ObservationSimulation
import TestTraits
import Testing

/// Documents that are put aside for a save under names nobody has heard of, found by re-enacting what programs do.
///
/// The new version waits beside the document, or is being written in a hidden file, and is renamed to its place.
@Suite(.processor) struct AsideRegressionTests {
  private static let isKept = ["modified doc", "duplicated doc => aside", "copyFinished aside"]

  /// exiftool: the document's identity went with its backup `photo.jpg_original`.
  @Test(arguments: ["new t", "new .t", "mkdir d; new d/t |"])
  func theIdentityStaysWhenTheOldVersionIsKeptUnderAnyName(_ newVersion: String) {
    let name = newVersion.split(separator: " ").first { $0.hasSuffix("t") } ?? "d/t"
    let told = Scenario("new doc").run("\(newVersion); rename doc aside; rename \(name) doc |")
    #expect(Array(told.suffix(3)) == Self.isKept, "\(told)")
  }

  /// The disk took its time: the last write of the hidden new version was long ago, and only its close was just now.
  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func theNewVersionIsClosedLongAfterItsLastWrite(_ source: SimulatedSource) {
    let world = Scenario("new doc", source: source)
    let identity = world.identity("doc")
    world.runs("create .t; write .t | 900ms close .t; rename doc other; rename .t doc …")
    #expect(world.identity("doc") == identity && world.told.contains("duplicated doc => other"), "\(world.told)")
  }

  /// JetBrains, Word, qpdf: a rename away, and one back, were told of the document.
  @Test func nothingIsSaidOfAnOldVersionThatIsRemoved() {
    Scenario("new doc").run("new t; rename doc aside; | rename t doc; | unlink aside |", tells: ["modified doc"])
  }

  /// Two such saves at once: the second began when the first new version had not been looked at.
  @Test func twoSavesAtOnceAreOneChange() {
    Scenario("new doc").run(
      "new t; rename doc a; rename t doc; unlink a; new u; rename doc b; rename u doc; unlink b |",
      tells: ["modified doc"])
  }

  /// Audacity compacts for seconds: the temporary file had been told as copying, and took the document's place as one
  /// of its own.
  @Test func aTemporaryFileThatWasToldIsTheNewVersion() {
    Scenario("new doc").run(
      "create t; write t 1700ms write t; close t; rename doc aside; rename t doc; unlink aside |",
      tells: ["discovered(copying) t", "deleted(removed) t", "modified doc"])
  }

  /// Blender: each backup goes one further.
  @Test func aChainOfBackupsMovesOnByOne() {
    let world = Scenario("new doc; new doc.1")
    world.run(
      "new t; rename doc.1 doc.2; rename doc doc.1; rename t doc |",
      tells: ["renamed doc.1 -> doc.2", "modified doc", "duplicated doc => doc.1", "copyFinished doc.1"])
  }

  /// Syncthing: the old version goes to a folder that was made for it, which is not marked yet when it comes.
  @Test func theIdentityStaysWhenTheOldVersionIsFoundInANewFolder() {
    let world = Scenario("new doc")
    world.run(
      "new t; mkdir d; rename doc d/x | 100ms rename t doc |",
      tells: ["discovered d", "modified doc", "duplicated doc => d/x", "copyFinished d/x"])
  }

  /// The document's inode is known under a name that is looked at for the first time: it counted as another file.
  @Test func aDocumentThatWasJustSavedIsPutAside() {
    let world = Scenario("new doc")
    world.run("new .t; rename .t doc; rename doc doc~ |", tells: ["renamed doc -> doc~", "modified doc~"])
  }
}

// MARK: - Further names

extension AsideRegressionTests {
  /// dpkg: a further name was told, and that it was gone.
  @Test func nothingIsSaidOfAFurtherNameForASave() {
    Scenario("new doc").run("new t; link doc aside; | rename t doc; | unlink aside |", tells: ["modified doc"])
  }

  @Test func theIdentityStaysWhenTheOldVersionIsKeptByAFurtherName() {
    let told = Scenario("new doc").run("new t; link doc aside; | rename t doc; |")
    #expect(told.sorted() == Self.isKept.sorted())
  }

  /// GnuCash: the document was told as renamed to its backup in between.
  @Test func theIdentityStaysWhenTheNewVersionIsLinkedIn() {
    let told = Scenario("new doc").run("new t; link doc aside; unlink doc | 100ms link t doc; unlink t |")
    #expect(told.sorted() == Self.isKept.sorted())
  }

  /// What was written through a further name that was not told yet was never seen.
  @Test func aDocumentWrittenThroughANameThatWaitsIsModified() {
    let world = Scenario("new doc")
    let told = world.run("create t; link doc other; | append other; rename t other |")
    #expect(told.contains("modified doc") && world.problems == [])
  }
}

// MARK: - What is no save

extension AsideRegressionTests {
  /// Time is spent only where there is doubt.
  @Test(arguments: ["rename doc other", "link doc other"]) func withoutANewcomerItIsToldAtOnce(_ call: String) {
    let world = Scenario("new doc; mkdir d; new d/t")
    world.play("create d/t2; write d/t2; \(call) |")
    #expect(world.told.count == 1, "\(world.told)")
  }

  /// Its name was taken for the name of its own backup.
  @Test func theMoveOfADocumentThatIsNamedLikeABackupIsToldAtOnce() {
    let world = Scenario("new doc.orig; mkdir d")
    world.play("rename doc.orig d/doc.orig |")
    #expect(world.told == ["moved doc.orig -> d/doc.orig"])
  }

  @Test func aRenameBesideANewcomerIsToldAfterTheWindow() {
    Scenario("new doc").run(
      "new t; rename doc other | 600ms", tells: ["renamed doc -> other", "discovered t", "copyFinished t"])
  }

  /// What is made at the old name, or comes there later, is a document of its own.
  @Test(arguments: ["new t; rename doc other; new doc", "rename doc other | 300ms new t; rename t doc"])
  func aDocumentMadeAtTheOldNameIsNew(_ script: String) {
    let told = Scenario("new doc").run("\(script) |")
    #expect(told.contains("renamed doc -> other") && told.contains("discovered doc"), "\(told)")
  }

  /// A rename was remembered from when it was told, and not from when it happened.
  @Test func aRenameThatWasToldLateIsNotASave() {
    let world = Scenario("new doc")
    let told = world.run("new t; rename doc other | 700ms new u; rename u doc |")
    #expect(told.contains("renamed doc -> other") && told.contains("discovered doc"), "\(told)")
  }

  /// Renamed and linked back while it was held: the new name was never told.
  @Test func aRenamedDocumentThatIsLinkedBackHasBothNames() {
    let world = Scenario("new doc")
    let told = world.run("create t; rename doc other; link other doc |")
    #expect(told.contains("linked other") || told.contains("linked doc"), "\(told)")
    #expect(world.identity("other") == world.identity("doc"))
  }

  /// A further name and a rename wait together: the document was told as renamed to the further name.
  @Test func aDocumentThatWaitsWithAFurtherNameKeepsBoth() {
    let told = Scenario("new doc").run("new t; link doc first; rename doc second |")
    #expect(told.contains("renamed doc -> second") && told.contains("linked first"), "\(told)")
  }

  /// The old inode came to the place of a symbolic link, and was taken for a save of that.
  @Test func aLinkIsNotSavedByTheBackupOfADocument() {
    let world = Scenario("symlink x; new a")
    world.runs("rename a a.orig; new a; unlink x; rename a.orig x |")
  }

  /// A document was put aside, and linked back to its name: that it had both was forgotten until it was looked at.
  @Test func aDocumentThatWasPutAsideAndLinkedBackKeepsItsNames() {
    let world = Scenario("new a; new b")
    let before = [world.identity("a"), world.identity("b")]
    world.runs(
      "create n; rename a c; link c a | unlink a; link b a; unlink a; exchange c b; rename c a; rename b c |")
    #expect([world.identity("c"), world.identity("a")] == before)
  }

  /// The place is another document's that is gone: the moved one was told as deleted.
  @Test func aDocumentMovesToWhereOneIsMissing() {
    let world = Scenario("new a; new b; new c")
    world.runs("copy-a c t; create u; unlink c; rename a c; rename b a |")
    #expect(world.identity("c") != nil && world.identity("a") != nil)
  }

  /// A document is renamed, and put into the trash soon after, while a new file comes to have its first name: that is
  /// no save.
  @Test func aRenamedDocumentThatIsTrashedWasNotPutAside() {
    Scenario("new x").run(
      "rename x n | 200ms rename n /trash/n; new x |",
      tells: ["renamed x -> n", "deleted(trashed) n", "discovered x", "copyFinished x"])
  }

  /// A document was renamed beside a new file, as if it were put aside, and saved under its new name: its identity was
  /// lost.
  @Test(arguments: [
    ("new b/x.tmp5; rename b/x.tmp5 b/x", ["moved a -> b/x", "modified b/x"]),
    ("unlink b/x; new b/x", ["moved a -> b/x", "modified b/x"]),
    (
      "rename b/x b/x~; new b/x",
      ["moved a -> b/x", "modified b/x", "duplicated b/x => b/x~", "copyFinished b/x~"]
    ),
  ])
  func aRenamedDocumentIsSavedUnderItsNewName(_ save: String, _ told: [String]) {
    let world = Scenario("mkdir b; new a")
    world.run("create .new; rename a b/x | 60ms \(save) | 900ms", tells: told)
  }
}
