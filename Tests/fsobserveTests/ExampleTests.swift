import FileTestSupport
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import Testing

/// `swift run scan`, the tutorial: it must work as its reader expects.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct ExampleTests {
  @Test func itTellsTheScanAndWhatHappens() throws {
    let folder = try ScratchFolder()
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

  @Test func linksBetweenNotesSurviveRenames() async throws {
    let folder = try ScratchFolder()
    folder.shell(
      "mkdir plans && echo '[a plan](plans/one.md), [a list](list.md)' > index.md && touch plans/one.md list.md")
    let keeper = try ToolProcess(
      executable: "/usr/bin/stdbuf", ["-oL", Tool.folder.appending("LinkKeeper").string, folder.string])
    try keeper.lines { $0.contains("of 1 notes") }
    folder.shell("mv list.md shopping.md; mv plans projects")
    let isMended = try await comesTrue {
      let text = try String(contentsOf: URL(filePath: folder.string + "/index.md"), encoding: .utf8)
      return text == "[a plan](projects/one.md), [a list](shopping.md)\n"
    }
    #expect(isMended)
    keeper.signal(SIGINT)
    #expect(keeper.finish().status == 128 + SIGINT)
  }
}
