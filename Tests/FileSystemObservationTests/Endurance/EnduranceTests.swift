import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import TestTraits
import Testing

/// `fsobserve watch` for as long as `FSO_ENDURANCE` says, in seconds, while others work at full speed in its folder,
/// with few watches or marks, and with a queue that overflows now and then: what it has told is exact whenever all is
/// quiet, and it does not grow.
@Suite(.alone) struct EnduranceTests {
  private static let seconds = Environment["FSO_ENDURANCE"].flatMap { Int($0) }

  @Test(
    .enabled(if: seconds != nil, "FSO_ENDURANCE=SECONDS runs it"),
    .enabled(if: WatchingProcess.tool != nil, "fsobserve is not built"), arguments: TestSource.toTest)
  func itStaysExactAndDoesNotGrow(_ source: TestSource) async throws {
    let folder = try TestFolder()
    let root = folder.watched
    let observer = try await WatchingProcess(root, source, limited: true)
    var course = Course()
    let end = Moment.now + .seconds(Self.seconds ?? 0)
    while Moment.now < end || course.rounds.count < 8 {
      let number = course.rounds.count
      if number % 4 == 3 { observer.process.send(SIGSTOP) }
      // A queue holds 16,384 events unless the machine's settings say otherwise (fs.inotify.max_queued_events).
      let least = number % 4 == 3 ? 300_000 : 1
      var count = 0
      while count < least {
        count += try await Churn(in: root).run(seed: UInt64(number &+ count), for: .milliseconds(250))
      }
      observer.process.send(SIGCONT)
      let differences = try await [observer].differencesInTheEnd(root, within: .seconds(60), patience: .seconds(300))
      #expect(differences == [], "round \(number), \(source)")
      guard differences == [] else { break }
      try clear(root)
      try await [observer].settle(root, "cleared", within: .seconds(300))
      course.rescans += try observer.forgetLines().count { $0.contains("\"willBeginFullScan\"") }
      course.rounds.append(try Course.Round(of: observer.process.identifier, operations: count))
    }
    print("\(source): \(course)")
    #expect(course.growth == nil)
    // The few marks of fanotify go with their folders, and what is alike merges: its queue does not fill here.
    #expect(source != .inotify || course.rescans > 1, "the queue never overflowed")
    #expect(observer.process.end(SIGTERM) == 0)
  }
}

/// Removes everything in a folder, so that every round begins with nothing.
private func clear(_ root: Folder) throws {
  for entry in try Directory.list(root.path) {
    if entry.kind == .directory { root.folder(entry.name).removeTree() } else { try root.unlink(entry.name) }
  }
}

/// What a process held whenever all was quiet.
private struct Course: CustomStringConvertible {
  struct Round {
    var operations: Int
    var descriptors: Int
    /// Private memory, in KiB.
    var memory: Int

    init(of process: Int32, operations: Int) throws {
      self.operations = operations
      descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
      let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
      memory = text.split(separator: "\n").filter { $0.hasPrefix("Private_") }
        .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
    }
  }

  var rounds: [Round] = []
  /// The first scan, and one for every time that events were lost.
  var rescans = 0

  /// What has grown since the first quarter; what is kept for later use is not there at once.
  var growth: String? {
    let quarter = rounds.count / 4
    guard quarter > 0 else { return nil }
    let early = rounds[quarter..<(2 * quarter)]
    let late = rounds.suffix(quarter)
    let (least, most) = (late.map(\.descriptors).min() ?? 0, early.map(\.descriptors).max() ?? 0)
    if least > most { return "descriptors: \(most), then \(least)" }
    let (before, after) = (early.map(\.memory).max() ?? 0, late.map(\.memory).min() ?? 0)
    return after > before + before / 4 + 2048 ? "memory: \(before) KiB, then \(after) KiB" : nil
  }

  var description: String {
    let shown = rounds.indices.filter { $0 % max(1, rounds.count / 12) == 0 || $0 == rounds.count - 1 }
    let memory = shown.map { "\(rounds[$0].memory)" }.joined(separator: " ")
    let descriptors = shown.map { "\(rounds[$0].descriptors)" }.joined(separator: " ")
    return "\(rounds.map(\.operations).reduce(0, +)) operations in \(rounds.count) rounds, \(rescans) scans of all; "
      + "private memory in KiB \(memory); descriptors \(descriptors)"
  }
}
