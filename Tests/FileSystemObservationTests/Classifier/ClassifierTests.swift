import FileEvents
import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// The classifier alone: what it announces of hints, looks and time, and what it asks for.
struct ClassifierTests {
  // MARK: - Names

  @Test func aRenameIsToldAtOnce() {
    var world = ScriptedClassifier("new a")
    let identity = world.identity("a")
    world.run("rename a b", tells: ["renamed a -> b"])
    #expect(world.identity("b") == identity && world.identity("a") == nil)
  }

  @Test func theFirstHalfOfARenameSaysNothing() {
    var world = ScriptedClassifier("new a")
    world.tell(.movedFrom, at: ScriptedDisk.Place(directory: ScriptedDisk.root, name: "a"), cookie: 7)
    #expect(world.classifier.log.isEmpty && world.classifier.requests.isEmpty)
    #expect(world.classifier.unresolved.count == 1 && world.classifier.nextDeadline != nil)
  }

  @Test func aFolderMovesWithItsContents() {
    var world = ScriptedClassifier("mkdir d; mkdir e; new d/a; mkdir d/f; new d/f/b")
    let identity = world.identity("d/f/b")
    world.run("rename d e/d", tells: ["moved d -> e/d"])
    #expect(world.identity("e/d/f/b") == identity)
    world.run("rename e/d/f/b b", tells: ["moved e/d/f/b -> b"])
  }

  @Test func twoDocumentsThatChangePlacesKeepTheirIdentities() {
    var world = ScriptedClassifier("new a; new b")
    let identities = [world.identity("a"), world.identity("b")]
    world.run("exchange a b …", tells: ["renamed a -> b", "renamed b -> a"])
    #expect([world.identity("b"), world.identity("a")] == identities)
  }

  @Test func aFurtherNameIsALink() {
    var world = ScriptedClassifier("new a")
    world.run("link a b", tells: ["linked b"])
    #expect(world.identity("a") == world.identity("b"))
    world.run("unlink a …", tells: ["unlinked a", "renamed a -> b"])
  }

  // MARK: - What ends

  @Test func aDeletionIsToldAtTheEndOfTheWindow() {
    var world = ScriptedClassifier("new a")
    world.run("unlink a 499ms", tells: [])
    #expect(world.asked == [])
    world.run("1ms", tells: ["deleted a (removed)"])
    #expect(world.asked.first == "examine a")
  }

  /// A look has found the file elsewhere, and hints that may explain that are on their way: the file has not ended.
  @Test func aFileThatWasFoundElsewhereDoesNotEndBeforeTheFindIsDecided() throws {
    var world = ScriptedClassifier("new a; mkdir d")
    let file = try #require(world.identity("a").flatMap { world.classifier.graph.node(with: $0) })
    let folder = try #require(world.identity("d").flatMap { world.classifier.graph.node(with: $0) })
    let key = world.classifier.graph.key(file)
    world.tell(.movedFrom, at: ScriptedDisk.Place(directory: ScriptedDisk.root, name: "a"), cookie: 7)
    world.classifier.awaitRecord(Place(parent: folder, name: FileName("a")), key)
    // The step comes so late that both are due.
    world.classifier.now = world.classifier.now + 600_000_000
    world.classifier.advance()
    let examined = world.classifier.requests.contains { if case .examine = $0 { true } else { false } }
    #expect(!examined && world.classifier.unresolved[file] != nil)
  }

  @Test func aFolderEndsWithItsContents() {
    var world = ScriptedClassifier("mkdir d; new d/a")
    world.run("unlink d/a; rmdir d …", tells: ["deleted d/a (removed)", "deleted d (removed)"])
    #expect(world.classifier.graph.count == 0 && world.classifier.unresolved.isEmpty)
  }

  @Test func whatComesBackIsWhatItWas() {
    var world = ScriptedClassifier("new a")
    let identity = world.identity("a")
    world.run("rename a /a …", tells: ["deleted a (movedOut)"])
    world.run("rename /a b …", tells: ["discovered(returned) b", "copyFinished b"])
    #expect(world.identity("b") == identity)
  }

