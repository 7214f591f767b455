import Glibc
import ObservationTestSupport
import TestTraits
import Testing

/// Mounts below the observed folder, made in a mount namespace of their own.
@Suite(.light, .enabled(if: geteuid() == 0, "only root may mount"))
struct MountTests {
  /// Runs the tool in a new namespace, after one script, and another beside it when the test says so.
  private func watch(_ folder: TestFolder, _ command: [String], before: String, after: String) throws -> ChildProcess {
    let script = """
      set -e
      cd "\(folder.watched.path)"
      \(before)
      # What holds the output open must end with the tool, and everything with the folder.
      (until [ -e "$0/go" ]; do [ -d "$0" ] || exit; sleep 0.05; done; \(after)) >/dev/null 2>&1 &
      exec "$@"
      """
    return try ChildProcess(["unshare", "-m", "sh", "-c", script, folder.outside.path] + command)
  }

  private func command(_ folder: TestFolder) throws -> [String] {
    [try #require(WatchingProcess.tool), "watch", "--format", "jsonl", folder.watched.path]
  }

  private func awaitScan(_ tool: ChildProcess) async throws {
    _ = try await tool.awaitLine("the first scan", within: .seconds(90)) { $0.contains("\"didCompleteFullScan\"") }
  }

  /// Each mount has the source that it can have, and all are told of.
  @Test(.enabled(if: WatchingProcess.tool != nil, "fsobserve is not built"))
  func aTreeMayHaveMountsOfSeveralKinds() async throws {
    let folder = try TestFolder()
    for name in ["plain", "memory", "overlay", "lower", "upper", "work"] { try folder.watched.mkdir(name) }
    let names = ["plain", "memory", "overlay"]
    let tool = try watch(
      folder, command(folder),
      before: """
        mount -t tmpfs none memory
        mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work none overlay
        for name in \(names.joined(separator: " ")); do echo x > $name/old; done
        """,
      after: "for name in \(names.joined(separator: " ")); do mv $name/old $name/new; done")
    try await awaitScan(tool)
    try folder.outside.write("go")
    for name in names {
      _ = try await tool.awaitLine("a rename in \(name)", within: .seconds(90)) {
        $0.contains("\"renamed\"") && $0.contains("/\(name)/new")
      }
    }
  }

  /// What is below the mount is gone, and what is mounted is there; and the other way round when it is unmounted.
  @Test(
    .enabled(if: WatchingProcess.tool != nil, "fsobserve is not built"), arguments: TestSource.toTest,
    ["covered", "f/g/covered"])
  func aFolderIsCovered(_ source: TestSource, _ name: String) async throws {
    let folder = try TestFolder()
    try folder.watched.makeDirectories(name)
    try folder.watched.write("\(name)/below")
    let tool = try watch(
      folder, source.command(command(folder)), before: "",
      after: """
        mount -t tmpfs none \(name); echo x > \(name)/above
        until [ -e "$0/back" ]; do [ -d "$0" ] || exit; sleep 0.05; done; umount -l \(name)
        """)
    try await awaitScan(tool)
    try folder.outside.write("go")
    let below = try await tell(tool, of: "below", gone: true, from: 0)
    let above = try await tell(tool, of: "above", gone: false, from: 0)
    try folder.outside.write("back")
    _ = try await tell(tool, of: "above", gone: true, from: above)
    _ = try await tell(tool, of: "below", gone: false, from: below)
  }

  @Test(.enabled(if: WatchingProcess.tool != nil, "fsobserve is not built"))
  func aHiddenFolderIsCovered() async throws {
    let folder = try TestFolder()
    for name in [".hidden", "covered"] { try folder.watched.mkdir(name) }
    let tool = try watch(
      folder, command(folder), before: "",
      after: "for name in .hidden covered; do mount -t tmpfs none $name; echo x > $name/above; done")
    try await awaitScan(tool)
    try folder.outside.write("go")
    _ = try await tell(tool, of: "above", gone: false, from: 0)
    #expect(!tool.lines.elements.contains { $0.contains(".hidden") })
  }

  /// Awaits that a file came or went; gives the number of the line that follows.
  private func tell(_ tool: ChildProcess, of name: String, gone: Bool, from start: Int) async throws -> Int {
    let kind = gone ? "\"deleted\"" : "\"discovered\""
    return try await tool.awaitLine("\(name) \(kind)", from: start, within: .seconds(90)) {
      $0.contains(kind) && $0.contains("/covered/\(name)\"")
    } + 1
  }

  /// What was below is gone, and what is below the mount is there again.
  @Test(.enabled(if: WatchingProcess.tool != nil, "fsobserve is not built"), arguments: TestSource.toTest)
  func aFileSystemIsUnmounted(_ source: TestSource) async throws {
    let folder = try TestFolder()
    try folder.watched.mkdir("mounted")
    try folder.watched.write("mounted/below")
    let tool = try watch(
      folder, source.command(command(folder)), before: "mount -t tmpfs none mounted; echo x > mounted/above",
      after: "umount \(source == .inotify ? "" : "-l") mounted")
    try await awaitScan(tool)
    #expect(tool.lines.elements.contains { $0.contains("/mounted/above") })
    try folder.outside.write("go")
    _ = try await tool.awaitLine("what was mounted", within: .seconds(90)) {
      $0.contains("\"deleted\"") && $0.contains("/mounted/above")
    }
    _ = try await tool.awaitLine("what is below", within: .seconds(90)) {
      $0.contains("\"discovered\"") && $0.contains("/mounted/below")
    }
  }
}
