import ObservationSimulation
import TestTraits
import Testing

/// Faults with renames and folders that are read late, found in simulated worlds and on real folders.
@Suite(.processor) struct MoveRegressionTests {
  /// A document came back with its folder and was renamed before it was told; a copy of it, finished before it, was
  /// told to be it.
  @Test func aDocumentThatIsBackGoesBeforeItsCopies() {
    let world = Scenario("mkdir d; new d/x")
    world.runs("rename d /outside/d")
    world.run(
      "rename /outside/d d | rename d/x d/v | 100ms copy-a d/v c | 100ms rename d/v d/w |",
      tells: [
        "discovered(returned) d", "discovered(returned) d/w", "copyFinished d/w", "duplicated d/w => c",
        "copyFinished c",
      ])
  }

  /// A touch before the rename was lost: the next scan told a change that was none.
  @Test func aTouchBeforeARenameIsSeen() {
    Scenario("new main.c").run(
      "touch main.c; rename main.c x.png |", tells: ["renamed main.c -> x.png", "modified x.png"])
  }

  /// A chain of renames, read in parts with a window between: documents were told as deleted and returned.
  @Test(arguments: ["|", "|1 |", "|3 |", "|3 600ms |", "|5 +700ms |1 1000ms |"])
  func aChainOfRenamesIsFollowed(_ delivery: String) {
    let world = Scenario("new f")
    let before = world.identity("f")
    let told = world.run("rename f f0; rename f0 f1; rename f1 f2; rename f2 f3 \(delivery)")
    #expect(world.problems == [])
    #expect(world.identity("f3") == before)
    // What is read together is told as one.
    #expect(told.allSatisfy { $0.hasPrefix("renamed f") })
    #expect(told.first?.hasPrefix("renamed f ->") == true && told.last?.hasSuffix("-> f3") == true)
  }

  /// Told by way of names that never were on disk.
  @Test(
    arguments: [SimulatedSource.inotify, .fanotify],
    [
      ("rename a/b t; rename a t/b; rename t a", ["moved a -> a/b", "moved a/b -> a"]),
      ("rename a/b t; rename a t/a; rename t a", ["moved a -> a/a", "moved a/b -> a"]),
      (
        "rename a/b/c t; rename a/b t/b; rename a t/b/c; rename t a",
        ["moved a/b -> a/b", "moved a -> a/b/c", "moved a/b/c -> a"]
      ),
      ("rename a t; rename d a; rename e d; rename t e", ["renamed d -> a", "renamed e -> d", "renamed a -> e"]),
      ("rename a/b t; rename a t/b; rename d t/d; rename t d", ["moved a -> d/b", "moved d -> d/d", "moved a/b -> d"]),
    ])
  func foldersThatTurnInsideOutOrRotateAreMoved(_ source: SimulatedSource, _ turn: (script: String, tells: [String])) {
    let world = Scenario(
      "mkdir a; mkdir a/b; mkdir a/b/c; mkdir d; mkdir e; new a/x; new a/b/y; new a/b/c/z", source: source)
    world.run("\(turn.script) |", tells: turn.tells)
  }

  /// Folders are renamed as soon as they are filled: part of what is in them was missed for good.
  @Test(arguments: [
    "| rename r/x r/z; rename r s |", "|1 rename r/x r/z; |3 rename r s |", "rename r/x r/z |2 rename r s |",
  ])
  func foldersRenamedAsSoonAsTheyAreFilledAreTold(_ renames: String) {
    let world = Scenario()
    world.runs("mkdir r; mkdir r/x; mkdir r/x/y; new r/1; new r/x/2; new r/x/y/3; \(renames)")
    #expect(["s/1", "s/z/2", "s/z/y/3"].allSatisfy { world.identity($0) != nil })
  }

  /// A folder that moved before its listing was taken up again: what was made in it meanwhile was missed.
  @Test func aFolderMovedTwiceWhileItIsListedIsTold() {
    let world = Scenario("mkdir a; mkdir b; new b/f")
    let told = world.run("rename b a/b; new a/b/g; rename a/b c; new c/h |")
    #expect(told.first == "renamed b -> c")
    let found = ["copyFinished c/g", "copyFinished c/h", "discovered c/g", "discovered c/h"]
    #expect(told.dropFirst().sorted() == found)
  }

