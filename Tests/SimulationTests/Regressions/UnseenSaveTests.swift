import FileIdentity
import ObservationSimulation
import Testing

/// Documents that were saved while no observer ran, with a backup that stays: identity belongs to the name.
struct UnseenSaveTests {
  /// What is told of `report.txt` and its identity after an observer was away.
  private func restarted(_ before: String, _ meanwhile: String) -> (world: Scenario, identity: UUIDBits?) {
    let world = Scenario(before)
    let identity = world.identity("report.txt")
    world.runs("kill 0 \(meanwhile)")
    return (world, identity)
  }

  @Test(arguments: ["report.txt~", "report.bak", "report.txt.orig", "#report.txt#", "report.txt.~7~"])
  func theDocumentKeepsTheUUIDAndTheBackupGetsAnother(_ backup: String) {
    for save in [
      "rename report.txt B 100ms new report.txt", "link report.txt B 100ms new .t; rename .t report.txt",
      "new .t; rename report.txt B; rename .t report.txt", "copy-a report.txt B 100ms new .t; rename .t report.txt",
      "copy-a report.txt B 3600000ms new .t; rename .t report.txt",
      "copy-a report.txt B; truncate report.txt; write report.txt",
    ] {
      for rest in [0, 20_000] {
        let save = save.replacing("B", with: backup)
        let (world, identity) = restarted("new report.txt", "\(save) +\(rest)ms begin 0")
        #expect(world.identity("report.txt") == identity, "\(save)")
        #expect(world.tag("report.txt") == identity, "\(save)")
        #expect(world.tag(backup) != identity && world.tag(backup) == world.identity(backup), "\(save)")
        #expect(world.told.contains("duplicated report.txt => \(backup)"), "\(save) \(world.told)")
      }
    }
  }

  @Test(arguments: ["report.txt_original", "report.txt-before-merge", "report.txt.dpkg-old"])
  func theDocumentKeepsTheUUIDIfItsFormerVersionGotALongerName(_ backup: String) {
    for save in ["rename report.txt B 100ms new report.txt", "new .t; rename report.txt B; rename .t report.txt"] {
      let (world, identity) = restarted("new report.txt", "\(save.replacing("B", with: backup)) 3600000ms begin 0")
      #expect(world.identity("report.txt") == identity, "\(save)")
      #expect(world.told.contains("duplicated report.txt => \(backup)"), "\(save) \(world.told)")
    }
  }

  /// A photo took over the identity of its sidecar: `photo.jpg.xmp` begins with the photo's name, as a backup's may.
  @Test(arguments: [
    "report.txt.xmp", "report.txt.sig", "report.txt.en.srt", "report.txt-edits.json", "report.txt_notes",
    "report.txt.crdownload", "report.txt-wal",
  ])
  func aFileAboutADocumentKeepsItsIdentity(_ other: String) {
    for meanwhile in [
      "new .t; rename .t report.txt; append B", "new .t; rename .t report.txt 3600000ms append B",
      "new .t; rename .t report.txt 3600000ms touch B", "append B; new .t; rename .t report.txt",
      "copy-a B .s; append .s; rename .s B; new .t; rename .t report.txt",
      "unlink report.txt; new report.txt; append B",
    ] {
      let world = Scenario("new report.txt; new \(other)")
      let (document, identity) = (world.identity("report.txt"), world.identity(other))
      world.runs("kill 0 \(meanwhile.replacing("B", with: other)) begin 0")
      #expect(world.identity(other) == identity && world.tag(other) == identity, "\(meanwhile)")
      #expect(world.identity("report.txt") != identity && document != identity, "\(meanwhile)")
    }
  }

  /// A user may keep a file of their own under the name of a backup.
  @Test(arguments: ["report.txt~", "report.old", "report.bak"])
  func aFileOfTheUsersIsNoBackup(_ other: String) {
    for meanwhile in [
      "new .t; rename .t report.txt 3600000ms append B", "new .t; rename .t report.txt 3600000ms touch B",
      "copy-a B .s; append .s; rename .s B 3600000ms new .t; rename .t report.txt",
      // As chmod(1) and `cp -al` do, a link changes the time of the inode.
      "new .t; rename .t report.txt 3600000ms link B .x", "link B .x 3600000ms new .t; rename .t report.txt",
    ] {
      let world = Scenario("new report.txt; new \(other)")
      let identity = world.identity(other)
      world.runs("kill 0 3600000ms \(meanwhile.replacing("B", with: other)) begin 0")
      #expect(world.identity(other) == identity && world.tag(other) == identity, "\(meanwhile)")
      #expect(world.identity("report.txt") != identity, "\(meanwhile)")
    }
  }

  /// `rsync -aX --backup`: the new version has the tag, too.
  @Test(arguments: ["report.txt~", "report.bak", "report.txt.orig"])
  func theDocumentKeepsTheUUIDIfItsNextVersionHasTheTag(_ backup: String) {
    let (world, identity) = restarted(
      "new report.txt", "rename report.txt \(backup); copy-a \(backup) report.txt; append report.txt begin 0")
    #expect(world.identity("report.txt") == identity && world.tag("report.txt") == identity, "\(world.told)")
    #expect(world.told.contains("duplicated report.txt => \(backup)"))
  }

  /// A folder on a new disk: its files were copied with it.
  @Test func aFileInACopiedFolderIsNoBackup() {
    let world = Scenario("mkdir d; new d/report.txt; new d/report.txt~")
    let identity = world.identity("d/report.txt~")
    world.runs("kill 0 copy-a-tree d e; remove d; rename e d 3600000ms new d/.t; rename d/.t d/report.txt begin 0")
    #expect(world.identity("d/report.txt~") == identity && world.tag("d/report.txt~") == identity)
    #expect(world.identity("d/report.txt") != identity)
  }

