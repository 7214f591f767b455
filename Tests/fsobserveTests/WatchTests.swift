import FileTestSupport
import Glibc
import SystemPackage
import Testing

/// `watch`: what it says of what happens, and how it ends.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct WatchTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir in out")
  }

  private func watch(_ options: String..., packets: Bool = false) throws -> ToolProcess {
    try Tool.start(["watch", folder["in"], "--format", "jsonl"] + options, packets: packets)
  }

  /// Takes the lines of the first scan.
  private func awaitScan(_ tool: ToolProcess) throws -> [JSONLine] {
    try tool.lines { $0.contains("didCompleteFullScan") }.map(JSONLine.init)
  }

  /// A session, step by step: each line is awaited before the next thing happens.
  @Test func aSessionIsToldLineByLine() throws {
    folder.shell("echo one > in/a; mkdir in/sub")
    let tool = try watch()
    var lines = try tool.lines { $0.contains("didCompleteFullScan") }
    func step(_ script: String, _ kind: String, _ name: String) throws {
      folder.shell(script)
      lines += try tool.lines { $0.contains("\"\(kind)\"") && $0.contains("/\(name)\"") }
    }
    try step("mv in/a in/b", "renamed", "b")
    try step("mv in/b in/sub/c", "moved", "sub/c")
    try step("cp -a in/sub/c in/d", "copyFinished", "d")
    try step("ln in/d in/e", "linked", "e")
    try step("rm in/e", "unlinked", "e")
    try step("echo more >> in/d", "modified", "d")
    try step("rm in/d", "deleted", "d")
    try step("mv in/sub out/", "deleted", "sub")
    try step("mv out/sub in/again", "copyFinished", "again/c")
    tool.signal(SIGINT)
    let end = tool.finish()
    #expect(end.status == 0)
    #expect(end.errors == "")
    // The scan lists in no particular order.
    lines[1...2].sort { $0.contains("/a\"") && !$1.contains("/a\"") }
    var normalized = Normalizer(folder)
    #expect((lines + end.lines).map { normalized($0) } == Self.session)
  }

  private static let session = [
    #"{"seq":0,"kind":"willBeginFullScan","reason":"start","format":1}"#,
    #"{"seq":1,"kind":"discovered","uuid":"U1","path":"/T/in/a","type":"file","isCopying":false}"#,
    #"{"seq":1,"kind":"discovered","uuid":"U2","path":"/T/in/sub","type":"directory","isCopying":false}"#,
    #"{"seq":1,"kind":"didCompleteFullScan","items":2,"seconds":0}"#,
    #"{"seq":2,"kind":"renamed","uuid":"U1","path":"/T/in/b","previousPath":"/T/in/a","type":"file"}"#,
    #"{"seq":3,"kind":"moved","uuid":"U1","path":"/T/in/sub/c","previousPath":"/T/in/b","type":"file"}"#,
    #"{"seq":4,"kind":"duplicated","uuid":"U3","path":"/T/in/d","type":"file","#
      + #""originalUUID":"U1","originalPath":"/T/in/sub/c"}"#,
    #"{"seq":4,"kind":"copyFinished","uuid":"U3","path":"/T/in/d","type":"file"}"#,
    #"{"seq":5,"kind":"linked","uuid":"U3","path":"/T/in/e","type":"file"}"#,
    #"{"seq":6,"kind":"unlinked","uuid":"U3","path":"/T/in/e","type":"file"}"#,
    #"{"seq":7,"kind":"modified","uuid":"U3","path":"/T/in/d","type":"file"}"#,
    #"{"seq":8,"kind":"deleted","uuid":"U3","path":"/T/in/d","type":"file","reason":"removed"}"#,
    #"{"seq":9,"kind":"deleted","uuid":"U1","path":"/T/in/sub/c","type":"file","reason":"movedOut"}"#,
    #"{"seq":9,"kind":"deleted","uuid":"U2","path":"/T/in/sub","type":"directory","reason":"movedOut"}"#,
    #"{"seq":10,"kind":"discovered","uuid":"U2","path":"/T/in/again","type":"directory","isCopying":false,"#
      + #""reason":"returned"}"#,
    #"{"seq":11,"kind":"discovered","uuid":"U1","path":"/T/in/again/c","type":"file","isCopying":false,"#
      + #""reason":"returned"}"#,
    #"{"seq":11,"kind":"copyFinished","uuid":"U1","path":"/T/in/again/c","type":"file"}"#,
  ]

  /// A pipe of packets keeps what one `write(2)` wrote together: a reader never gets half a change set.
  @Test func aChangeSetIsWrittenAtOnce() throws {
    folder.shell("touch in/{1..9}")
    let tool = try watch(packets: true)
    let scan = (1...3).map { _ in String(decoding: tool.nextPacket(), as: UTF8.self) }
    #expect(scan[0].hasPrefix("{\"seq\":0,\"kind\":\"willBeginFullScan\"") && scan[0].hasSuffix("}\n"))
    #expect(scan[1].split(separator: "\n").count == 9 && scan[1].hasSuffix("}\n"))
    #expect(scan[2].hasPrefix("{\"seq\":1,\"kind\":\"didCompleteFullScan\"") && scan[2].hasSuffix("}\n"))
    folder.shell("mv in/1 in/one")
    #expect(String(decoding: tool.nextPacket(), as: UTF8.self).contains("\"renamed\""))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsItCleanly(_ signal: Int32) throws {
    folder.shell("touch in/a")
    let tool = try watch()
    _ = try awaitScan(tool)
    // timeout(1) sends it twice.
    tool.signal(signal)
    tool.signal(signal)
    let end = tool.finish()
    #expect(end.status == 0)
    #expect(end.errors == "" && end.output == "")
  }

  @Test func aReaderThatGoesAwayEndsItQuietly() throws {
    folder.shell("touch in/a")
    let tool = try watch()
    _ = try awaitScan(tool)
    // Nothing happens in the folder: the tool must notice by itself.
    tool.closeOutput()
    let end = tool.finish()
    #expect(end.status == 0)
    #expect(end.errors == "")
  }

  /// Nobody reads and nobody closes: a signal must end it all the same, and what is lost must not look like success.
  @Test func aReaderThatSleepsDoesNotKeepItForEver() throws {
    folder.shell("touch in/name-{1..1500}")
    let tool = try watch()
    // The scan begins, and what it has found is being told: all of that is lost.
    for _ in 0..<2 { _ = tool.nextLine() }
    tool.signal(SIGTERM)
    #expect(tool.waitForEnd() == 1)
    #expect(isOneComplaint(tool.finish().errors))
  }

  @Test func theLossOfTheFolderIsAFailure() throws {
    folder.shell("touch in/a")
    let tool = try watch()
    _ = try awaitScan(tool)
    folder.shell("rm -r in")
    let end = tool.finish()
    #expect(end.status == 1)
    #expect(isOneComplaint(end.errors))
    let diagnostics = try end.lines.map(JSONLine.init).filter { $0.kind == "diagnostic" }
    #expect(diagnostics.map(\.path) == [folder["in"]])
    #expect(end.errors == "fsobserve: \(diagnostics.first?.text("message") ?? "")\n")
  }

  @Test func optionsChooseWhatIsObserved() throws {
    folder.shell(
      "mkdir -p in/deep/deeper/deepest in/.dot in/build; touch in/{a.c,a.o,.b,.dot/x,build/x,deep/{x,y},deep/deeper/z}")
    func paths(_ options: String...) throws -> [String] {
      let tool = try Tool.start(["watch", folder["in"], "--format", "jsonl"] + options)
      let lines = try awaitScan(tool).filter { $0.kind == "discovered" }
      return lines.map { String($0.path.dropFirst(folder["in"].count + 1)) }.sorted()
    }
    #expect(try paths("--levels", "0") == ["a.c", "a.o", "build", "deep"])
    #expect(
      try paths("--levels=1", "--exclude", "*.o", "--exclude", "build", "--exclude", "deep/x")
        == ["a.c", "deep", "deep/deeper", "deep/y"])
    #expect(try paths("--hidden", "--levels=1", "--exclude=[!.]*") == [".b", ".dot"])
  }

  @Test func namesAndFoldersThatAreNotTextComeAsBytes() throws {
    folder.shell("mkdir $'in/caf\\xe9'; touch $'in/caf\\xe9/\\xff\\n'")
    let raw = Array(folder["in/caf"].utf8) + [0xe9]
    let tool = try Tool.start(["watch", "--format", "jsonl"], raw: [raw])
    let scan = try awaitScan(tool)
    #expect(scan.filter { $0.kind == "discovered" }.map(\.pathBytes) == [raw + [0x2f, 0xff, 0x0a]])
    folder.shell("mv $'in/caf\\xe9/\\xff\\n' $'in/caf\\xe9/plain'")
    let renamed = try JSONLine(#require(tool.nextLine()))
    #expect(renamed.kind == "renamed" && renamed.pathBytes == raw + Array("/plain".utf8))
    #expect(renamed.members["previousPathBase64"] != nil)
  }

  @Test func aRelativeFolderIsToldAbsolutely() throws {
    folder.shell("touch in/a; ln -s in/../out link; touch out/b")
    let run = Shell.run("cd \"$1/in\" && \"$0\" scan . && \"$0\" scan ../link/../in", Tool.path, folder.string)
    #expect(run.status == 0)
    #expect(run.lines.count { $0.hasSuffix("  \(folder["in/a"])") } == 2)
  }

  @Test func textSaysTheSameForPeople() throws {
    folder.shell("touch in/a")
    let tool = try Tool.start(["watch", folder["in"]])
    try tool.lines { $0.hasPrefix("scan complete: 1 items in ") }
    folder.shell("mv in/a $'in/b\\n'")
    let line = try #require(tool.nextLine())
    #expect(line.hasPrefix("renamed       ") && line.hasSuffix(#"  \#(folder[#"in/b\n"#])  (was \#(folder["in/a"]))"#))
  }
}
