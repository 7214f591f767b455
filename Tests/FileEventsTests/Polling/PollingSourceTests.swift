import FileTestSupport
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

@Suite(.timeLimit(.minutes(10)))
struct PollingSourceTests {
  private let folder: ScratchFolder
  private let directory: DirectoryHandle
  private let source: PollingSource<PlainDirectories>
  private let collector: HintCollector

  init() throws {
    folder = try ScratchFolder()
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .list))
    source = try PollingSource(PlainDirectories())
    collector = try HintCollector()
  }

  private func start() throws {
    let collector = collector
    try source.start { collector.deliver($0) }
  }

  @Test func changesAreTold() throws {
    try start()
    defer { source.stop() }
    let mark = try source.mark(directory, for: .entries)
    try PlainFiles.write([], to: folder.path("a"))
    let hint = try #require(try collector.take(until: "a").last)
    #expect(hint == Hint(directory: mark, kinds: [], traits: .unordered, name: FileName("a")))
    #expect(source.delivered > 0)
  }

  @Test func whatWasMarkedBeforeTheStartIsPolledToo() throws {
    _ = try source.mark(directory, for: .entries)
    try PlainFiles.write([], to: folder.path("a"))
    try start()
    defer { source.stop() }
    _ = try collector.take(until: "a")
  }

  @Test func aStoppedSourceTellsNothingAndCanBeStartedAgain() throws {
    try start()
    _ = try source.mark(directory, for: .entries)
    source.stop()
    try PlainFiles.write([], to: folder.path("a"))
    #expect(collector.isEmpty)
    try start()
    _ = try collector.take(until: "a")
    source.stop()
  }

  /// Whoever decides that something is gone waits for a pass that began after it was missed.
  @Test func theHorizonIsBehindAPassThatBeganLater() throws {
    try start()
    defer { source.stop() }
    #expect(source.horizon(since: .now) == 0, "nothing is polled")
    _ = try source.mark(directory, for: .entries)
    try PlainFiles.write([], to: folder.path("a"))
    let moment = MonotonicTime.now
    let deadline = moment + 20_000_000_000
    var horizon: UInt64?
    while horizon == nil, MonotonicTime.now < deadline { horizon = source.horizon(since: moment) }
    let needed = try #require(horizon)
    #expect(needed > 0 && collector.count >= Int(needed))
    _ = try collector.take(until: "a")
  }
}
