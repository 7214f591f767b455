import ObservationSimulation
import TestTraits
import Testing

/// Faults with files that are being written, found in simulated worlds and on real folders.
@Suite(.processor) struct WritingRegressionTests {
  /// The first look at what was written counted as a change that no event told: `modified` came a quiet period late.
  @Test func aWriteInPlaceIsToldAQuietPeriodAfterItsClose() {
    let world = Scenario("new a")
    world.play("append a | 750ms")
    #expect(world.told == ["modified a"])
    world.runs("")
  }

  /// A new file likewise.
  @Test func aNewFileIsToldAQuietPeriodAfterItsClose() {
    let world = Scenario()
    world.play("create a | 10ms write a; close a | 750ms")
    #expect(world.told == ["discovered a", "copyFinished a"])
    world.runs("")
  }

  /// A download that is renamed to its final name while it is open, and closed later.
  @Test func aSlowDownloadIsFinishedUnderItsFinalName() {
    let world = Scenario()
    world.run(
      "create a.part; write a.part | 1300ms write a.part; rename a.part a | 1200ms write a.part; close a.part |",
      tells: ["discovered(copying) a.part", "renamed a.part -> a", "copyFinished a"])
  }

  /// A file is renamed while it is written.
  @Test func aFileRenamedWhileItIsWrittenIsFinishedOnce() {
    Scenario().run(
      "create a; write a | 1500ms rename a b | write a; 1000ms close a |",
      tells: ["discovered(copying) a", "renamed a -> b", "copyFinished b"])
  }

  /// A file that the scan finds being written, and that rests for seconds before its last write.
  @Test func aFileThatTheScanFindsBeingWrittenIsFinishedAfterItsLastWrite() {
    let world = Scenario(begins: false)
    world.play("create a; write a; begin 0 10000ms write a")
    #expect(world.told == ["discovered(copying) a"])
    world.run("", tells: ["copyFinished a"])
  }

  /// A file that is opened again after its close is finished after the second.
  @Test func aFileThatIsOpenedAgainIsFinishedOnce() {
    let world = Scenario()
    world.play("create a; write a; close a; | 500ms open a; write a; | 5000ms")
    #expect(world.told.contains("copyFinished a") == false)
    world.runs("")
    #expect(world.told.filter { $0 == "copyFinished a" }.count == 1)
  }

  /// A document that came back while it was written was a new file at first: its copy took the identity.
  @Test func aDocumentThatIsBackAndBeingWrittenIsItself() {
    let world = Scenario("mkdir d; new d/a")
    world.runs("rename d /outside/d")
    world.runs("copy-a /outside/d/a /outside/d/b")
    world.run(
      "open /outside/d/a; write /outside/d/a; rename /outside/d d | 3000ms write /outside/d/a; close /outside/d/a |",
      tells: [
        "discovered(returned) d", "discovered(copying)(returned) d/a", "duplicated d/a => d/b", "copyFinished d/b",
        "copyFinished d/a",
      ])
  }

  /// A symbolic link waited for a sibling with a partial name, as a file does, and was told as finished.
  @Test func aSymbolicLinkWaitsForNoSibling() {
    let world = Scenario()
    world.play("new c.part; symlink c | 800ms")
    #expect(world.told == ["discovered c"])
    world.runs("")
  }

  /// A download that was given up keeps no document beside it from being finished.
  @Test(arguments: ["part", "crdownload", "aria2"], [SimulatedSource.inotify, .fanotify])
  func aPartialFileThatIsLeftOver(_ ending: String, _ source: SimulatedSource) {
    let world = Scenario("new doc; new doc.\(ending); new film.\(ending); 40000ms", source: source)
    let before = world.identity("doc")
    let told = ["modified doc", "discovered film", "copyFinished film"]
    world.run("new .t; rename .t doc; new film | 2000ms", tells: told)
    #expect(before != nil && world.tag("doc") == before && world.tag("film") == world.identity("film"))
  }

  /// Firefox: the empty file was told as finished, and the download that took its place as a change of it.
  @Test(arguments: ["x.Kq3xY1z9.bin.part", "Kq3xY1z9.bin.part", "Kq3xY1z9.part"])
  func aPlaceholderWaitsForADownloadOfAnotherName(_ partial: String) {
    let download = "create \(partial) | 800ms write \(partial); close \(partial); rename \(partial) x.bin"
    let told = Scenario().run("create x.bin; close x.bin; \(download) |")
    #expect(told == ["discovered x.bin", "copyFinished x.bin"])
  }

  @Test func anEmptyFileBesideAnotherDownloadIsFinished() {
    let world = Scenario("")
    world.play("create x.bin.part; write x.bin.part; create a.txt; close a.txt | 800ms")
    #expect(world.told == ["discovered a.txt", "copyFinished a.txt"])
  }

  /// SQLite keeps its journal where it is told to: the database was waited for without end.
  @Test func aDatabaseIsFinishedThoughItsJournalIsKept() {
    let told = Scenario().run(
      "create a.db; write a.db; create a.db-journal; write a.db-journal; close a.db-journal; write a.db; close a.db |")
    #expect(told.contains("copyFinished a.db") && told.contains("copyFinished a.db-journal"), "\(told)")
  }

  /// As long as the journal is written to, so is the database.
  @Test func aDatabaseWaitsForItsLog() {
    let world = Scenario()
    world.play("create a.db; write a.db; close a.db; create a.db-wal; write a.db-wal | 5000ms write a.db-wal | 5000ms")
    #expect(!world.told.contains("copyFinished a.db"))
    world.run("close a.db-wal; unlink a.db-wal |", tells: ["copyFinished a.db", "deleted(removed) a.db-wal"])
  }

  /// An empty file with a partial name was taken for the placeholder of itself, and never finished.
  @Test func anEmptyPartialFileDoesNotWaitForItself() {
    let world = Scenario("new report.crdownload")
    world.run("truncate report.crdownload; close report.crdownload |", tells: ["modified report.crdownload"])
  }
}
