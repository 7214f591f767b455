import FileIdentity
import ObservationSimulation
import Testing

/// Folders that are moved by copying: `cp -a` and `rm -r`, as `mv` does it between file systems.
struct CopiedFolderTests {
  private static let before = "mkdir trip; mkdir trip/day; new trip/a; new trip/day/b; new trip/day/c"
  private static let names = ["", "/a", "/day", "/day/b", "/day/c"]

  private func identities(_ world: Scenario, _ folder: String) -> [UUIDBits?] {
    Self.names.map { world.identity(folder + $0) }
  }

  private func tags(_ world: Scenario, _ folder: String) -> [UUIDBits?] { Self.names.map { world.tag(folder + $0) } }

  private func world(_ source: SimulatedSource = .inotify, _ more: String = "", observers: Int = 1) -> Scenario {
    Scenario(Self.before + "; " + more, observers: observers, source: source)
  }

  /// Expects that the folder is told to have moved, and has its identities where it is now.
  private func expectMoved(
    _ world: Scenario, _ identities: [UUIDBits?], to folder: String = "album",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.identities(world, folder) == identities, "\(world.told)", sourceLocation: sourceLocation)
    #expect(tags(world, folder) == identities, sourceLocation: sourceLocation)
    #expect(!world.told.contains { $0.hasPrefix("deleted(removed)") }, sourceLocation: sourceLocation)
    #expect(world.problems == [], "\n\(world.journal.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }

  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func aFolderCopiedAndRemovedAtOnceIsMovedOnce(_ source: SimulatedSource) {
    for moment in ["|", "|3 |2 |", "+20ms | +50ms", "50ms", "| 300ms"] {
      let world = world(source)
      let identities = identities(world, "trip")
      world.runs("copy-a-tree trip album \(moment) remove trip |")
      expectMoved(world, identities)
      // Copies in this machine have another time than their originals.
      #expect(world.told.filter { !$0.hasPrefix("modified") } == ["renamed trip -> album"], "\(moment)")
    }
  }

  /// A program saves a document of several files again and again: the second copy is made of the first, which has its own
  /// tags until the former folder counts as removed.
  @Test(arguments: [SimulatedSource.inotify, .fanotify], ["|", "| 100ms |", "| 400ms |", "| 900ms |", "| 2000ms |"])
  func aCopyThatTakesOverIsCopied(_ source: SimulatedSource, _ pause: String) {
    for again in ["|", "| 100ms |", "| 200ms |", "| 400ms |", "| 700ms |", "| 2000ms |"] {
      let world = world(source)
      let identities = identities(world, "trip")
      let save = "copy-a-tree trip new \(pause) rename trip old; rename new trip; remove old"
      world.runs("\(save) \(again) \(save) \(again) \(save) | …")
      #expect(self.identities(world, "trip") == identities, "\(again) \(world.told)")
      #expect(tags(world, "trip") == identities, "\(again)")
      #expect(world.problems == [], "\n\(world.journal.joined(separator: "\n"))")
    }
  }

  /// The first copy has taken over, and its files count as saved until they are quiet, when the second one is made of it.
  @Test(arguments: [SimulatedSource.inotify, .fanotify], ["", "append new/a"])
  func aFolderIsSavedAgainBeforeItsFilesAreComplete(_ source: SimulatedSource, _ change: String) {
    for again in ["|", "| 100ms |", "| 200ms |", "| 400ms |", "| 700ms |"] {
      let world = world(source)
      let identities = identities(world, "trip")
      let save = "copy-a-tree trip new \(change) | rename trip old | rename new trip | remove old"
      world.runs("\(save) \(again) \(save) \(again) \(save) | …")
      #expect(self.identities(world, "trip") == identities && tags(world, "trip") == identities, "\(again)")
      let expected = ["renamed trip -> old", "renamed old -> trip", "modified trip/a", "modified trip/day/b"]
      #expect(Set(world.told).isSubset(of: expected), "\(again) \(world.told)")
      #expect(world.problems == [], "\n\(world.journal.joined(separator: "\n"))")
    }
  }

