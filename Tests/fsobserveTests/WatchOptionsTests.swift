import FileTestSupport
import Glibc
import Testing

/// Options of `watch` and `scan` that say what is told, and how long.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct WatchOptionsTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir in other")
  }

  private func watch(_ options: [String], packets: Bool = false) throws -> ToolProcess {
    try Tool.start(["watch", "--format", "jsonl"] + options, packets: packets)
  }

  private func awaitScan(_ tool: ToolProcess) throws -> [JSONLine] {
    try tool.lines { $0.contains("didCompleteFullScan") }.map(JSONLine.init)
  }

  private func end(_ tool: ToolProcess, _ location: SourceLocation = #_sourceLocation) {
    tool.signal(SIGTERM)
    let run = tool.finish()
    #expect(run.status == 0 && run.errors == "", "\(run.errors)", sourceLocation: location)
  }

  // MARK: - What every line has

  @Test func theFirstLineHasTheVersionAndEachLineTheTime() throws {
    folder.shell("touch in/a in/b")
    let tool = try watch([folder["in"]])
    let lines = try awaitScan(tool)
    #expect(lines.map { $0.members["format"] as? Int } == [1, nil, nil, nil])
    #expect(lines.first?.text("reason") == "start")
    let now = Double(time(nil))
    #expect(lines.allSatisfy { abs(($0.members["time"] as? Double ?? 0) - now) < 600 })
    #expect(lines.map { $0.members["cursor"] != nil } == [false, false, true, false])
    folder.shell("mv in/a in/c")
    #expect(try JSONLine(#require(tool.nextLine())).text("cursor").hasSuffix("-2"))
    end(tool)
    let scan = try Tool.run("scan", folder["in"], "--format", "jsonl").lines.map(JSONLine.init)
    #expect(scan.map { $0.members["format"] as? Int } == [1, nil, nil])
    #expect(scan.allSatisfy { $0.members["time"] == nil && $0.members["cursor"] == nil })
  }

  // MARK: - Several folders, and single files

  @Test func severalFoldersAreToldApart() throws {
    folder.shell("touch in/a other/b")
    let tool = try watch([folder["in"], folder["other"]])
    let lines = try awaitScan(tool) + awaitScan(tool)
    #expect(Set(lines.map { $0.text("root") }) == [folder["in"], folder["other"]])
    #expect(lines.filter { $0.members["format"] != nil }.count == 1)
    folder.shell("mv other/b other/c")
    let renamed = try JSONLine(#require(tool.nextLine()))
    #expect(renamed.text("root") == folder["other"] && renamed.number("seq") == 2)
    folder.shell("mv in/a in/d")
    #expect(try JSONLine(#require(tool.nextLine())).text("root") == folder["in"])
    end(tool)
  }

  @Test func severalFoldersAreListedOneAfterTheOther() throws {
    folder.shell("touch in/a other/b")
    let run = try Tool.run("scan", folder["other"], folder["in"], "--format", "jsonl", "--relative")
    let lines = try run.lines.map(JSONLine.init)
    #expect(lines.map { $0.text("root") } == ["other", "other", "in", "in"].map { folder[$0] })
    #expect(lines.map(\.path) == ["b", "", "a", ""])
    let text = try Tool.run("scan", folder["other"], folder["in"], "--relative").lines
    #expect(text.first?.hasSuffix("  b  (in \(folder["other"]))") == true)
  }

  /// A word too many is no reason to tag a folder.
  @Test(arguments: ["scan", "watch"]) func nothingIsTaggedWhereAFolderIsMissing(_ command: String) throws {
    folder.shell("touch in/a")
    let run = try Tool.run(command, folder["in"], folder["missing"])
    #expect(run.status == 1 && run.output == "" && isOneComplaint(run.errors) && run.errors.contains("missing"))
    folder.shell("! getfattr -R -n user.fsobserver.uuid in 2>/dev/null | grep -q uuid")
  }

  @Test func ofAFileOnlyThatIsTold() throws {
    folder.shell("mkdir in/sub; touch in/.a in/b in/sub/c; ln -s in/.a link")
    for path in ["in/.a", "link"] {
      let tool = try watch([folder[path]])
      let lines = try awaitScan(tool)
      #expect(lines.dropFirst().first?.path == folder["in/.a"] && lines.count == 3)
      folder.shell("echo 1 >> in/b; mv in/b in/d; mv in/d in/b; mv in/.a in/.e")
      #expect(try JSONLine(#require(tool.nextLine())).path == folder["in/.e"])
      folder.shell("mv in/.e in/.a")
      #expect(try JSONLine(#require(tool.nextLine())).path == folder["in/.a"])
      folder.shell("echo new > in/new; mv in/new in/.a")
      let next = try JSONLine(try #require(try tool.lines { $0.contains("\"modified\"") }.last))
      #expect(next.path == folder["in/.a"])
      end(tool)
    }
  }

  // MARK: - How it is told

  @Test func pathsBelowTheFolder() throws {
    folder.shell("mkdir in/sub; touch in/sub/a")
    let tool = try watch([folder["in"], "--relative"])
    #expect(try awaitScan(tool).compactMap { $0.members["path"] as? String }.sorted() == ["sub", "sub/a"])
    folder.shell("mv in/sub/a in/b; cp -a in/b in/copy")
    let moved = try JSONLine(#require(tool.nextLine()))
    #expect(moved.path == "b" && moved.text("previousPath") == "sub/a")
    let copy = try JSONLine(try #require(try tool.lines { $0.contains("\"duplicated\"") }.last))
    #expect(copy.path == "copy" && copy.text("originalPath") == "b")
    end(tool)
    #expect(try Tool.run("scan", folder["in"], "--relative").lines.first?.hasSuffix("  b") == true)
  }

  @Test func linesThatEndInNUL() throws {
    folder.shell("touch $'in/a\\n\\\\\\xe9'")
    for options in [["--null"], ["-0", "--relative"]] {
      let run = try Tool.start(["scan", folder["in"]] + options).finish()
      let first = run.outputBytes.split(separator: 0).first ?? []
      #expect(first.suffix(4) == [UInt8(ascii: "a"), 0x0a, UInt8(ascii: "\\"), 0xe9])
      #expect(run.outputBytes.last == 0 && run.outputBytes.count { $0 == 0x0a } == 1)
    }
  }

  @Test func whatFollowsAFolderIsToldWhereItIsAskedFor() throws {
    folder.shell("mkdir -p in/x/y; touch in/x/y/a in/x/b")
    let tool = try watch([folder["in"], "--moved-contents"])
    let known = try awaitScan(tool)
    folder.shell("mv in/x in/z")
    let lines = try (1...4).map { _ in try JSONLine(#require(tool.nextLine())) }
    #expect(lines[0].kind == "renamed" && lines[0].members["with"] == nil)
    #expect(lines.dropFirst().allSatisfy { $0.kind == "moved" && $0.text("with") == lines[0].uuid })
    #expect(Set(lines.map(\.path)) == Set(["in/z", "in/z/y", "in/z/y/a", "in/z/b"].map { folder[$0] }))
    #expect(Set(lines.map { $0.text("previousPath") }) == Set(known.map(\.path).filter { !$0.isEmpty }))
    #expect(lines.map { $0.members["cursor"] != nil } == [false, false, false, true])
    end(tool)
  }

  // MARK: - How long

  @Test func onceEndsAfterTheFirstChange() throws {
    folder.shell("touch in/a")
    let tool = try watch([folder["in"], "--once"])
    _ = try awaitScan(tool)
    folder.shell("mv in/a in/b")
    let run = tool.finish()
    #expect(run.status == 0 && run.errors == "")
    #expect(run.lines.count == 1 && run.output.contains("\"renamed\""))
  }

  @Test(arguments: [([], 0), (["--once"], 124)] as [([String], Int32)])
  func aTimeoutEndsIt(_ options: [String], _ status: Int32) throws {
    folder.shell("touch in/a")
    let run = try Tool.start(["watch", folder["in"], "--timeout", "1.5"] + options).finish()
    #expect(run.status == status && run.errors == "")
    #expect(run.output.contains("scan complete: 1 items"))
  }

  @Test func aFolderIsWaitedFor() throws {
    let tool = try watch([folder["later"], folder["in"], "--wait-for-root"])
    #expect(try awaitScan(tool).allSatisfy { $0.text("root") == folder["in"] })
    folder.shell("mkdir later; touch later/a")
    #expect(try awaitScan(tool).contains { $0.text("root") == folder["later"] })
    folder.shell("mv later/a later/b")
    #expect(try tool.lines { $0.contains("\"renamed\"") }.count == 1)
    // Lost, and there again: the same folder.
    folder.shell("mv later elsewhere")
    let lost = try JSONLine(try #require(try tool.lines { $0.contains("\"diagnostic\"") }.last))
    #expect(lost.text("code") == "rootLost")
    folder.shell("mv elsewhere later")
    _ = try tool.lines { $0.contains("\"rootReturned\"") }
    tool.signal(SIGTERM)
    let run = tool.finish()
    #expect(run.status == 0 && isOneComplaint(run.errors))
  }

  @Test func aWaitForAFolderEnds() throws {
    let run = try Tool.run("watch", folder["never"], "--wait-for-root", "--timeout", "1.2", "--once")
    #expect(run.status == 124 && run.output == "" && run.errors == "")
    let tool = try watch([folder["never"], "--wait-for-root"])
    usleep(300_000)
    end(tool)
  }

  @Test func aScanThatGoesOnIsToldInPlainLines() throws {
    let run = try Tool.run("watch", folder["in"], "--progress", "--timeout", "0.5")
    #expect(run.status == 0 && !run.errors.contains("\u{1b}"))
  }
}
