import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

@Suite(.timeLimit(.minutes(10)))
struct InotifySourceTests {
  private let folder: ScratchFolder
  private let directory: DirectoryHandle
  private let source: InotifySource
  private let collector: HintCollector

  init() throws {
    folder = try ScratchFolder()
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .search))
    source = try InotifySource()
    collector = try HintCollector()
  }

  private func start() throws {
    let collector = collector
    try source.start { collector.deliver($0) }
  }

  /// The kernel clears a mask that is to be replaced before it sets the new one, and tells nothing in between.
  @Test func whatIsMarkedAgainIsToldNoLess() throws {
    try start()
    defer { source.stop() }
    let mark = try source.mark(directory, for: .entries)
    #expect(try source.mark(directory, for: .departures) == mark, "the same mark, with nothing taken from it")
    try PlainFiles.write([], to: folder.path("end"))
    let hints = try collector.take(until: "end")
    #expect(hints.contains { $0.kinds.contains(.created) })
  }

  /// Some of 40,000 events were lost where each mark replaced the one before.
  @Test func renamesBesideAMarkThatIsRenewedAreAllTold() throws {
    let halves = Mutex(0)
    try source.start { batch in
      #expect(!batch.overflowed)
      halves.withLock { $0 += batch.hints.count { !$0.kinds.isDisjoint(with: [.movedFrom, .movedTo]) } }
    }
    defer { source.stop() }
    _ = try source.mark(directory, for: .entries)
    try PlainFiles.write([], to: folder.path("a"))
    let isDone = Mutex(false)
    let (source, directory) = (source, directory)
    let marking = try NativeThread(name: "marking") {
      while !isDone.withLock({ $0 }) { _ = try? source.mark(directory, for: .entries) }
    }
    let count = 20_000
    let names = [folder.path("a"), folder.path("b")]
    for number in 0..<count {
      try PlainFiles.rename(names[number % 2], to: names[1 - number % 2])
      // The kernel's queue has room for 16,384 events.
      if number % 2_000 == 0 { source.deliverPending() }
    }
    isDone.withLock { $0 = true }
    marking.join()
    source.deliverPending()
    #expect(halves.withLock { $0 } == 2 * count)
  }

  @Test func aMarkThatIsGoneIsTold() throws {
    try start()
    defer { source.stop() }
    let mark = try source.mark(directory, for: .entriesWithoutAttributes)
    try PlainFiles.makeFolder(at: folder.path("sub"))
    let sub = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path("sub"), for: .search))
    let subMark = try source.mark(sub, for: .entriesWithoutAttributes)
    #expect(mark != subMark)
    source.unmark(subMark)
    try PlainFiles.write([], to: folder.path("sub/unseen"))
    try PlainFiles.write([], to: folder.path("end"))
    let hints = try collector.take(until: "end")
    #expect(hints.contains { $0.directory == subMark && $0.kinds == .markGone })
    #expect(!hints.contains { $0.name == FileName("unseen") })
  }
}
