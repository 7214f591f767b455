#if Store
import FileSystemObservation
import FileTestSupport
import Foundation
import Glibc
import ReplayModel
import SystemPackage
import Testing

/// A program keeps a copy of a tree by cursor, while its observer is killed at any moment and started again.
@Suite(.ownThreads, .timeLimit(.minutes(120))) struct KilledObserverTests {
  /// `FSO_KILL_ROUNDS` sets the number of rounds of all cases together.
  private static let rounds = ProcessInfo.processInfo.environment["FSO_KILL_ROUNDS"].flatMap { Int($0) } ?? 9
  private static let seeds = 1...3

  private let folder: ScratchFolder
  private var tree: String { folder["tree"] }

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir tree")
  }

  @Test(arguments: seeds) func theCopyIsWhatIsOnDisk(_ seed: Int) throws {
    var work = WorkInFolder(tree, seed: UInt64(seed))
    var copy = TreeCopy()
    for round in 1...max(1, Self.rounds / Self.seeds.count) {
      work.change(work.random(5...60))
      try killMeanwhile(&work, &copy)
      work.change(work.random(0...40))
      let (differences, recording) = try catchUp(&work, &copy, round)
      #expect(
        differences.isEmpty,
        "seed \(seed), round \(round): \(differences)\n\(copy.lines(about: differences))\n\(recording)")
      if !differences.isEmpty { break }
    }
    print("killed observers, seed \(seed): \(copy.sets) sets, \(copy.resets) times everything anew")
    #expect(copy.sets > 0)
  }

  private func start(_ copy: TreeCopy, _ options: String...) throws -> ToolProcess {
    let since = copy.cursor.map { ["--since", $0] } ?? []
    return try Tool.start(["watch", tree, "--store", folder["store"], "--format", "jsonl"] + since + options)
  }

  /// Kills an observer at a random moment between its start and a while after its scan.
  private func killMeanwhile(_ work: inout WorkInFolder, _ copy: inout TreeCopy) throws {
    let tool = try start(copy)
    let moment = DispatchTime.now() + .microseconds(work.random(500...900_000))
    let (process, hasEnded) = (tool.identifier, DispatchSemaphore(value: 0))
    DispatchQueue.global().asyncAfter(deadline: moment) {
      kill(process, SIGKILL)
      hasEnded.signal()
    }
    while DispatchTime.now() < moment { work.change(1) }
    hasEnded.wait()
    copy.take(tool.finish().outputBytes)
  }

  /// Starts an observer that lives, and takes its lines until everything before is told.
  ///
  /// - Returns: Where the copy differs from the disk even then, and the last steps of the observer.
  private func catchUp(
    _ work: inout WorkInFolder, _ copy: inout TreeCopy, _ round: Int
  ) throws -> ([TreeCopy.Difference], String) {
    let tool = try start(copy, "--record", folder["recording"])
    defer {
      tool.signal(SIGKILL)
      _ = tool.finish()
    }
    // A tree that takes the place of everything ends as a scan does.
    var isScanning = false
    var lines = try tool.lines { line in
      if line.contains("willBeginFullScan") { isScanning = !line.contains("\"reset\"") }
      return isScanning && line.contains("didCompleteFullScan")
    }
    for number in 1...10 {
      // What is in doubt when the first file is told may be decided when the next is.
      lines += try makeLast("end \(round)-\(number)", tool)
      copy.take(lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] })
      lines = []
      if copy.differences(from: tree).isEmpty { return ([], "") }
    }
    tool.signal(SIGTERM)
    _ = tool.finish()
    return (copy.differences(from: tree), try String(contentsOfFile: folder["recording"], encoding: .utf8))
  }

  /// Makes a file, and takes lines until the set in which it is told.
  private func makeLast(_ name: String, _ tool: ToolProcess) throws -> [String] {
    try PlainFiles.write([], to: FilePath(tree + "/" + name))
    var isTold = false
    return try tool.lines { line in
      isTold = isTold || line.contains("\"copyFinished\"") && line.contains("/\(name)\"")
      return isTold && line.contains("\"cursor\"")
    }
  }
}

// MARK: - The program's copy

/// The UUIDs by path, made of lines; of a set that is not complete, nothing counts.
private struct TreeCopy {
  private(set) var cursor: String?
  private(set) var resets = 0
  private(set) var sets = 0
  private var replay = PathReplay()
  private var changes: [PathReplay.Change] = []
  private var isAnew = false
  /// Everything that was taken.
  private var log: [String] = []

