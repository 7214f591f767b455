import FileTestSupport
import Foundation
import Glibc
import Testing

/// The replay of the lines in Documentation/CommandLine.md, as it stands there, gives what is on disk.
@Suite(.ownThreads, .timeLimit(.minutes(10)), .enabled(if: LineReplay.text != nil)) struct LineReplayTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell(
      """
      mkdir in; cd in; mkdir -p a/b/c d/e f g
      for i in . a a/b a/b/c d d/e f g; do echo $i > $i/1; echo > $i/2; done
      """)
  }

  @Test(arguments: ["auto", "inotify"]) func theLinesGiveWhatIsOnDisk(_ source: String) throws {
    let replay = try #require(LineReplay.text)
    try Data((replay + LineReplay.comparison).utf8).write(to: URL(filePath: folder["replay.py"]))
    try Data(LineReplay.operations.utf8).write(to: URL(filePath: folder["operate.py"]))
    let tool = try Tool.start(["watch", folder["in"], "--format", "jsonl", "--source", source])
    var lines = try tool.lines { $0.contains("didCompleteFullScan") }
    folder.shell("cd in; python3 ../operate.py")
    // What is in doubt when one file is told may be decided when the next is.
    var result = ToolRun(status: -1)
    for end in 1...10 {
      folder.shell("cd in; echo > end\(end)")
      lines += try tool.lines { $0.contains("\"copyFinished\"") && $0.contains("/end\(end)\"") }
      result = try compare(lines)
      if result.output.isEmpty { break }
    }
    tool.signal(SIGINT)
    lines += tool.finish().lines
    for result in [result, try compare(lines)] {
      #expect(result.output == "")
      #expect(result.errors == "" && result.status == 0)
    }
    #expect(lines.contains { $0.contains("\"moved\"") })
  }

  #if Store
  /// The folder itself is renamed between the runs, and what is in it, too; each run goes on from the one before.
  @Test func theLinesOfSeveralRunsGiveWhatIsOnDisk() throws {
    let replay = try #require(LineReplay.text)
    try Data((replay + LineReplay.comparison).utf8).write(to: URL(filePath: folder["replay.py"]))
    var lines: [String] = []
    var cursor: [String] = []
    func expectTruth(of name: String) throws {
      let options = ["--format", "jsonl", "--store", folder["store"]]
      let tool = try Tool.start(["watch", folder[name]] + options + cursor)
      var new = try tool.lines { $0.contains("didCompleteFullScan") }
      tool.signal(SIGINT)
      new += tool.finish().lines
      lines += new
      let known = try new.map(JSONLine.init).last { $0.text("cursor") != "" }?.text("cursor")
      if let known { cursor = ["--since", known] }
      let result = try compare(lines, with: name)
      #expect(result.output == "", "\(name)")
      #expect(result.errors == "" && result.status == 0, "\(name)")
    }
    try expectTruth(of: "in")
    folder.shell("mv in again; cd again; mv a f/new; rm d/1; cp -a d e")
    try expectTruth(of: "again")
    folder.shell("mkdir in; mv again in/again")
    try expectTruth(of: "in/again")
    folder.shell("mv in/again t; rmdir in; mv t in; cd in; mv f/new/b a; mv d in")
    try expectTruth(of: "in")
    #expect(lines.count { $0.contains("rootMoved") } == 3)
  }
  #endif

  /// Replays lines, and says what is different from what is on disk.
  private func compare(_ lines: [String], with name: String = "in") throws -> ToolRun {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: folder["lines"]))
    return Shell.run("python3 \"$0/replay.py\" \"$0/lines\" \"$0/\(name)\"", folder.string)
  }
}

private enum LineReplay {
  /// The Python of the page, where it can be run.
  static let text: String? = {
    let package = (1...3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    guard Shell.run("command -v python3").status == 0,
      let page = try? String(contentsOf: package.appending(path: "Documentation/CommandLine.md"), encoding: .utf8)
    else { return nil }
    return page.components(separatedBy: "```python\n").dropFirst().first?.components(separatedBy: "```").first
  }()

  /// Says what is different from what is on disk.
  static let comparison = """

    import os, sys
    tree, disk = replay(open(sys.argv[1])), {}
    for folder, folders, files in os.walk(sys.argv[2]):
        for path in (os.path.join(folder, name) for name in folders + files):
            try:
                disk[path] = os.getxattr(path, "user.fsobserver.uuid").decode()
            except OSError:
                disk[path] = tree.get(path)
    for path in sorted(set(tree) | set(disk)):
        if tree.get(path) != disk.get(path):
            print(path, "told:", tree.get(path), "on disk:", disk.get(path))
    """

  /// Documents and folders exchanged, rotated, turned inside out, moved into folders that are new, and out of folders
  /// that go.
  static let operations = """
    import ctypes, os, shutil, time
    libc = ctypes.CDLL(None, use_errno=True)

    def exchange(a, b):
        if libc.renameat2(-100, a.encode(), -100, b.encode(), 2) != 0:
            raise OSError(ctypes.get_errno(), a)

    def turn():
        exchange("a/1", "d/1")
        exchange("a", "d")
        os.rename("f", "t"); os.rename("g", "f"); os.rename("d", "g"); os.rename("t", "d")
        inner = next(name for name in sorted(os.listdir("g")) if os.path.isdir("g/" + name))
        os.rename("g/" + inner, "t"); os.rename("g", "t/" + inner + "x"); os.rename("t", "g")
        outer = "g/" + inner + "x"
        os.rename(outer, "t"); os.rename("g", "t/old"); os.rename("t", "g"); os.rename("g/old", "u")

    for round in range(8):
        turn()
        os.makedirs("new%d/in" % round)
        os.rename("u", "new%d/in/u" % round)
        os.rename("new%d" % round, "newer%d" % round)
        os.link("1", "newer%d/link" % round)
        os.rename("newer%d/in/u" % round, "a2")
        shutil.rmtree("newer%d/in" % round)
        exchange("a2", "a")
        os.rename("a2", "a/again%d" % round)
        os.rename("d", "a/d%d" % round); os.rename("a/d%d" % round, "t"); os.rename("t", "d")
        if round % 2: time.sleep(0.01)
    shutil.rmtree("newer0")
    """
}
