import FileTestSupport
import Glibc
import Testing

/// `watch --record`: when the recording is written, and what is said where it cannot be.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct RecordOptionTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir in; touch in/a")
  }

  private func watch(_ options: String...) throws -> ToolProcess {
    try Tool.start(["watch", folder["in"], "--format", "jsonl", "--record", folder["out.txt"]] + options)
  }

  private func awaitScan(_ tool: ToolProcess) throws {
    _ = try tool.lines { $0.contains("didCompleteFullScan") }
  }

  private func recording() -> String { Shell.run("cat \"$0\"", folder["out.txt"]).output }

  private func end(_ tool: ToolProcess, _ signal: Int32, _ location: SourceLocation = #_sourceLocation) {
    tool.signal(signal)
    let run = tool.finish()
    #expect(run.status == 0 && run.errors == "", "\(run.errors)", sourceLocation: location)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func itIsWrittenAtTheEnd(_ signal: Int32) throws {
    let tool = try watch()
    try awaitScan(tool)
    folder.shell("mv in/a in/b")
    #expect(try JSONLine(#require(tool.nextLine())).path == folder["in/b"])
    #expect(recording() == "")
    end(tool, signal)
    let text = recording()
    #expect(text.hasPrefix("recording version=1 ") && text.hasSuffix("\n"))
    // On a busy machine a full queue may have it found instead of reported.
    #expect(text.contains("decision what=moved") && text.contains(" name=b\n"), "\(text)")
    folder.shell("[ $(stat -c %a out.txt) = 600 ]")
  }

  @Test func itIsWrittenWhenTheRunEndsByItself() throws {
    let tool = try watch("--once")
    try awaitScan(tool)
    folder.shell("mv in/a in/b")
    #expect(tool.finish().status == 0)
    #expect(recording().contains("decision what=moved"))
    _ = try Tool.run("watch", folder["in"], "--record", folder["out.txt"], "--timeout", "0.5")
    #expect(recording().contains("step kind=start") && !recording().contains("decision what=moved"))
  }

  @Test func itIsWrittenOnRequestAndTheWatchGoesOn() throws {
    let tool = try watch()
    try awaitScan(tool)
    folder.shell("mv in/a in/b")
    #expect(try JSONLine(#require(tool.nextLine())).path == folder["in/b"])
    tool.signal(SIGUSR1)
    folder.shell("until grep -q 'decision what=moved' out.txt; do sleep 0.05; done")
    folder.shell("mv in/b in/c")
    #expect(try JSONLine(#require(tool.nextLine())).path == folder["in/c"])
    #expect(!recording().contains(" name=c\n"))
    end(tool, SIGINT)
    #expect(recording().contains(" name=c\n"))
  }

  @Test func severalFoldersAreRecordedOneAfterTheOther() throws {
    folder.shell("mkdir other; touch other/o")
    let tool = try watch(folder["other"])
    try awaitScan(tool)
    try awaitScan(tool)
    end(tool, SIGINT)
    let roots = recording().split(separator: "\n").filter { $0.hasPrefix("root ") }
    #expect(roots.map { $0.contains("/other ") } == [false, true])
  }

  @Test func namesAreHiddenOnRequest() throws {
    folder.shell("touch in/secret.txt")
    let tool = try watch("--hide-names")
    try awaitScan(tool)
    end(tool, SIGINT)
    #expect(!recording().contains("secret") && recording().contains(" names=hidden\n"))
  }

  /// Nothing is scanned or tagged then.
  @Test(arguments: ["missing/out.txt", "in"]) func aFileThatCannotBeWrittenIsAFailure(_ name: String) throws {
    let run = try Tool.run("watch", folder["in"], "--record", folder[name])
    #expect(run.status == 1 && run.output == "" && isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.errors.contains("cannot write the recording to \(folder[name]): "))
    #expect(run.errors.contains("; name a file that you may write"))
    folder.shell("! getfattr -R -n user.fsobserver.uuid in 2>/dev/null | grep -q uuid")
  }

  @Test func hidingNamesNeedsAFile() throws {
    let run = try Tool.run("watch", folder["in"], "--hide-names")
    #expect(run.status == 64 && isOneComplaint(run.errors) && run.errors.contains("--record"))
  }
}
