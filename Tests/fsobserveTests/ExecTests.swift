import FileTestSupport
import Glibc
import Testing

/// `watch --exec`: a command for each set of changes.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct ExecTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir in; touch in/a in/b")
  }

  private func watch(_ command: String, _ options: String...) throws -> ToolProcess {
    try Tool.start(["watch", folder["in"], "--exec", command] + options)
  }

  /// Whether the first scan is done: its tags are written then.
  private func awaitScan() {
    folder.shell("until getfattr -n user.fsobserver.uuid in/b >/dev/null 2>&1; do sleep 0.05; done; sleep 0.3")
  }

  @Test func theCommandGetsTheLinesAndTheVariables() throws {
    let tool = try watch(
      "echo \"$FSOBSERVE_ROOT $FSOBSERVE_SEQ $FSOBSERVE_COUNT ${FSOBSERVE_CURSOR:+cursor}\"; cat", "--once")
    awaitScan()
    folder.shell("mv in/a in/c")
    let run = tool.finish()
    #expect(run.status == 0 && run.errors == "")
    #expect(run.lines.first == "\(folder["in"]) 2 1 cursor")
    let line = try JSONLine(try #require(run.lines.last))
    #expect(line.kind == "renamed" && line.path == folder["in/c"] && run.lines.count == 2)
  }

  /// What happens while the command runs is handed over in one piece.
  @Test func oneRunsAtATime() throws {
    let tool = try watch("echo begin $FSOBSERVE_COUNT; until [ -e \(folder["go"]) ]; do sleep 0.05; done; echo end")
    awaitScan()
    folder.shell("mv in/a in/c")
    #expect(tool.nextLine() == "begin 1")
    folder.shell("mv in/b in/d; sleep 0.2; mv in/c in/e; sleep 0.2; mv in/d in/f; sleep 0.2; touch go")
    #expect(tool.nextLine() == "end")
    #expect(tool.nextLine() == "begin 3")
    #expect(tool.nextLine() == "end")
    tool.signal(SIGTERM)
    #expect(tool.finish().status == 0)
  }

  /// The signals that the tool waits for are not blocked in the command, nor is a closed pipe an error there.
  @Test func theCommandHasTheUsualSignals() throws {
    let tool = try watch("grep -E '^Sig(Blk|Ign)' /proc/self/status", "--once")
    awaitScan()
    folder.shell("mv in/a in/c")
    let run = tool.finish()
    #expect(run.lines.contains("SigBlk:\t0000000000000000"))
    let ignored = try #require(run.lines.first { $0.hasPrefix("SigIgn:") }?.suffix(16))
    #expect(UInt64(ignored, radix: 16).map { $0 & 1 << UInt64(SIGPIPE - 1) } == 0)
  }

  @Test func aCommandThatFailsIsNamed() throws {
    let tool = try watch("exit 3", "--once")
    awaitScan()
    folder.shell("mv in/a in/c")
    let run = tool.finish()
    #expect(run.status == 1)
    #expect(run.errors == "fsobserve: the command ended with status 3\n")
  }

  @Test func aCommandThatRunsIsEndedWithTheTool() throws {
    let tool = try watch("trap 'echo ended > \(folder["ended"]); exit' TERM; echo begin; while :; do sleep 0.1; done")
    awaitScan()
    folder.shell("mv in/a in/c")
    #expect(tool.nextLine() == "begin")
    tool.signal(SIGTERM)
    #expect(tool.waitForEnd() == 0)
    folder.shell("for i in $(seq 100); do [ -e ended ] && exit 0; sleep 0.1; done; exit 1")
  }
}
