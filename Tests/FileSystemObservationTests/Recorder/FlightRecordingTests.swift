import FileTestSupport
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// What an observer records of real files.
@Suite(.light) struct FlightRecordingTests {
  private typealias Configuration = FileSystemObserver.Configuration

  /// The words that begin the records of a recording.
  private func kinds(_ text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 2)
        return words.count > 1 && Int(words[0]) != nil ? String(words[1]) : nil
      })
  }

  private func lines(_ text: String, _ word: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.contains(" \(word) ") }
  }

  /// Does what makes most kinds of records.
  private func work(_ observed: ObservedFolder) async throws {
    let root = observed.root
    try root.rename("a.txt", "b.txt")
    try root.write("new.txt")
    try root.mkdir("folder/inner")
    try root.write("folder/inner/c.txt")
    try await observed.settle()
    try root.write(".b.tmp")
    try root.rename(".b.tmp", "b.txt")
    root.folder("folder").removeTree()
    try await observed.settle()
    try await observed.observer.renameItem(at: FilePath(root.path + "/new.txt"), to: "own.txt")
  }

  private static var recording: Configuration {
    var options = Configuration()
    options.keepsFlightRecording = true
    return options
  }

  private func begin(_ options: Configuration = Self.recording) async throws -> ObservedFolder {
    try await ObservedFolder.begin(options: options) {
      try $0.watched.write("a.txt")
      try $0.watched.makeDirectories("folder/sub")
      try $0.watched.write("folder/sub/d.txt")
    }
  }

  @Test(.enabled(if: TestSource.named != .polling)) func eachKindOfRecordIsWrittenBySomeOperation() async throws {
    var options = Self.recording
    options.backend = .inotify
    let observed = try await begin(options)
    try await work(observed)
    let text = observed.observer.flightRecording()
    let all = FlightRecord.Kind.allCases.map { "\($0)" }
    // An overflow has a test of its own.
    #expect(kinds(text).union(["overflow", "waits", "lease"]) == Set(all))
    let decisions = lines(text, "decision")
    #expect(decisions.contains { $0.contains("what=moved") && $0.hasSuffix(" name=b.txt") })
    #expect(decisions.contains { $0.contains("what=continued why=savedByReplacement") && $0.hasSuffix(" name=b.txt") })
    #expect(decisions.contains { $0.contains("what=discovered why=newItem") && $0.hasSuffix(" name=new.txt") })
    #expect(decisions.contains { $0.contains("what=copyFinished why=finished") && $0.hasSuffix(" name=new.txt") })
    #expect(decisions.contains { $0.contains("what=deleted why=missingAfterWindow") && $0.hasSuffix(" name=folder") })
    let inode = try PlainFiles.status(of: FilePath(observed.root.path)).st_ino
    let parts = lines(text, "operation").map { line in
      let fields = line.split(separator: " ").dropFirst(2)
      return fields.filter { !$0.hasPrefix("born=") && !$0.hasPrefix("device=") }.joined(separator: " ")
    }
    #expect(
      parts == [
        "part=begins reason=movedOut", "part=source inode=\(inode) path=new.txt",
        "part=destination inode=\(inode) path=own.txt", "part=committed", "part=ended",
      ])
    for name in ["a.txt", "folder", "sub", "d.txt"] {
      #expect(lines(text, "listed").contains { $0.hasSuffix(" name=\(name)") }, "\(name)")
    }
    #expect(text.hasPrefix("recording version=1 ") && text.contains(" beginning=complete names=shown\n"))
    #expect(text.contains("\nroot path=\(observed.root.path.split(separator: " ").joined(separator: "%20")) inode="))
  }

  /// A file that a program has open for writing is probed; what is ahead of its hint waits for that.
  @Test(.enabled(if: Ability.detectsWriters)) func aProbeForWritersIsRecorded() async throws {
    let observed = try await begin()
    let file = try observed.root.open("open.txt", .create)
    try file.write("some")
    try await observed.recorder.awaitChange("open.txt to be announced", from: 0, within: .seconds(60)) {
      $0.kind == .discovered && $0.path.string.hasSuffix("/open.txt")
    }
    let text = observed.observer.flightRecording()
    #expect(lines(text, "lease").contains { $0.contains("writers=beingWritten") && $0.hasSuffix(" name=open.txt") })
    #expect(
      lines(text, "decision").contains { $0.contains("why=stillBeingWritten") && $0.hasSuffix(" name=open.txt") })
    file.close()
    try await observed.settle()
    #expect(observed.observer.flightRecording().contains("what=copyFinished why=finishedByClose"))
  }

  @Test func hiddenNamesAreNowhereInTheText() async throws {
    let observed = try await begin()
    try observed.root.rename("a.txt", "secret.txt")
    try observed.root.write("folder/secret too.odt")
    try await observed.settle()
    let text = observed.observer.flightRecording(hidingNames: true)
    #expect(!text.contains("secret") && !text.contains("folder/") && !text.contains(observed.root.path))
    #expect(text.contains(" names=hidden\n") && text.contains(".odt\n"))
    let shown = observed.observer.flightRecording()
    #expect(shown.contains(" name=secret.txt\n") && shown.contains(" name=secret%20too.odt\n"))
  }

  @Test func itIsThereUntilTheNextStart() async throws {
    let observed = try await begin()
    try observed.root.write("last.txt")
    try await observed.settle()
    await observed.observer.stop()
    #expect(observed.observer.flightRecording().contains(" name=last.txt\n"))
    try observed.root.unlink("last.txt")
    try await observed.start()
    #expect(!observed.observer.flightRecording().contains(" name=last.txt\n"))
  }

  @Test func withoutARecorderThereIsNoText() async throws {
    #expect(FileSystemObserver(directory: "/nowhere").flightRecording() == "")
    let observed = try await begin(Configuration())
    #expect(observed.observer.flightRecording() == "")
    #expect(observed.differences() == [])
  }

  /// Whoever reads does not disturb the engine, and gets whole lines.
  @Test func itIsReadWhileTheEngineWorks() async throws {
    let observed = try await begin()
    let torn = Feed<String>()
    try await repeating {
      for hidesNames in [true, false] {
        let text = observed.observer.flightRecording(hidingNames: hidesNames)
        if !text.hasPrefix("recording ") || text.last != "\n" { torn.append(text) }
      }
    } during: {
      for number in 0..<2_000 { try observed.root.write("\(number)") }
      for number in 0..<2_000 { try observed.root.rename("\(number)", "x\(number)") }
      try await observed.settle()
    }
    #expect(torn.elements == [])
    #expect(observed.differences() == [])
    #expect(observed.observer.flightRecording().contains(" beginning=overwritten "))
  }

  /// A path on a block's thread: a listener that dumps is not stuck.
  @Test func aBlockMayAskForIt() async throws {
    let observed = try await begin()
    let texts = Feed<String>()
    let token = observed.observer.addNotificationBlock { observer, _ in texts.append(observer.flightRecording()) }
    try observed.root.write("told.txt")
    try await observed.settle()
    token.invalidate()
    #expect(texts.elements.contains { $0.contains(" name=told.txt\n") })
  }
}