  @Test func aFolderSeenByPollingIsMoved() {
    for moment in ["|", "100ms", "400ms", "1000ms", "30000ms"] {
      let world = world(.polling)
      let identities = identities(world, "trip")
      world.runs("copy-a-tree trip album \(moment) remove trip |")
      expectMoved(world, identities)
    }
  }

  @Test(arguments: [SimulatedSource.inotify, .fanotify, .polling])
  func theCopyMayTakeMinutes(_ source: SimulatedSource) {
    for script in [
      "copy-a-tree trip album 5000ms remove trip", "copy-a-tree trip album 120000ms remove trip",
      "mkdir album; copy-a trip/a album/a 5000ms mkdir album/day; copy-a trip/day/b album/day/b 60000ms "
        + "copy-a trip/day/c album/day/c; tag trip/day album/day 1000ms tag trip album 2000ms remove trip",
    ] {
      let world = world(source)
      let identities = identities(world, "trip")
      world.runs("\(script) |")
      expectMoved(world, identities)
      let told = world.told.filter { !$0.hasPrefix("modified") }
      #expect(told.suffix(2) == ["deleted(replaced) album", "renamed trip -> album"])
      #expect(world.deletions.count == 5)
    }
  }

  /// So does a program that saves a document of several files: the copy takes the place of the folder.
  @Test(arguments: [SimulatedSource.inotify, .fanotify, .polling])
  func aCopyThatTakesTheFoldersPlaceIsTheFolder(_ source: SimulatedSource) {
    for moment in ["|", "+20ms | +50ms", "| 50ms", "| 300ms", "5000ms"] {
      for pause in ["", "|", "100ms", "400ms"] {
        let world = world(source)
        let identities = identities(world, "trip")
        world.runs("copy-a-tree trip album \(moment) remove trip \(pause) rename album trip |")
        expectMoved(world, identities, to: "trip")
      }
    }
  }

  /// The newest of several copies goes on as a whole, although none of them is complete.
  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func ofSeveralUnfinishedCopiesOneGoesOn(_ source: SimulatedSource) {
    for moment in ["|", "| 300ms"] {
      let world = world(source)
      let identities = identities(world, "trip")
      world.runs("copy-a-tree trip first; copy-a-tree trip album \(moment) remove trip |")
      expectMoved(world, identities)
      #expect(world.deletions.isEmpty)
    }
  }

  /// A file manager removes one after the other, the deepest first.
  @Test(arguments: ["unlink P", "unlink P 300ms", "unlink P 2000ms", "unlink P 4500ms"])
  func theOriginalsMayGoOneByOne(_ step: String) {
    for source in [SimulatedSource.inotify, .fanotify] {
      let world = world(source)
      let identities = identities(world, "trip")
      let removal = ["trip/day/b", "trip/day/c", "trip/a"].map { step.replacing("P", with: $0) }.joined(separator: " ")
      world.runs("copy-a-tree trip album 5000ms \(removal) rmdir trip/day 1000ms rmdir trip |")
      expectMoved(world, identities)
    }
  }

  /// Each file is copied and removed at once, and the folders at the end.
  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func filesMovedOneByOneTakeTheirFolderAlong(_ source: SimulatedSource) {
    for pause in ["", "300ms", "3000ms"] {
      let world = world(source)
      let identities = identities(world, "trip")
      world.runs(
        "mkdir album; copy-a trip/a album/a; unlink trip/a \(pause) mkdir album/day; copy-a trip/day/b album/day/b; "
          + "unlink trip/day/b \(pause) copy-a trip/day/c album/day/c; unlink trip/day/c \(pause) tag trip/day album/day; "
          + "rmdir trip/day \(pause) tag trip album; rmdir trip |")
      expectMoved(world, identities)
    }
  }

