import FileTestSupport
import Testing

/// Outputs that do not take what is written.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct OutputStreamTests {
  private func run(_ redirection: String) throws -> ToolRun {
    let folder = try ScratchFolder()
    folder.shell("touch file")
    return Shell.run("cd \"$1\"; \"$0\" id --create file \(redirection)", Tool.path, folder.string)
  }

  @Test func aFullDiskIsAFailure() throws {
    let run = try run("> /dev/full")
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors))
  }

  @Test func aClosedOutputIsAFailure() throws {
    let run = try run(">&-")
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors))
  }

  @Test func aClosedPipeIsAQuietEnd() throws {
    let folder = try ScratchFolder()
    folder.shell("touch file")
    let script = "cd \"$1\"; exec 3> >(exec true); wait $!; \"$0\" id --create file >&3"
    let run = Shell.run(script, Tool.path, folder.string)
    #expect(run.status == 0)
    #expect(run.errors == "")
  }

  @Test func aClosedErrorStreamDoesNoHarm() throws {
    let folder = try ScratchFolder()
    #expect(Shell.run("\"$0\" id \"$1/missing\" 2>&-", Tool.path, folder.string).status == 1)
  }
}
