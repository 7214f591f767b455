internal import FileIdentity
internal import FileSystemObservation
package import FoundationEssentials
internal import Glibc
internal import LinuxFileSystem
internal import SystemPackage

/// `fsobserve watch` in a process of its own, and its output.
package final class WatchingProcess: Sendable {
  /// One line of `--format jsonl`.
  private struct Line: Decodable {
    var seq: UInt64?
    var kind: String
    var uuid: UUID?
    var path: String?
    var previousPath: String?
    var type: String?
  }

  /// The output so far.
  private struct Output {
    var replay: Replay
    /// The number of lines that were read.
    var lines = 0
    /// The last change set, which may be incomplete.
    var set: (number: UInt64, steps: [TreeStep])?

    mutating func take(_ number: UInt64, _ step: TreeStep) {
      if let complete = set, complete.number != number { applySet() }
      if set == nil { set = (number, []) }
      // In place: a set may have tens of thousands.
      set?.steps.append(step)
    }

    mutating func applySet() {
      if let set { replay.apply(set.number, set.steps) }
      set = nil
    }
  }

  package let process: ChildProcess
  private let root: Folder
  private let output: Mutex<Output>

  /// The tool that `FSO_TOOL` names, or the one that was built with the tests.
  package static let tool: String? = {
    if let named = Environment["FSO_TOOL"] { return named }
    guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
      return nil
    }
    let tool = URL(filePath: executable).deletingLastPathComponent().appending(path: "fsobserve").path
    return FileManager.default.isExecutableFile(atPath: tool) ? tool : nil
  }()

  /// So few that some folders of a small tree have none.
  private static let fewMarks = """
    for limit in max_inotify_watches max_fanotify_marks; do echo 20 > /proc/sys/user/$limit; done; exec "$@"
    """

  /// Starts the tool, and waits for its first scan.
  ///
  /// - Parameter limited: Whether to allow only few watches and marks, if the source needs any. This needs user
  ///   namespaces.
  package init(_ root: Folder, _ source: TestSource? = TestSource.named, limited: Bool = false) async throws {
    guard let tool = Self.tool else { throw Errno.noSuchFileOrDirectory }
    self.root = root
    output = Mutex(Output(replay: Replay(root: root.path)))
    var command = [tool, "watch", "--format", "jsonl", root.path]
    command = source?.command(command) ?? command
    if limited, source?.hasUnlimitedMarks != true {
      command = ["unshare", "-Ur", "sh", "-c", Self.fewMarks, "sh"] + command
    }
    process = try ChildProcess(command)
    _ = try await process.awaitLine("the first scan", within: .seconds(120)) {
      $0.contains("\"didCompleteFullScan\"")
    }
  }

  /// The lines about some identities, and about files of a name; for diagnosing a failure.
  package func said(of uuids: [UUID?], _ name: String) -> String {
    let words = uuids.compactMap { $0?.uuidString.lowercased() } + ["/\(name)\""]
    return process.lines.elements.filter { line in words.contains { line.contains($0) } }.joined(separator: "\n")
  }

  /// The number of lines so far.
  package var position: Int { process.lines.count }

  /// Awaits a change of a file.
  func awaits(_ kind: FileSystemChange.Kind, _ name: String, from mark: Int, within time: Duration) async throws {
    _ = try await process.awaitLine("\(name) to be \(kind)", from: mark, within: time) {
      $0.contains("\"\(kind)\"") && $0.contains("/\(name)\"")
    }
  }

  /// A model of the tree, made of all its output.
  package func replay() throws -> Replay {
    try output.withLock { output in
      try takeNewLines(&output)
      var all = output
      all.applySet()
      return all.replay
    }
  }

  /// Takes out the lines so far, after applying them to the model.
  package func forgetLines() throws -> [String] {
    try output.withLock { output in
      try takeNewLines(&output)
      return process.lines.take(upTo: output.lines)
    }
  }

  private func takeNewLines(_ output: inout Output) throws {
    let lines = process.lines.elements(from: output.lines)
    output.lines += lines.count
    let decoder = JSONDecoder()
    for text in lines {
      let line = try decoder.decode(Line.self, from: Data(text.utf8))
      if let number = line.seq, let step = step(line) { output.take(number, step) }
    }
  }

  private func step(_ line: Line) -> TreeStep? {
    guard let kind = FileSystemChange.Kind(rawValue: line.kind), let uuid = line.uuid, let path = line.path else {
      return nil
    }
    return TreeStep(
      kind: kind, uuid: UUIDBits(uuid), itemKind: line.type.flatMap(FileSystemItem.Kind.init) ?? .file,
      path: relative(path),
      previousPath: line.previousPath.map(relative))
  }

  /// As text: without optimisation, making paths of the system's type takes long.
  private func relative(_ path: String) -> ArraySlice<UInt8> { ArraySlice(Replay.relative(path, to: root.path).utf8) }
}

// MARK: - Several processes

extension [WatchingProcess] {
  /// Awaits that all processes have announced everything that has happened, as `ObservedFolder.settle` does.
  ///
  /// - Parameter time: The limit: hundreds of thousands of changes deep in a tree mean hundreds of megabytes to read.
  package func settle(_ root: Folder, _ name: String, within time: Duration = .seconds(60)) async throws {
    let marks = map(\.position)
    try root.write(name)
    for (process, mark) in zip(self, marks) { try await process.awaits(.copyFinished, name, from: mark, within: time) }
    try root.unlink(name)
    for (process, mark) in zip(self, marks) { try await process.awaits(.deleted, name, from: mark, within: time) }
  }

  /// The differences that are left between each output and the disk in the end.
  ///
  /// - Parameters:
  ///   - time: How long differences may last after the first complete output.
  ///   - patience: How long a complete output may take.
  package func differencesInTheEnd(
    _ root: Folder, within time: Duration = .seconds(20), patience: Duration = .seconds(60)
  ) async throws -> [String] {
    var deadline: Moment?
    var rounds = 0
    while true {
      try await settle(root, "cookie-\(rounds)", within: patience)
      rounds += 1
      let end = deadline ?? Moment.now + time
      deadline = end
      let disk = DiskInventory(of: root)
      let differences = try enumerated().flatMap { number, process in
        let replay = try process.replay()
        return (replay.contradictions + disk.differences(from: replay.items)).map { "observer \(number): \($0)" }
      }
      if differences.isEmpty || Moment.now > end { return Array<String>(differences.prefix(40)) }
    }
  }
}