  /// Out of the tree and in again at once: it was told as deleted.
  @Test(arguments: ["|", "; "]) func outOfTheTreeAndInAgainIsARename(_ delivery: String) {
    let world = Scenario("mkdir a; new a/f")
    world.run("rename a /outside/a \(delivery) rename /outside/a b |", tells: ["renamed a -> b"])
  }

  /// Moved into a new folder out of one that was moved after it: it was taken for the same folder seen twice.
  @Test func aFolderMovedOutOfOneThatIsMovedIsFoundOnce() {
    let world = Scenario("mkdir d; mkdir d/e; new d/e/f")
    let before = world.identity("d/e/f")
    world.runs("mkdir s; rename d/e s/x; rename d s/y |")
    #expect(world.identity("s/x/f") == before)
  }

  /// A copy of the document below came to the place of the one that was renamed over it: the copy was never told.
  @Test func aCopyOfWhatWasReplacedComesToThePlaceOfWhatReplacedIt() {
    let world = Scenario("new a; new b")
    let before = world.identity("a")
    world.runs("copy-a b /outside/x … create n; rename a b; rename /outside/x a |")
    #expect(world.identity("b") == before)
  }

  /// The process is interrupted between the events of its rename.
  @Test(arguments: ["+20ms", "34ms"]) func aRenameInterruptedBetweenItsEvents(_ pause: String) {
    let world = Scenario("new x; mkdir a")
    world.run("slowly rename x a/y | \(pause) mkdir c |", tells: ["moved x -> a/y", "discovered c"])
  }

  /// What a folder was moved over had been its own parent's parent: it was told deleted with that, and never again.
  @Test func aFolderThatTakesThePlaceOfOneItWasInIsFoundAgain() {
    let world = Scenario("mkdir a; mkdir a/b; mkdir a/b/c; new a/b/c/f")
    world.runs("rename a/b/c /outside/c; rmdir a/b; rmdir a; rename /outside/c a |")
    #expect(world.identity("a") == world.tag("a"))
    #expect(world.identity("a/f") == world.tag("a/f"))
  }

  /// A file changed places with one in a folder that was not watched yet: inotify took that for the rename before, and
  /// it was never told.
  @Test(arguments: [
    "rename d/l a; rename a r; exchange d/m r", "new a; rename a r; exchange d/m r",
    "link d/m a; rename a r; exchange d/l r",
  ])
  func whatComesByARenameThatIsTakenForAnotherIsTold(_ renames: String) {
    let world = Scenario("mkdir /outside/d; new /outside/d/m; new /outside/d/l")
    world.runs("rename /outside/d d; \(renames) | …")
    #expect(world.identity("r") != nil)
  }

  /// A folder was moved on while the one that it was in was out of the tree, where nobody tells of it: it was told as
  /// removed.
  @Test(arguments: [SimulatedSource.inotify, .fanotify]) func aFolderThatIsMovedOnOutsideIsNotRemoved(
    _ source: SimulatedSource
  ) {
    let world = Scenario("mkdir d; mkdir d/e; new d/e/x", source: source)
    world.runs("append d/e/x")
    world.run(
      "rename d /outside/d; rename /outside/d/e /outside/e; rename /outside/d f |",
      tells: ["renamed d -> f", "deleted(movedOut) f/e/x", "deleted(movedOut) f/e"])
  }

  /// A polled folder was marked where a scan had found it, and back before that was followed up: nobody told of it any
  /// more.
  @Test(arguments: 4...6) func aFolderThatIsMarkedElsewhereAndBackIsObserved(_ listing: Int) {
    let world = Scenario(
      "mkdir q; mkdir p; mkdir p/x; new p/x/f; mkdir m", source: .fewMarks, markLimit: 3, queueCapacity: 4)
    let (there, room) = ("during list@\(listing) rename p/x q/x", "during mark@\(listing + 1) rmdir m")
    let back = "during list@\(listing + 1) rename q/x p/x"
    world.runs("new a; new b; new c; new d; new e; \(there); \(room); \(back) |")
    world.runs("new p/x/g")
    #expect(world.identity("p/x/g") != nil)
  }

  /// What the kernel said for certain waited until the file had been looked at.
  @Test func aRenameIsToldBeforeTheFileIsLookedAt() throws {
    let world = Scenario("new a")
    world.runs("rename a b; during look mkdir d |")
    let told = world.journal.firstIndex { $0.contains("renamed tree/b") }
    let looked = world.journal.firstIndex { $0.contains("make directory tree/d") }
    #expect(try #require(told) < #require(looked))
  }
}
