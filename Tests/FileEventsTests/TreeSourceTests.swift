import FileTestSupport
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// Which source a directory of a tree has, and that all sources are one.
@Suite(.timeLimit(.minutes(10)))
struct TreeSourceTests {
  private typealias Source = TreeSource<PlainDirectories>

  private let folder: ScratchFolder
  private let collector: HintCollector

  init() throws {
    folder = try ScratchFolder()
    collector = try HintCollector()
    for name in ["watched", "polled"] { try PlainFiles.makeFolder(at: folder.path(name)) }
  }

  private func started(_ choice: Source.Choice = .automatic) throws -> Source {
    let source = try Source(choice, PlainDirectories())
    let collector = collector
    try source.start { collector.deliver($0) }
    return source
  }

  private func open(_ name: String) throws -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path(name), for: .search))
  }

  /// A directory of a mount that does not answer, as far as anyone who asks the guard can tell.
  private func openSilent(_ name: String) throws -> DirectoryHandle {
    let guardian = MountGuard()
    guardian.end()
    return try open(name).guarded(by: guardian)
  }

  /// Waits until everything that happened has been told, and takes it.
  private func hints(_ source: Source) throws -> [Hint] {
    let moment = MonotonicTime.now
    let deadline = moment + 20_000_000_000
    while true {
      source.deliverPending()
      if let horizon = source.horizon(since: moment), source.delivered >= horizon { break }
      try #require(MonotonicTime.now < deadline, "the source never knew that it had told everything")
      collector.wait(nanoseconds: 1_000_000)
    }
    return collector.takeAll()
  }

  @Test func theChosenSourceMarksADirectory() throws {
    #expect(try started(.kernel(.inotify)).mark(open("watched"), for: .entries).isOfInotify)
    #expect(try started(.kernel(.fanotify)).mark(open("watched"), for: .entries).isOfFanotify)
    #expect(try started(.polling).mark(open("watched"), for: .entries).isOfPolling)
    #expect(try !started().mark(open("watched"), for: .entries).isOfPolling)
  }

  /// What the kernel may know nothing of is looked at, unless the kernel was chosen for all: then it is asked.
  @Test func whatMayChangeUnseenIsPolled() throws {
    #expect(try started().mark(openSilent("polled"), for: .entries).isOfPolling)
    #expect(throws: Errno.timedOut) { try started(.kernel(.inotify)).mark(openSilent("polled"), for: .entries) }
  }

  @Test func theHintsOfBothSourcesAreNumberedTogether() throws {
    let source = try started()
    defer { source.stop() }
    let marks = [try source.mark(open("watched"), for: .entries), try source.mark(openSilent("polled"), for: .entries)]
    _ = try hints(source)
    for number in 0..<5 {
      for name in ["watched", "polled"] { try PlainFiles.write([], to: folder.path("\(name)/\(number)")) }
    }
    let told = Set(try hints(source).filter { $0.name != nil }.map(\.directory))
    #expect(told == Set(marks))
    let batches = collector.batches
    #expect(zip(batches, batches.dropFirst()).allSatisfy { $0.next == $1.first })
    #expect(batches.last?.next == source.delivered)
  }

  @Test func onlyWhatIsPolledIsWaitedFor() throws {
    let source = try started()
    defer { source.stop() }
    _ = try source.mark(open("watched"), for: .entries)
    #expect(source.horizon(since: .now) == 0)
    _ = try source.mark(openSilent("polled"), for: .entries)
    let moment = MonotonicTime.now
    try PlainFiles.write([], to: folder.path("polled/file"))
    // What polling found before the call does not count, so that there is no answer yet, or it covers the file.
    #expect(source.horizon(since: .now + 3_600_000_000_000) == nil)
    #expect(try hints(source).contains { $0.name == FileName("file") })
    #expect(source.horizon(since: moment).map { $0 <= source.delivered } == true)
  }

  @Test func whatGetsAMarkIsPolledNoMore() throws {
    let source = try started()
    defer { source.stop() }
    let polled = try source.mark(openSilent("polled"), for: .entries)
    let marked = try source.mark(open("polled"), for: .entries)
    #expect(polled.isOfPolling && !marked.isOfPolling)
    _ = try hints(source)
    try PlainFiles.write([], to: folder.path("polled/file"))
    #expect(Set(try hints(source).map(\.directory)) == [marked])
  }

  @Test func whatIsUnmarkedIsSilent() throws {
    let source = try started()
    defer { source.stop() }
    let marks = [try source.mark(open("watched"), for: .entries), try source.mark(openSilent("polled"), for: .entries)]
    _ = try hints(source)
    source.unmark(marks[0], of: try open("watched"))
    source.unmark(marks[1], of: try openSilent("polled"))
    try PlainFiles.makeFolder(at: folder.path("other"))
    let other = try source.mark(openSilent("other"), for: .entries)
    for name in ["watched", "polled", "other"] { try PlainFiles.write([], to: folder.path("\(name)/file")) }
    let told = Set(try hints(source).filter { $0.name != nil }.map(\.directory))
    #expect(told == [other])
  }
}
