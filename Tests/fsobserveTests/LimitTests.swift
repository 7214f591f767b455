import FileTestSupport
import FoundationEssentials
import Glibc
import Testing

/// Real limits, lowered in a user namespace of the test's own: the tree stays fully observed, and one message says what
/// to do.
@Suite(
  .ownThreads, .timeLimit(.minutes(10)),
  .enabled(if: Namespace.isPermitted, "user namespaces are not permitted here"))
struct LimitTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir in; for i in $(seq 30); do mkdir in/d$i; echo $i > in/d$i/f; done")
  }

  /// One line of what is told, awaited.
  private func expect(_ tool: ToolProcess, _ kind: String, _ name: String, after script: String) throws {
    folder.shell(script)
    _ = try tool.lines { $0.contains("\"\(kind)\"") && $0.contains("/in/\(name)\"") }
  }

  private func expectAllIsSeen(_ tool: ToolProcess) throws {
    try expect(tool, "moved", "d27/g", after: "mv in/d3/f in/d27/g")
    try expect(tool, "moved", "d13/d12", after: "mv in/d12 in/d13/")
    try expect(tool, "moved", "d5/h", after: "mv in/d13/d12/f in/d5/h")
    for number in [1, 2, 15, 29, 30] {
      try expect(tool, "modified", "d\(number)/f", after: "echo more >> in/d\(number)/f")
      try expect(tool, "copyFinished", "d\(number)/new", after: "echo new > in/d\(number)/new")
    }
    try expect(tool, "deleted", "d30/f", after: "rm in/d30/f")
  }

  private func end(_ tool: ToolProcess, saying setting: String, _ command: String) {
    tool.signal(SIGTERM)
    let run = tool.finish()
    #expect(run.status == 0)
    let lines = run.errors.split(separator: "\n")
    #expect(Set(lines).count == lines.count, "each limit is complained of once: \(run.errors)")
    let complaints = Self.complaints(of: run)
    #expect(isOneComplaint(complaints), "\(run.errors)")
    #expect(complaints.contains(setting) && complaints.contains(command), "\(run.errors)")
  }

  /// What the tool says, without what it says of the limits of the machine: other tests of this user, some hundred of
  /// which run beside, may have used up the groups or instances outside of the namespace.
  private static func complaints(of run: ToolRun) -> String {
    let ofMachine = ["(fs.fanotify.max_user_groups is ", "(fs.inotify.max_user_instances is "]
    return run.errors.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { line in !ofMachine.contains { line.contains($0) } }
      .joined(separator: "\n")
  }

  @Test(arguments: [
    LoweredLimit(source: "inotify", setting: "max_inotify_watches", value: 10, mark: "inotify wd:"),
    LoweredLimit(source: "inotify", setting: "max_inotify_instances", value: 0, mark: "inotify wd:"),
    LoweredLimit(source: "fanotify", setting: "max_fanotify_marks", value: 10, mark: "fanotify ino:"),
    LoweredLimit(source: "fanotify", setting: "max_fanotify_groups", value: 0, mark: "fanotify ino:"),
  ])
  func whatIsBeyondALimitIsPolledUntilThereIsRoom(_ limit: LoweredLimit) throws {
    let tool = try Namespace.start(
      ["watch", folder["in"], "--format", "jsonl", "--source", limit.source], limits: [limit.setting], limit.value,
      raisedAt: folder["raise"])
    _ = try tool.lines { $0.contains("didCompleteFullScan") }
    #expect(Self.marks(of: tool, limit.mark) <= limit.value)
    try expectAllIsSeen(tool)
    folder.shell("touch raise")
    let deadline = ContinuousClock.now + .seconds(300)
    while Self.marks(of: tool, limit.mark) < 31, ContinuousClock.now < deadline {
      // Something to look at, so that it is looked at soon; and a line that tells when that was done.
      try expect(tool, "modified", "d1/f", after: "echo more >> in/d1/f")
    }
    #expect(Self.marks(of: tool, limit.mark) >= 31, "as soon as there is room, all folders are marked")
    try expect(tool, "moved", "d8/back", after: "mv in/d27/g in/d8/back")
    end(tool, saying: "user.\(limit.setting) is \(limit.value)", "sudo sysctl user.\(limit.setting)=1024")
  }

  /// Marks in the tables of the kernel.
  private static func marks(of tool: ToolProcess, _ prefix: String) -> Int {
    let run = Shell.run("cat /proc/$0/fdinfo/* | grep -c '^\(prefix)'", "\(tool.identifier)")
    return Int(run.output.split(separator: "\n").first ?? "") ?? 0
  }

  /// What is inherited from the process of the tests is closed: that counts, too.
  private static let withFewDescriptors = """
    for file in /proc/$$/fd/*; do number=${file##*/}; [ $number -le 2 ] || eval "exec $number>&-"; done
    ulimit -n 24
    exec "$0" watch "$1" --format jsonl --source inotify
    """

  @Test func fewDescriptorsAreEnough() throws {
    folder.shell("p=in/deep; for i in $(seq 60); do p=$p/x; mkdir -p $p/side; echo $i > $p/f; done")
    let tool = try ToolProcess(
      executable: "/bin/bash",
      ["-c", Self.withFewDescriptors, Tool.path, folder["in"]])
    let deep = "deep" + String(repeating: "/x", count: 60)
    _ = try tool.lines { $0.contains("didCompleteFullScan") }
    try expect(tool, "copyFinished", "last", after: "echo last > in/last")
    try expect(tool, "moved", "last2", after: "mv in/\(deep)/f in/last2")
    tool.signal(SIGTERM)
    let run = tool.finish()
    #expect(run.status == 0)
    let complaints = run.errors.split(separator: "\n")
    #expect(complaints.count <= 1 && complaints.allSatisfy { $0.contains("ulimit -n") }, "\(run.errors)")
  }

  @Test func theDoctorSaysWhatIsTooLow() throws {
    let tool = try Namespace.start(
      ["doctor", folder["in"], "--format", "json"], limits: ["max_fanotify_marks", "max_inotify_watches"], 10,
      raisedAt: folder["raise"])
    let run = tool.finish()
    #expect(run.status == 1)
    let line = try #require(run.lines.first)
    let report = try JSONLine(line)
    // inotify, if the other tests of this user have all the fanotify groups.
    let usesFanotify = line.contains("\"source\":\"fanotify\"")
    let name = usesFanotify ? "fanotifyMarks" : "inotifyWatches"
    let setting = usesFanotify ? "max_fanotify_marks" : "max_inotify_watches"
    let marks = try #require(report.limits.first { $0["name"] as? String == name }, "\(line)")
    #expect(marks["value"] as? Int == 10 && marks["needed"] as? Int == 31 && marks["enough"] as? Bool == false)
    #expect((marks["command"] as? String)?.hasPrefix("sudo sysctl user.\(setting)=") == true)
    #expect(report.members["needsAttention"] as? Bool == true)
  }
}

/// A limit of a source, and how low it is.
struct LoweredLimit: Sendable, CustomTestStringConvertible {
  let source: String
  let setting: String
  let value: Int
  /// How a mark begins in `/proc/PID/fdinfo`.
  let mark: String

  var testDescription: String { "\(setting) \(value)" }
}

/// User namespaces, in which anybody may lower limits.
enum Namespace {
  static let isPermitted = Shell.run("unshare -Ur sh -c 'echo 1 > /proc/sys/user/max_inotify_watches'").status == 0

  /// Starts the tool with limits that are raised as soon as a file is there.
  static func start(
    _ arguments: [String], limits: [String], _ value: Int, raisedAt file: String
  ) throws -> ToolProcess {
    let settings = limits.map { "/proc/sys/user/\($0)" }.joined(separator: " ")
    let script = """
      set_limits() { for setting in \(settings); do echo "$1" > "$setting"; done; }
      set_limits \(value)
      (until [ -e "$0" ]; do kill -0 $$ || exit; sleep 0.1; done; set_limits 100000) >/dev/null 2>&1 &
      exec "$@"
      """
    return try ToolProcess(
      executable: "/usr/bin/unshare", ["-Ur", "bash", "-c", script, file, Tool.path] + arguments)
  }
}