  /// LaTeX makes `main.pdf` beside `main.tex` and `main.bak`.
  @Test func aBackupOfOneOfTwoDocumentsIsTheOtherOnesNot() {
    for meanwhile in ["link main.bak .x; new main.pdf", "rename main.bak .b; rename .b main.bak; new main.pdf"] {
      let world = Scenario("new main.tex; new main.pdf; new main.bak")
      let identity = world.identity("main.bak")
      world.runs("kill 0 unlink main.pdf; \(meanwhile) begin 0")
      #expect(world.identity("main.bak") == identity, "\(meanwhile) \(world.told)")
      #expect(world.identity("main.pdf") != identity)
    }
  }

  /// The program that saved the document has kept its attributes, so that the copy is the older inode.
  @Test(arguments: ["version-1.txt", "a/report.txt", "report.sync-conflict-1.txt"])
  func aCopyOfADocumentThatWasSavedWithItsTagIsTheCopy(_ copy: String) {
    let world = Scenario("mkdir a; new report.txt")
    let identity = world.identity("report.txt")
    world.runs(
      "kill 0 copy-a report.txt \(copy) 3600000ms copy-a report.txt .t; append .t; rename .t report.txt 100ms begin 0")
    #expect(world.identity("report.txt") == identity && world.tag("report.txt") == identity)
    #expect(world.identity(copy) != identity)
    #expect(world.told.contains("duplicated report.txt => \(copy)"))
  }

  @Test func ofSeveralBackupsTheOneThatWasTheDocumentGivesTheIdentityBack() {
    // Saved three times: only the first version had an identity.
    let saves = (1...3).map { "rename report.txt report.txt.~\($0)~; new report.txt 3600000ms" }.joined(separator: " ")
    let (world, identity) = restarted("new report.txt", "\(saves) begin 0")
    #expect(world.identity("report.txt") == identity)
    #expect(Set((1...3).map { world.identity("report.txt.~\($0)~") } + [identity]).count == 4)
  }

  @Test func anOldBackupWithAnIdentityOfItsOwnIsNotTheDocument() {
    let world = Scenario("new report.txt")
    world.runs("rename report.txt report.txt~; new report.txt")
    let (identity, backup) = (world.identity("report.txt"), world.identity("report.txt~"))
    world.runs("kill 0 3600000ms rename report.txt report.bak; new report.txt 3600000ms begin 0")
    #expect(world.identity("report.txt") == identity)
    #expect(world.identity("report.txt~") == backup)
    world.runs("kill 0 3600000ms new .t; rename .t report.txt 3600000ms begin 0")
    #expect(world.identity("report.txt~") == backup)
  }

  @Test func aDocumentWithATagOfItsOwnKeepsIt() {
    let world = Scenario("new report.txt; new other.txt")
    let (report, other) = (world.identity("report.txt"), world.identity("other.txt"))
    world.runs("kill 0 rename report.txt report.txt~; rename other.txt report.txt begin 0")
    #expect(world.identity("report.txt") == other)
    #expect(world.identity("report.txt~") == report)
  }

  @Test func aDocumentThatIsOlderThanTheBackupIsAnother() {
    let world = Scenario("new .old 1000ms new report.txt")
    let identity = world.identity("report.txt")
    world.runs("kill 0 rename report.txt report.txt~; rename .old report.txt begin 0")
    #expect(world.identity("report.txt~") == identity)
  }

  @Test func whatMayBeTheBackupOfTwoDocumentsStaysWhatItIs() {
    let world = Scenario("new report.txt")
    let identity = world.identity("report.txt")
    world.runs("kill 0 rename report.txt report.bak; new report.txt; new report.md begin 0")
    #expect(world.identity("report.bak") == identity)
  }

  /// A download whose name has the document's stem in it, and a backup that somebody writes to.
  @Test(arguments: [
    "create report.txt.part; begin 0; write report.txt.part; close report.txt.part",
    "new report.txt.part begin 0",
    "new report.md; open report.txt.orig; begin 0; write report.txt.orig; close report.txt.orig",
  ])
  func whatIsNotAtRestIsNoSave(_ script: String) {
    let world = Scenario("new report.txt")
    let identity = world.identity("report.txt")
    world.runs("kill 0 rename report.txt report.txt.orig; \(script)")
    #expect(world.identity("report.txt.orig") == identity)
  }

  @Test func observersThatBeginTogetherAgree() {
    let world = Scenario("new report.txt", observers: 2)
    let identity = world.identity("report.txt")
    world.runs("kill 0 kill 1 rename report.txt report.txt~; new report.txt +20000ms begin 0 begin 1")
    for observer in 0...1 {
      #expect(world.identity("report.txt", observer: observer) == identity)
      #expect(world.identity("report.txt~", observer: observer) == world.tag("report.txt~"))
    }
  }

  /// An observer that has lost events decides the same.
  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func theSameHoldsAfterAnOverflow(_ source: SimulatedSource) {
    for save in [
      "rename report.txt B; new report.txt", "link report.txt B; new .t; rename .t report.txt",
      "copy-a report.txt B; new .t; rename .t report.txt", "new .t; copy-a report.txt B; rename .t report.txt",
    ] {
      for backup in ["report.txt~", "#report.txt#", "report.bak"] {
        for rest in ["", "+20000ms"] {
          let world = Scenario("new report.txt; mkdir d", source: source, queueCapacity: 4)
          let identity = world.identity("report.txt")
          let save = save.replacing("B", with: backup)
          world.runs("new d/1; new d/2; new d/3; \(save) \(rest)")
          #expect(world.identity("report.txt") == identity, "\(save) \(world.told)")
        }
      }
    }
  }
}