  @Test func aFolderMovedToAnotherFolderOrFileSystemIsMoved() {
    let world = world(.fanotify, "mkdir mnt")
    let identities = identities(world, "trip")
    world.runs("copy-a-tree trip mnt/trip 3000ms remove trip |")
    expectMoved(world, identities, to: "mnt/trip")
    #expect(world.told.contains("moved trip -> mnt/trip"))
  }

  /// A copy that was changed is a file of its own, and so is one whose original was changed.
  @Test(arguments: ["append album/day/b", "new .t; rename .t album/day/b", "touch album/day/b", "append trip/day/b"])
  func whatWasChangedSinceItWasCopiedKeepsItsOwnIdentity(_ change: String) {
    let world = world()
    let identities = identities(world, "trip")
    world.runs("copy-a-tree trip album 5000ms \(change)")
    let copy = world.identity("album/day/b")
    world.runs("remove trip |")
    #expect(world.identity("album/day/b") == copy)
    #expect(world.told.contains("deleted(removed) trip/day/b"))
    #expect(world.identity("album/day/c") == identities[4])
    #expect(world.identity("album/a") == identities[1])
    #expect(world.identity("album/day") == identities[2])
    #expect(world.identity("album") == identities[0])
  }

  /// What else is in the copy stays what it is; what was renamed there is found.
  @Test func theCopyMayHoldMore() {
    let world = world()
    let identities = identities(world, "trip")
    world.runs("copy-a-tree trip album 5000ms new album/day/n; rename album/a album/z")
    let (copy, newcomer) = (world.identity("album"), world.identity("album/day/n"))
    world.runs("remove trip |")
    #expect(copy != identities[0])
    #expect(world.identity("album/day/n") == newcomer)
    #expect(world.identity("album/z") == identities[1])
    let kept = ["album", "album/day", "album/day/b", "album/day/c"].map { world.identity($0) }
    #expect(kept == [identities[0]] + identities[2...])
  }

  @Test func whatIsRemovedInPartIsDeleted() {
    let world = world()
    let identities = identities(world, "trip")
    world.runs("copy-a-tree trip album 5000ms")
    world.runs("unlink trip/day/b; unlink trip/a |")
    #expect(world.told.sorted() == ["deleted(removed) trip/a", "deleted(removed) trip/day/b"])
    #expect(world.identity("album/day/b") != identities[3])
  }

  /// A file that is removed alone is deleted, once its window is over, and at once.
  @Test func aFileThatIsRemovedAloneIsDeletedAtOnce() {
    let world = Scenario("new a; mkdir d")
    world.runs("copy-a a d/a; copy-a a b")
    world.play("unlink a | 600ms")
    #expect(world.told == ["deleted(removed) a"])
  }

  @Test(arguments: ["rename trip /outside/trip", "rename trip .trip"])
  func whatIsMovedAwayIsNotMovedToItsCopy(_ script: String) {
    for source in [SimulatedSource.inotify, .fanotify] {
      let world = world(source)
      world.runs("copy-a-tree trip album 5000ms")
      let copies = identities(world, "album")
      world.runs("\(script) |")
      #expect(identities(world, "album") == copies)
      #expect(world.told.contains("deleted(movedOut) trip"))
    }
  }

  /// Whoever moves a folder by copying makes the copy last: one that was made before, as a backup is, stays what it is.
  @Test(arguments: ["5000ms", ""]) func ofSeveralCopiesTheNewestIsTheFolder(_ pause: String) {
    let world = world()
    let identities = identities(world, "trip")
    world.runs("copy-a-tree trip backup 5000ms")
    let backup = self.identities(world, "backup")
    world.runs("copy-a-tree trip album \(pause) remove trip |")
    expectMoved(world, identities)
    #expect(self.identities(world, "backup") == backup)
  }

