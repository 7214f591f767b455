import FileTestSupport
import FoundationEssentials
import Glibc
import SystemPackage
import Testing

/// The snippets do what the guides say that they do.
///
/// A guide has the code of its snippet word for word, which `Scripts/docs` checks.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct SnippetTests {
  private let folder: ScratchFolder
  private var documents: String { folder["documents"] }

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir documents")
  }

  /// On a terminal every line shows at once; stdbuf has it so in a pipe too.
  private func start(_ name: String, _ arguments: String...) throws -> ToolProcess {
    try ToolProcess(executable: "/usr/bin/stdbuf", ["-oL", Tool.folder.appending(name).string] + arguments)
  }

  /// Does something in the folder, and awaits a line that ends so, or begins so.
  private func expect(_ line: String, from process: ToolProcess, after script: String) throws {
    folder.shell("cd documents; " + script)
    try process.lines { $0.hasPrefix(line) || $0.hasSuffix(line) }
  }

  // MARK: - First steps

  @Test func aFolderIsWatched() throws {
    let watch = try start("WatchAFolder", documents)
    try watch.lines { $0 == "The folder has 0 items." }
    folder.shell("cd documents; echo Dear Ada > letter.txt")
    let first = try #require(watch.nextLine())
    let uuid = try #require(first.firstMatch(of: #/^letter\.txt (\([0-9A-F]{8}\)) is new$/#)?.output.1)
    #expect(watch.nextLine() == "letter.txt \(uuid) is complete: 9 bytes")
    folder.shell("cd documents; mv letter.txt ada.txt")
    #expect(watch.nextLine() == "ada.txt \(uuid) was called letter.txt")
    folder.shell("cd documents; echo Dear Ada, how are you? > .new; mv .new ada.txt")
    #expect(watch.nextLine() == "ada.txt \(uuid) was saved")
    try expect("is a copy of \(documents)/ada.txt", from: watch, after: "cp -a ada.txt copy.txt")
    try expect("is gone: removed", from: watch, after: "rm copy.txt")
  }

  @Test func aTableFollowsItsFolder() throws {
    folder.shell("cd documents; mkdir sub; echo 1 > one.txt")
    let table = try start("TableOfAFolder", documents)
    try table.lines { $0 == "one.txt, 2 bytes" }
    folder.shell("cd documents; echo 22 > two.txt; rm one.txt; touch sub/a")
    var rows: [String] = []
    try table.lines { line in
      // A line that begins with the control sequences for a new picture has the number of rows.
      if line.contains("\u{1B}[J") { rows = [] } else { rows.append(line) }
      return rows == ["sub, 1 items", "two.txt, 3 bytes"]
    }
  }

  @Test func aTableIsInTheOrderOfRatings() throws {
    folder.shell("cd documents; echo 1 > a.txt; echo 2 > b.txt; echo 3 > c.txt")
    let table = try start("TableByRating", documents, "c.txt", "2", "b.txt", "5")
    try expectRows(["***** b.txt", "** c.txt", "- a.txt"], of: table)
    folder.shell("cd documents; cp -a b.txt a-copy.txt; mv c.txt a-former.txt")
    try expectRows(["***** a-copy.txt", "***** b.txt", "** a-former.txt", "- a.txt"], of: table)
  }

  /// Awaits that a table has these rows.
  private func expectRows(_ expected: [String], of table: ToolProcess) throws {
    var rows: [String] = []
    try table.lines { line in
      if line.hasSuffix(" documents") { rows = [] } else { rows.append(line) }
      return rows == expected
    }
  }

  @Test func theIdentitySurvivesEverySave() throws {
    let run = try start("IdentityThroughSaves", documents).finish()
    #expect(run.status == 0)
    let uuids = run.output.matches(of: #/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#).map { $0.output.0 }
    #expect(uuids.count == 5 && Set(uuids).count == 1, "\(run.output)")
    #expect(run.output.matches(of: #/  modified letter\.txt/#).count == 4, "\(run.output)")
    #expect(run.output.contains("duplicated letter.txt.bak (copy of letter.txt)"), "\(run.output)")
  }

  @Test func whatHappenedMeanwhileIsKnown() throws {
    folder.shell("cd documents; echo a > letter.txt; mkdir sub")
    let first = try start("AfterARestart", documents, folder["store"]).finish()
    #expect(first.output.hasPrefix("This is the first time.\n"), "\(first.output)")
    let bookmark = try #require(first.output.firstMatch(of: #/A bookmark of letter\.txt: (fsb1:.*)\n/#)?.output.1)
    folder.shell("cd documents; mv letter.txt sub/ada.txt; echo new > note.txt")
    let second = try start("AfterARestart", documents, folder["store"], String(bookmark)).finish()
    #expect(second.output.hasPrefix("Since the last time:\n"), "\(second.output)")
    #expect(second.output.contains("    moved letter.txt -> sub/ada.txt"), "\(second.output)")
    #expect(second.output.contains("    discovered note.txt"), "\(second.output)")
    #expect(second.output.contains("The document that was \(documents)/letter.txt is \(documents)/sub/ada.txt\n"))
    #expect(second.output.contains("Keep this bookmark from now on: fsb1:"), "\(second.output)")
    folder.shell("rm documents/sub/ada.txt")
    let third = try start("AfterARestart", documents, folder["store"], String(bookmark)).finish()
    #expect(third.status == 0 && third.output.contains("was not found"), "\(third.output)")
  }

  /// The program is killed, and goes on where it was.
  @Test func ratingsAreShownAndKept() throws {
    folder.shell("cd documents; echo a > a.txt; echo b > b.txt")
    let arguments = [documents, folder["store"], folder["ratings.json"]]
    let rating = try ToolProcess(
      executable: Tool.folder.appending("Ratings").string, arguments + [folder["documents/b.txt"], "4"])
    #expect(rating.finish().status == 0)
    let first = try start("RatedTable", arguments[0], arguments[1], arguments[2])
    try expectRows(["**** b.txt", "- a.txt"], of: first)
    folder.shell("cd documents; cp -a b.txt c.txt")
    try expectRows(["**** b.txt", "**** c.txt", "- a.txt"], of: first)
    first.signal(SIGKILL)
    _ = first.finish()
    folder.shell("cd documents; mv b.txt d.txt; rm c.txt")
    let second = try start("RatedTable", arguments[0], arguments[1], arguments[2])
    try expectRows(["**** d.txt", "- a.txt"], of: second)
  }

  @Test func ratingsFollowTheirDocuments() throws {
    folder.shell("cd documents; echo a > letter.txt; echo b > other.txt; mkdir sub")
    func start(_ rating: [String]) throws -> ToolProcess {
      let arguments = [documents, folder["store"], folder["ratings.json"]] + rating
      return try ToolProcess(executable: Tool.folder.appending("Ratings").string, arguments)
    }
    func run(_ rating: String...) throws -> String {
      let run = try start(rating).finish()
      #expect(run.status == 0)
      return run.output
    }
    #expect(try run() == "")
    #expect(try run(documents + "/letter.txt", "5") == "letter.txt 5\n")
    folder.shell("cd documents; mv letter.txt sub/ada.txt; echo more >> sub/ada.txt; cp -a sub/ada.txt copy.txt")
    #expect(try Set(run().split(separator: "\n")) == ["sub/ada.txt 5", "copy.txt 5"])
    folder.shell("mv documents/sub/ada.txt .")
    #expect(try run(documents + "/copy.txt", "1") == "copy.txt 1\n")
    folder.shell("mv ada.txt documents")
    #expect(try Set(run().split(separator: "\n")) == ["ada.txt 5", "copy.txt 1"])
    folder.shell("echo damaged > ratings.json")
    #expect(try start([]).finish().status != 0)
    #expect(folder.shell("cat ratings.json") == "damaged\n")
  }

  @Test(arguments: ["PlainMainLoop", "MainLoopOfGTK"]) func aMainLoopIsTold(_ name: String) throws {
    // Standard input is a pipe that stays open.
    folder.shell("mkfifo input")
    let script = "exec 3<>\"$0/input\"; exec stdbuf -oL \"$1\" \"$0/documents\" <&3"
    let loop = try ToolProcess(
      executable: "/bin/bash", ["-c", script, folder.string, Tool.folder.appending(name).string])
    // What is made before the scan is announced too, or is in the tree that a queue begins with.
    folder.shell("cd documents; echo a > a")
    try loop.lines { $0.hasPrefix("discovered a ") || $0.hasPrefix("there is ") }
    try expect("renamed a -> b", from: loop, renamed: "mv a b")
    guard name == "PlainMainLoop" else { return }
    folder.shell("echo > input")
    #expect(loop.finish().status == 0)
  }

  private func expect(_ line: String, from process: ToolProcess, renamed script: String) throws {
    folder.shell("cd documents; " + script)
    try process.lines { $0.hasPrefix(line + " ") }
  }

  @Test func aSaveLosesNothing() throws {
    for _ in 1...2 {
      let run = try start("OwnSaves", documents).finish()
      #expect(run.status == 0)
      let lines = run.lines.filter { $0.hasPrefix("saved") }
      let answers = [
        "saved: true", "saved, and the block is not called: true", "saved: true", "saved: false",
        "saved after reading it again: true",
      ]
      #expect(lines == answers, "\(run.output)")
      #expect(run.lines.count { $0 == "note.txt was saved by this app" } == 1, "\(run.output)")
      for (saver, count) in [("this app", 2), ("another program", 1)] {
        #expect(run.lines.count { $0 == "list.txt was saved by \(saver)" } == count, "\(run.output)")
      }
      let note = try String(contentsOf: URL(filePath: documents + "/note.txt"), encoding: .utf8)
      #expect(note == "Milk\nBread\nTea\nButter\n")
    }
  }

  // MARK: - Where it is not a plain folder

  @Test func limitsAreSaidBeforeAndAfterTheStart() throws {
    folder.shell("cd documents; ln -s nowhere link; echo a > a; mkfifo pipe")
    let limits = try start("LimitsAndWhatToDo", documents)
    let lines = try limits.lines { $0 == "1 of 2 items are known by their inode only" }
    #expect(lines.contains { $0.hasPrefix("ulimit -n: ") }, "\(lines)")
    #expect(lines.contains("special: 1"), "\(lines)")
    let missing = try start("LimitsAndWhatToDo", folder["missing"]).finish()
    #expect(missing.status != 0 && missing.errors.contains("missing"))
  }

  @Test func aFolderMayBeAway() throws {
    let network = try start("NetworkFolders", documents)
    let lines = try network.lines { $0 == "0 items" }
    #expect(lines.first?.hasPrefix(documents) == true || lines.first?.contains(", because ") == true, "\(lines)")
    folder.shell("mv documents away")
    try network.lines { $0 == "The folder is away." }
    folder.shell("mv away documents")
    try network.lines { $0 == "The folder is back." }
    try expect("copyFinished a", from: network, renamed: "echo a > a")
  }

  @Test func severalFoldersAreOneSpaceOfIdentities() throws {
    folder.shell("cd documents; mkdir letters pictures; echo a > letters/a")
    let observer = try start("SeveralFolders", documents + "/letters", documents + "/pictures")
    try observer.lines { $0 == "Observing what is in 2 folders, below \(documents)" }
    folder.shell("cd documents; mv letters/a pictures/b")
    #expect(observer.nextLine()?.hasPrefix("moved letters/a -> pictures/b ") == true)
  }

  // MARK: - An app and its tests, and other libraries

  @Test func theTestsOfAnAppPass() throws {
    let run = try start("TestingAnApp").finish()
    #expect(run.status == 0 && run.output == "All is well.\n", "\(run.output)\(run.errors)")
  }

  @Test func theNamesOfTheOriginalWork() throws {
    let observer = try start("FromTOFileSystemObserver", documents)
    try observer.lines { $0 == "0 items" }
    try expect("discovered \(documents)/a", from: observer, after: "mkdir Inbox; echo a > Inbox/a; echo a > a")
    try expect("moved \(documents)/a \(documents)/b", from: observer, after: "mv a b")
    try expect("deleted \(documents)/b", from: observer, after: "rm b")
  }

  @Test func anIndexGoesOnFromItsCursor() throws {
    folder.shell("cd documents; echo a > a.txt; echo b > b.txt")
    let first = try start("FromOtherWatchers", documents, folder["state"])
    var unread: Set = ["read a.txt", "read b.txt"]
    try first.lines { unread.remove($0) != nil && unread.isEmpty }
    try expect("read new.txt", from: first, after: "echo new > new.txt")
    try expect("forget new.txt", from: first, after: "rm new.txt")
    // This set is one that the store does not have yet.
    try expect("is now at c.txt: nothing to read", from: first, after: "mv a.txt c.txt")
    first.signal(SIGTERM)
    #expect(first.finish().status == 0)
    folder.shell("cd documents; mkdir sub; mv b.txt sub; echo more >> c.txt")
    let second = try start("FromOtherWatchers", documents, folder["state"])
    let lines = try second.lines { $0 == "read c.txt" }
    #expect(!lines.contains("forget everything") && !lines.contains("read b.txt"), "\(lines)")
    #expect(lines.contains { $0.hasSuffix("is now at sub/b.txt: nothing to read") }, "\(lines)")
  }

  @Test func theClassesOfOlderLibrariesWork() throws {
    folder.shell("cd documents; echo a > letter.txt")
    let older = try start("FromOlderLibraries", documents)
    try older.lines { $0.hasPrefix("Watching ") }
    try expect("added, and complete: \(documents)/new.txt", from: older, after: "echo a > new.txt")
    try older.lines { $0 == "nothing is being copied any more" }
    try expect("saved: letter.txt", from: older, after: "echo more >> letter.txt")
    try expect("renamed: letter.txt to ada.txt", from: older, after: "mv letter.txt ada.txt")
  }
}