  @Test func whatIsBackInTimeHasNotBeenAway() {
    var world = ScriptedClassifier("new a")
    world.run("rename a /a 300ms rename /a a …", tells: [])
  }

  // MARK: - What comes

  @Test func aFileIsToldOnceWhenItIsFinishedAndGetsATag() {
    var world = ScriptedClassifier()
    world.run("create a; write a; close a 699ms", tells: [])
    #expect(world.asked == [])
    world.run("1ms", tells: ["discovered a", "copyFinished a"])
    #expect(world.asked == ["finish a", "tag a"] && world.tag("a") == world.identity("a"))
    world.run("…", tells: [])
  }

  @Test func aFileThatIsWrittenForLongIsToldAsCopying() {
    var world = ScriptedClassifier()
    world.run("create a; write a 900ms", tells: [])
    world.run("200ms", tells: ["discovered(copying) a"])
    #expect(world.tag("a") == nil)
    world.run("write a; close a …", tells: ["copyFinished a"])
    #expect(world.tag("a") == world.identity("a"))
  }

  @Test func aTemporaryFileThatIsGoneAtOnceIsNotTold() {
    var world = ScriptedClassifier("new a")
    world.run("new t; unlink t …", tells: [])
    #expect(world.classifier.arrivals.isEmpty)
  }

  @Test func aFolderIsToldAtOnceAndScanned() {
    var world = ScriptedClassifier()
    world.run("mkdir d 200ms", tells: ["discovered d"])
    #expect(world.asked.contains("scan d"))
  }

  @Test func aFileWrittenInPlaceIsToldWhenItRests() {
    var world = ScriptedClassifier("new a")
    world.run("append a 600ms append a 600ms", tells: [])
    world.run("100ms", tells: ["modified a"])
  }

  // MARK: - Saves

  /// Each is how some program saves `doc`.
  @Test(arguments: [
    "new .t; rename .t doc", "rename doc doc~; new doc", "rename doc doc~; new doc; unlink doc~",
    "link doc doc.bak; new .t; rename .t doc; unlink doc.bak", "unlink doc; new doc",
    "new .t; exchange .t doc; unlink .t",
    "append doc", "unlink doc 300ms new doc",
  ])
  func aDocumentThatIsSavedKeepsItsIdentity(_ save: String) {
    var world = ScriptedClassifier("new doc")
    let identity = world.identity("doc")
    world.perform("\(save) …")
    #expect(world.told.filter { $0.hasSuffix(" doc") } == ["modified doc"], "\(world.told)")
    #expect(world.told.allSatisfy { !$0.hasPrefix("deleted") } && world.problems == [], "\(world.told)")
    #expect(world.identity("doc") == identity && world.tag("doc") == identity)
  }

  @Test func aBackupIsANewItem() {
    var world = ScriptedClassifier("new doc")
    world.run("rename doc doc~; new doc …", tells: ["modified doc", "duplicated doc => doc~", "copyFinished doc~"])
    #expect(world.identity("doc~") != world.identity("doc"))
  }

  @Test func aRenameToTheNameOfABackupIsHeldBack() {
    var world = ScriptedClassifier("new doc")
    world.run("rename doc doc~ 400ms", tells: [])
    world.run("…", tells: ["renamed doc -> doc~"])
  }

  @Test func twoSavesInShortOrderAreOneModification() {
    var world = ScriptedClassifier("new doc")
    world.run("new .t; rename .t doc 200ms new .t; rename .t doc …", tells: ["modified doc"])
  }

  // MARK: - Copies

  @Test func aCopyGetsATagOfItsOwn() {
    var world = ScriptedClassifier("new a")
    world.run("copy-a a b …", tells: ["duplicated a => b", "copyFinished b"])
    #expect(world.tag("b") == world.identity("b") && world.tag("b") != world.tag("a"))
    #expect(world.asked.contains("tag b") && !world.asked.contains("tag a"))
  }

