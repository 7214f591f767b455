import FileSystemObservation
import Foundation
import Glibc
import ObservationTestSupport
import SystemPackage
import Testing

/// A storm that the observing process sleeps through: the kernel's queue overflows, and one rescan makes up for it.
@Suite(.alone) struct StoppedProcessTests {
  /// One line of `fsobserve watch --format jsonl`.
  private struct Line: Decodable {
    var seq: UInt64?
    var kind: String
    var uuid: UUID?
    var path: String?
    var previousPath: String?
    var type: String?
  }

  private static let tool: String? = {
    guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
      return nil
    }
    let tool = URL(filePath: executable).deletingLastPathComponent().appending(path: "fsobserve").path
    return FileManager.default.isExecutableFile(atPath: tool) ? tool : nil
  }()

  @Test(.enabled(if: tool != nil, "fsobserve is not built"))
  func theFinalStateIsExactAndTheRescanIsTold() async throws {
    let folder = try TestFolder()
    let root = folder.watched
    // Never less than the kernel's queue can hold (fs.inotify.max_queued_events is 16,384 by default).
    let storm = Storm(files: max(10_000, Scale.of(20_000)), folders: 20)
    try storm.prepare(root)
    let tool = try ChildProcess([#require(Self.tool), "watch", "--format", "jsonl", root.path])
    _ = try await tool.awaitLine("the first scan", within: .seconds(120)) { $0.contains("\"didCompleteFullScan\"") }
    try await settle(tool, root)
    var before: [String: UUID] = [:]
    for file in storm.files { before[file.new] = try root.tag(file.old) }

    let mark = tool.lines.count
    tool.send(SIGSTOP)
    try storm.renameAll(in: root)
    for number in 0..<500 {
      try root.makeDirectories("new\(number)/sub")
      try root.write("new\(number)/sub/file.txt")
    }
    try root.rename("d0", "renamed")
    tool.send(SIGCONT)
    _ = try await tool.awaitLine("the rescan", from: mark) { $0.contains("\"willBeginFullScan\"") }
    _ = try await tool.awaitLine("its end", from: mark, within: .seconds(120)) {
      $0.contains("\"didCompleteFullScan\"")
    }
    try await settle(tool, root)

    let differences = try await differencesInTheEnd(tool, root)
    #expect(differences == [])
    let wrong = before.filter { entry in
      let name = entry.key.hasPrefix("d0/") ? "renamed\(entry.key.dropFirst(2))" : entry.key
      return (try? root.tag(name)) != entry.value
    }
    #expect(wrong.count == 0, "for instance \(wrong.prefix(3))")
    #expect(tool.end(SIGTERM) == 0)
  }

  /// As in the tests of the library: what happened before a file was made and removed has been told when that is told.
  private func settle(_ tool: ChildProcess, _ root: Folder) async throws {
    let mark = tool.lines.count
    try root.write("cookie")
    _ = try await tool.awaitLine("a file to be finished", from: mark) {
      $0.contains("copyFinished") && $0.contains("cookie")
    }
    try root.unlink("cookie")
    _ = try await tool.awaitLine("a file to be deleted", from: mark) { $0.contains("deleted") && $0.contains("cookie") }
  }

  private func differencesInTheEnd(_ tool: ChildProcess, _ root: Folder) async throws -> [String] {
    let deadline = Moment.now + .seconds(20)
    while true {
      let replay = try replay(tool.lines.elements, root)
      let differences = replay.contradictions + DiskInventory(of: root).differences(from: replay.items)
      if differences.isEmpty || Moment.now > deadline { return Array(differences.prefix(20)) }
      try await settle(tool, root)
    }
  }

  private func replay(_ lines: [String], _ root: Folder) throws -> Replay {
    var replay = Replay(root: root.path)
    var set: (UInt64, [Replay.Told])?
    for text in lines {
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      guard let kind = Change.Kind(rawValue: line.kind), let sequence = line.seq else { continue }
      if let (number, changes) = set, number != sequence {
        replay.apply(number, changes)
        set = nil
      }
      let told = Replay.Told(
        kind: kind, uuid: try #require(line.uuid), itemKind: line.type.flatMap(ItemKind.init) ?? .file,
        path: relative(try #require(line.path), root), previousPath: line.previousPath.map { relative($0, root) })
      set = (sequence, (set?.1 ?? []) + [told])
    }
    if let (number, changes) = set { replay.apply(number, changes) }
    return replay
  }

  private func relative(_ path: String, _ root: Folder) -> String { Replay.relative(FilePath(path), to: root.path) }
}