  @Test func aCopyThatIsGoneIsNoneOfSeveral() {
    let world = world()
    let identities = identities(world, "trip")
    world.runs("copy-a-tree trip album; copy-a-tree trip book 5000ms remove book")
    world.runs("remove trip |")
    expectMoved(world, identities)
  }

  @Test func aCopyOfACopyFollowsWhenBothGo() {
    let world = world()
    let identities = identities(world, "trip")
    world.runs("copy-a-tree trip album 5000ms")
    world.runs("copy-a-tree album book 5000ms")
    world.runs("remove trip |")
    expectMoved(world, identities)
    world.runs("remove album |")
    expectMoved(world, identities, to: "book")
  }

  @Test func hiddenFilesAndLinksDoNotMatter() {
    let world = world(.inotify, "new trip/.hidden; symlink trip/day/link")
    let identities = identities(world, "trip")
    world.runs("copy-a-tree trip album 5000ms remove trip |")
    expectMoved(world, identities)
  }

  @Test func aFileWithSeveralNamesIsMoved() {
    let world = Scenario("mkdir trip; new trip/a; link trip/a trip/b; new trip/c")
    let identities = ["trip", "trip/a", "trip/c"].map { world.identity($0) }
    world.runs("mkdir album; copy-a trip/a album/a; link album/a album/b; copy-a trip/c album/c; tag trip album 3000ms")
    world.runs("remove trip |")
    #expect(["album", "album/a", "album/c"].map { world.identity($0) } == identities, "\(world.told)")
    #expect(world.identity("album/b") == identities[1])
  }

  @Test func observersAgree() {
    for script in ["remove trip |", "0| remove trip 0| +300ms 1|", "remove trip 1| 600ms 0|"] {
      let world = world(.inotify, observers: 2)
      let identities = identities(world, "trip")
      world.runs("copy-a-tree trip album 5000ms")
      world.runs(script)
      expectMoved(world, identities)
      #expect(Self.names.map { world.identity("album" + $0, observer: 1) } == identities)
    }
  }

  /// A new folder is told with what comes to be in it, and after a moment where nothing does.
  @Test func aNewFolderIsToldAfterAMoment() {
    let world = Scenario("new a")
    world.play("mkdir d | 120ms")
    #expect(world.told == ["discovered d"])
    world.play("mkdir e | rename a e/a |")
    #expect(world.told == ["discovered e", "moved a -> e/a"])
    world.play("mkdir f; mkdir f/g | rename f h | 120ms")
    #expect(world.told.contains("discovered h"))
    world.run("mkdir x; mkdir x/y; remove x |", tells: [])
  }

  /// While events were lost, a folder was renamed and then copied: it is the inode that it was, whichever is listed
  /// first.
  @Test(arguments: ["album", "zoo", "a", "z"]) func aFolderThatWasRenamedIsNotItsCopy(_ copy: String) {
    let world = Scenario(Self.before, source: .inotify, queueCapacity: 4)
    let identities = identities(world, "trip")
    world.run("new 1; new 2; new 3; rename trip journey; copy-a-tree journey \(copy) |")
    #expect(self.identities(world, "journey") == identities, "\(world.told)")
    #expect(world.told.contains("renamed trip -> journey") && world.told.contains("duplicated journey => \(copy)"))
    #expect(world.problems == [], "\(world.told)")
  }

  /// What is in a folder was removed before a file could take its place.
  @Test func whatWasInAReplacedFolderWasRemoved() {
    let world = Scenario("mkdir d; new d/a; new d/b", source: .inotify, queueCapacity: 4)
    world.run("new 1; new 2; new 3; remove d/a; remove d/b; remove d; new d |")
    #expect(
      world.told.filter { $0.hasPrefix("deleted") }.sorted() == [
        "deleted(removed) d/a", "deleted(removed) d/b", "deleted(replaced) d",
      ], "\(world.told)")
    #expect(world.problems == [])
  }
}
