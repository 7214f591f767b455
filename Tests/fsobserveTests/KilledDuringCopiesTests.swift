#if Store
import FileTestSupport
import Glibc
import ObservationTestSupport
import Testing

/// An observer is killed while a folder is copied: the copies are copies, and not new files, after the next start.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct KilledDuringCopiesTests {
  private static let count = 300

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir -p tree/in; for i in $(seq \(Self.count)); do echo file $i > tree/in/f$i; done")
  }

  /// - Parameter told: How many copies are told before the kill: their tags are being overwritten then.
  @Test(arguments: [1, 60, 250]) func eachCopyIsTold(told: Int) throws {
    var copies: Set<String> = []
    var tool = try start()
    _ = try tool.lines { $0.contains("didCompleteFullScan") }
    let copying = try ChildProcess(["cp", "-a", folder["tree/in"], folder["tree/copy"]])
    _ = try tool.lines { line in
      copies.formUnion(copy(in: line))
      return copies.count >= told
    }
    tool.signal(SIGKILL)
    for line in tool.finish().output.split(separator: "\n") { copies.formUnion(copy(in: String(line))) }
    #expect(copying.awaitEndOfOutput())

    tool = try start()
    let lines = try tool.lines { $0.contains("didCompleteFullScan") }
    tool.signal(SIGKILL)
    _ = tool.finish()
    // The store may have a set that the tool was about to write when it was killed; whoever asks for it gets it.
    let log = try Tool.run("log", folder["tree"], "--store", folder["store"], "--format", "jsonl")
    for line in lines + log.lines { copies.formUnion(copy(in: line)) }
    #expect(copies.count == Self.count)
    #expect(!lines.contains { $0.contains("\"discovered\"") && $0.contains("/copy/") })
  }

  private func start() throws -> ToolProcess {
    try Tool.start(["watch", folder["tree"], "--store", folder["store"], "--format", "jsonl"])
  }

  /// The path of the copied file that a line announces.
  private func copy(in line: String) -> [String] {
    guard let line = try? JSONLine(line), line.kind == "duplicated", line.path.contains("/copy/f") else { return [] }
    return [line.path]
  }
}
#endif