  @Test func aCopyWithoutATagIsANewFile() {
    var world = ScriptedClassifier("new a")
    world.run("copy a b …", tells: ["discovered b", "copyFinished b"])
  }

  @Test func aDocumentThatIsMovedByCopyingKeepsItsIdentity() {
    var world = ScriptedClassifier("new a; mkdir d")
    let identity = world.identity("a")
    world.run("copy-a a d/a; unlink a …", tells: ["moved a -> d/a"])
    #expect(world.identity("d/a") == identity)
  }

  @Test func aCopiedFolderTakesOverWhatWasRemoved() {
    var world = ScriptedClassifier("mkdir d; new d/a")
    let identities = [world.identity("d"), world.identity("d/a")]
    world.perform("mkdir e; copy-a d/a e/a 300ms unlink d/a; rmdir d …")
    #expect(world.identity("e/a") == identities[1] && world.problems == [])
    #expect(world.told.contains("moved d/a -> e/a"), "\(world.told)")
  }

  // MARK: - News

  /// Nobody has seen the close of a file that was written under a hidden name.
  @Test func aFileThatNobodyWritesIsAwaitedUntilItHasRested() {
    let world = ScriptedClassifier("new a")
    let quiet = world.classifier.timing.quiet
    let written = MonotonicTime(nanoseconds: 1_000)
    var activity = WriteActivity(now: written, size: 1, modified: 1, nextCheck: written + quiet)
    #expect(world.classifier.isAwaited(activity, since: written) == true)
    activity.checks = 1
    #expect(world.classifier.isAwaited(activity, since: written) == true, "it has rested soon")
    activity.nextCheck = written + 2 * quiet
    #expect(world.classifier.isAwaited(activity, since: written) == false, "somebody writes it")
    activity.isClosed = true
    #expect(world.classifier.isAwaited(activity, since: written) == true)
    activity.lastActivity = written + 2 * quiet
    #expect(world.classifier.isAwaited(activity, since: written) == false, "this is another change")
  }

  @Test func activityIsNotedWhenItBegins() {
    var world = ScriptedClassifier("new a; new b")
    world.classifier.news.notesActivity = true
    world.run("append a; unlink b", tells: [])
    let active = world.classifier.takeActivity().map { world.classifier.graph.name($0).description }
    #expect(active.sorted() == ["a", "b"] && world.classifier.takeActivity() == [])
    world.run("append a", tells: [])
    #expect(world.classifier.takeActivity() == [], "it has begun already")
  }

  @Test func whatIsPendingIsKnownForEachFolder() {
    var world = ScriptedClassifier("mkdir d; mkdir d/e; new d/e/a; mkdir f")
    world.run("create d/e/b", tells: [])
    let pending = world.classifier.pendingItemsByDirectory
    #expect(pending.count == 3 && pending[.root] != nil, "the folder, those above it, and no other")
    #expect(world.classifier.hasDecidedAll(until: world.classifier.now) == false)
    #expect(world.classifier.unfinishedPaths.map { String(decoding: $0, as: UTF8.self) } == ["d/e/b"])
  }

  // MARK: - Time

  /// Whatever is in doubt is decided in the end, and nothing is left to be done.
  @Test func nothingIsLeftInDoubt() {
    var world = ScriptedClassifier("new a; new b; mkdir d; link a l")
    world.perform("rename a d/a; new t; rename t b; unlink l; copy-a b c; rename d /d; create o …")
    world.perform("close o …")
    #expect(world.classifier.hasDecidedAll(until: world.classifier.now) && world.problems == [])
    #expect(world.classifier.unresolved.isEmpty && world.classifier.arrivals.isEmpty)
    #expect(world.classifier.writing.count == 0 && world.classifier.unconfirmedTags.isEmpty)
  }
}
