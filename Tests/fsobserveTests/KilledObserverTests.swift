#if Store
import FileTestSupport
import Foundation
import Glibc
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
      let differences = try catchUp(&work, &copy, round)
      #expect(differences == [], "seed \(seed), round \(round)")
      if !differences.isEmpty { break }
    }
    print("killed observers, seed \(seed): \(copy.sets) sets, \(copy.resets) times everything anew")
    #expect(copy.sets > 0)
  }

  private func start(_ copy: TreeCopy) throws -> ToolProcess {
    let since = copy.cursor.map { ["--since", $0] } ?? []
    return try Tool.start(["watch", tree, "--store", folder["store"], "--format", "jsonl"] + since)
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
  private func catchUp(_ work: inout WorkInFolder, _ copy: inout TreeCopy, _ round: Int) throws -> [String] {
    let tool = try start(copy)
    defer {
      tool.signal(SIGKILL)
      _ = tool.finish()
    }
    // A tree that takes the place of everything ends as a scan does.
    var isScanning = false
    var (differences, lines) = (
      [String](),
      try tool.lines { line in
        if line.contains("willBeginFullScan") { isScanning = !line.contains("\"reset\"") }
        return isScanning && line.contains("didCompleteFullScan")
      }
    )
    for number in 1...10 {
      // What is in doubt when the first file is told may be decided when the next is.
      let name = "end \(round)-\(number)"
      try Data().write(to: URL(filePath: tree + "/" + name))
      var isTold = false
      lines += try tool.lines { line in
        isTold = isTold || line.contains("\"copyFinished\"") && line.contains("/\(name)\"")
        return isTold && line.contains("\"cursor\"")
      }
      copy.take(lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] })
      lines = []
      differences = copy.differences(from: tree)
      if differences.isEmpty { return [] }
    }
    return differences
  }
}

// MARK: - The program's copy

/// The UUIDs by path, made of lines; of a set that is not complete, nothing counts.
private struct TreeCopy {
  private(set) var cursor: String?
  private(set) var resets = 0
  private(set) var sets = 0
  private var uuids: [String: String] = [:]
  private var changes: [JSONLine] = []
  private var isAnew = false

  /// Takes output, the last line of which may be cut off.
  mutating func take(_ output: [UInt8]) {
    changes = []
    isAnew = false
    guard let end = output.lastIndex(of: UInt8(ascii: "\n")) else { return }
    for text in String(decoding: output[..<end], as: UTF8.self).split(separator: "\n") {
      guard let line = try? JSONLine(String(text)) else { continue }
      if line.members["reset"] != nil { isAnew = true }
      if line.uuid != "" { changes.append(line) }
      if line.text("cursor") != "" { apply(line.text("cursor")) }
    }
  }

  private mutating func apply(_ cursor: String) {
    if isAnew {
      uuids = [:]
      resets += 1
    }
    var coming: [String: String] = [:]
    func start(_ change: JSONLine) -> String {
      change.text("previousPath") == "" ? change.path : change.text("previousPath")
    }
    func depth(_ change: JSONLine) -> Int { start(change).count { $0 == "/" } }
    for change in changes.sorted(by: { depth($0) > depth($1) }) {
      switch change.kind {
      case "deleted", "unlinked": uuids[start(change)] = nil
      case "renamed", "moved":
        let old = start(change)
        for path in uuids.keys where path == old || path.hasPrefix(old + "/") {
          coming[change.path + path.dropFirst(old.count)] = uuids.removeValue(forKey: path)
        }
      case "discovered", "duplicated", "linked": coming[change.path] = change.uuid
      default: break
      }
    }
    uuids.merge(coming) { _, new in new }
    (self.cursor, changes, isAnew) = (cursor, [], false)
    sets += 1
  }

  /// Where it is not what is on disk.
  func differences(from folder: String) -> [String] {
    var rest = uuids
    var differences: [String] = []
    for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      let path = folder + "/" + name
      let told = rest.removeValue(forKey: path)
      let tag = (try? PlainFiles.attribute("user.fsobserver.uuid", of: FilePath(path)))?
        .map { String(decoding: $0, as: UTF8.self) }
      guard told == nil || tag != nil && tag != told else { continue }
      differences.append("\(name): \(told ?? "nothing"), on disk \(tag ?? "")")
    }
    return differences + rest.map { "\($0.key) is told and not on disk" }
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

  private func write(_ text: String, _ path: String) {
    // Written in place.
    try? Data(text.utf8).write(to: URL(filePath: path))
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