  /// Where the copy is not what is on disk.
  struct Difference: CustomStringConvertible {
    var path: String
    var told: String?
    /// The tag; nothing if there is no such file.
    var tag: String?
    var description: String { "\(path): told \(told ?? "nothing"), on disk \(tag ?? "nothing")" }
  }

  /// Takes output, the last line of which may be cut off.
  mutating func take(_ output: [UInt8]) {
    changes = []
    isAnew = false
    guard let end = output.lastIndex(of: UInt8(ascii: "\n")) else { return }
    log.append("— \(cursor ?? "the beginning")")
    for text in String(decoding: output[..<end], as: UTF8.self).split(separator: "\n") {
      log.append(String(text))
      guard let line = try? JSONLine(String(text)) else { continue }
      if line.members["reset"] != nil { isAnew = true }
      if let change = line.change { changes.append(change) }
      if line.text("cursor") != "" { apply(line.text("cursor")) }
    }
  }

  private mutating func apply(_ cursor: String) {
    if isAnew {
      replay = PathReplay()
      resets += 1
    }
    replay.apply(changes)
    (self.cursor, changes, isAnew) = (cursor, [], false)
    sets += 1
  }

  func differences(from folder: String) -> [Difference] {
    var rest = replay.items.mapValues { $0.uuidString.lowercased() }
    var differences = replay.contradictions.map { Difference(path: $0) }
    for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      let path = folder + "/" + name
      let told = rest.removeValue(forKey: path)
      let tag = (try? PlainFiles.attribute("user.fsobserver.uuid", of: FilePath(path)))?
        .map { String(decoding: $0, as: UTF8.self) }
      guard told == nil || tag != nil && tag != told else { continue }
      differences.append(Difference(path: path, told: told, tag: tag ?? "no tag"))
    }
    return differences + rest.map { Difference(path: $0.key, told: $0.value) }
  }

  /// What was told of the paths and UUIDs of some differences, and where each run and set ended.
  func lines(about differences: [Difference]) -> String {
    let words = differences.flatMap { [$0.path, $0.told, $0.tag].compactMap(\.self) } + ["\"cursor\"", "— ", "reset"]
    return log.filter { line in words.contains { line.contains($0) } }.joined(separator: "\n")
  }
}

extension JSONLine {
  /// The change of a line that tells one.
  fileprivate var change: PathReplay.Change? {
    guard let kind = FileSystemChange.Kind(rawValue: kind), let uuid = UUID(uuidString: uuid) else { return nil }
    return PathReplay.Change(kind: kind, uuid: uuid, path: path, previousPath: members["previousPath"] as? String)
  }
}

// MARK: - What programs do

/// Random operations in a folder.
private struct WorkInFolder {
  private let folder: String
  private var generator: SplitMix64
  private var count = 0

  init(_ folder: String, seed: UInt64) {
    self.folder = folder
    generator = SplitMix64(seed: seed)
  }

  mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func change(_ times: Int) {
    for _ in 0..<times { changeOnce() }
  }

  /// What fails, because something else is there, is left.
  private mutating func changeOnce() {
    let items = FileManager.default.subpaths(atPath: folder) ?? []
    guard let item = items.randomElement(using: &generator).map({ folder + "/" + $0 }) else { return make(in: folder) }
    let directory =
      isDirectory(item) && random(0...1) == 0
      ? item : String(item.prefix(upTo: item.lastIndex(of: "/") ?? item.startIndex))
    let new = newName(in: directory)
    switch random(0...9) {
    case 0...3: make(in: directory)
    case 4...5: _ = unsafe Glibc.rename(item, new)
    case 6: save(isDirectory(item) ? new : item)
    case 7: _ = unsafe link(item, new)
    case 8: if !isDirectory(item) { write("\(count) longer than before", item) }
    default: if items.count > 40 { try? FileManager.default.removeItem(atPath: item) }
    }
  }

  private mutating func make(in directory: String) {
    let new = newName(in: directory)
    if random(0...3) == 0 {
      _ = unsafe mkdir(new, 0o755)
    } else if !isDirectory(new) {
      write("\(count)", new)
    }
  }

  /// Saves by replacement.
  private func save(_ path: String) {
    write("\(count) saved", path + ".tmp")
    _ = unsafe Glibc.rename(path + ".tmp", path)
  }

  /// Writes in place.
  ///
  /// A program that another test starts must not inherit the open file: the observer would wait for its end.
  private func write(_ text: String, _ path: String) {
    try? PlainFiles.write(text.utf8, to: FilePath(path))
  }

  private mutating func newName(in directory: String) -> String {
    count += 1
    return directory + "/" + ["a", "b", "c", "d"][random(0...3)] + String(random(0...9))
  }

  private func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}
#endif
