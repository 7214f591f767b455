import Glibc
import SystemPackage
import Testing

/// `swift run scan`, the tutorial: it must work as its reader expects.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct ExampleTests {
  @Test func itTellsTheScanAndWhatHappens() throws {
    let folder = try TemporaryFolder()
    folder.shell("touch letter.txt")
    // On a terminal every line shows at once; stdbuf has it so in a pipe too.
    let scan = try ToolProcess(
      executable: "/usr/bin/stdbuf", ["-oL", Tool.folder.appending("scan").string, folder.string])
    try scan.lines { $0.contains("Now change something") }
    folder.shell("mv letter.txt invoice.txt")
    #expect(try #require(scan.nextLine()).hasSuffix(" is now called invoice.txt"))
    scan.signal(SIGINT)
    #expect(scan.finish().status == 128 + SIGINT)
  }

  @Test func itSaysWhatIsWrong() throws {
    let scan = try ToolProcess(executable: Tool.folder.appending("scan").string, ["/nonexistent"])
    let end = scan.finish()
    #expect(end.status == 1)
    #expect(end.output.contains("/nonexistent"))
  }
}
