import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// One source and the folder it observes.
private struct Observed {
  let folder: ScratchFolder
  let directory: DirectoryHandle
  let source: FanotifySource
  let collector: HintCollector

  init(_ coverage: FanotifySource.Coverage) throws {
    folder = try ScratchFolder()
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .search))
    source = try FanotifySource(coverage: coverage)
    collector = try HintCollector()
  }

  func start() throws {
    let collector = collector
    try source.start { collector.deliver($0) }
  }

  func open(_ name: String) throws -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path(name), for: .search))
  }
}

/// Both ways to mark, as far as permitted; without privilege they are the same.
@Suite(.timeLimit(.minutes(10)))
struct FanotifySourceTests {
  private static let coverages: [FanotifySource.Coverage] =
    geteuid() == 0 ? [.directories, .fileSystems] : [.directories]

  @Test(arguments: coverages) func aRenameHasItsFile(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    defer { observed.source.stop() }
    let mark = try observed.source.mark(observed.directory, for: .entriesWithoutAttributes)
    try PlainFiles.write([], to: observed.folder.path("a"))
    try PlainFiles.rename(observed.folder.path("a"), to: observed.folder.path("b"))
    let hints = try observed.collector.take(until: "b")
    #expect(hints.allSatisfy { $0.directory == mark })
    let from = try #require(hints.first { $0.kinds.contains(.movedFrom) })
    let to = try #require(hints.last)
    #expect(to.kinds == .movedTo)
    #expect(from.cookie == to.cookie && to.cookie != 0)
    #expect(from.file == to.file && to.file == hints.first?.file)
    #expect(to.file?.inode == UInt64(try PlainFiles.status(of: observed.folder.path("b")).st_ino))
  }

  @Test(arguments: coverages) func attributesAreToldWhereWanted(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    defer { observed.source.stop() }
    let mark = try observed.source.mark(observed.directory, for: .entriesWithoutAttributes)
    try PlainFiles.write([], to: observed.folder.path("a"))
    try PlainFiles.setPermissions(0o600, of: observed.folder.path("a"))
    #expect(try observed.source.mark(observed.directory, for: .entries) == mark, "the same mark, with more in it")
    // What waits would be merged with what follows.
    observed.source.deliverPending()
    try PlainFiles.setPermissions(0o644, of: observed.folder.path("a"))
    try PlainFiles.write([], to: observed.folder.path("end"))
    let hints = try observed.collector.take(until: "end")
    // The first change of permissions came before the mark wanted it.
    let told = hints.filter { $0.kinds.contains(.attributes) }
    #expect(told.count == 1)
    #expect(told.allSatisfy { $0.traits == .own }, "this process did it")
  }

  @Test(arguments: coverages) func aFolderIsTheSameWhereverItIs(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    defer { observed.source.stop() }
    try PlainFiles.makeFolder(at: observed.folder.path("sub"))
    try PlainFiles.makeFolder(at: observed.folder.path("other"))
    let mark = try observed.source.mark(observed.directory, for: .entriesWithoutAttributes)
    let sub = try observed.source.mark(try observed.open("sub"), for: .entriesWithoutAttributes)
    _ = try observed.source.mark(try observed.open("other"), for: .entriesWithoutAttributes)
    try PlainFiles.rename(observed.folder.path("sub"), to: observed.folder.path("other/moved"))
    try PlainFiles.write([], to: observed.folder.path("other/moved/a"))
    let hints = try observed.collector.take(until: "a")
    #expect(hints.contains { $0.directory == mark && $0.kinds == [.movedFrom, .directory] })
    #expect(hints.last?.directory == sub)
    #expect(try observed.source.mark(try observed.open("other/moved"), for: .entries) == sub)
  }

  @Test(arguments: coverages) func whatIsOutsideIsNotTold(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    defer { observed.source.stop() }
    try PlainFiles.makeFolder(at: observed.folder.path("sub"))
    try PlainFiles.makeFolder(at: observed.folder.path("outside"))
    let sub = try observed.open("sub")
    _ = try observed.source.mark(sub, for: .entries)
    try PlainFiles.write([], to: observed.folder.path("outside/in"))
    try PlainFiles.rename(observed.folder.path("outside/in"), to: observed.folder.path("sub/in"))
    let came = try observed.collector.take(until: "in")
    #expect(came.map(\.kinds) == [.movedTo])
    try PlainFiles.rename(observed.folder.path("sub/in"), to: observed.folder.path("outside/out"))
    try PlainFiles.write([], to: observed.folder.path("sub/end"))
    let hints = try observed.collector.take(until: "end")
    // A file is closed when the last has closed it: a program that another test starts may have it for a moment. What
    // another test mounts and unmounts is told to all.
    let kinds = hints.map { $0.kinds.subtracting([.closed, .unmounted]) }
    #expect(kinds.filter { !$0.isEmpty && !$0.contains(.created) } == [.movedFrom])
  }

  @Test(arguments: coverages) func aMarkIsTakenAway(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    defer { observed.source.stop() }
    _ = try observed.source.mark(observed.directory, for: .entriesWithoutAttributes)
    try PlainFiles.makeFolder(at: observed.folder.path("sub"))
    let sub = try observed.open("sub")
    let first = try observed.source.mark(sub, for: .entries)
    observed.source.unmark(first, of: sub)
    try PlainFiles.write([], to: observed.folder.path("sub/unseen"))
    // Without the directory at hand, its mark stays, and what it tells is thrown away.
    let second = try observed.source.mark(sub, for: .entries)
    observed.source.unmark(second, of: nil)
    try PlainFiles.write([], to: observed.folder.path("sub/unseen too"))
    try PlainFiles.write([], to: observed.folder.path("end"))
    let hints = try observed.collector.take(until: "end")
    #expect(!hints.contains { $0.directory == first || $0.directory == second })
  }

  /// `cp -a` sets the attributes of a folder when it is full, perhaps before it has a mark.
  @Test(arguments: coverages)
  func aChangeOfAFolderBeforeItWasMarkedIsTold(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    defer { observed.source.stop() }
    _ = try observed.source.mark(observed.directory, for: .entries)
    try PlainFiles.makeFolder(at: observed.folder.path("sub"))
    try PlainFiles.setPermissions(0o700, of: observed.folder.path("sub"))
    observed.source.deliverPending()
    let sub = try observed.source.mark(try observed.open("sub"), for: .entries)
    try PlainFiles.write([], to: observed.folder.path("end"))
    let hints = try observed.collector.take(until: "end")
    #expect(hints.contains { $0.directory == sub && $0.kinds == [.attributes, .directory] })
  }

  /// Its permissions may be given back: the parent's mark tells of that.
  @Test(arguments: coverages)
  func aFolderThatCannotBeMarkedIsRecognized(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    defer { observed.source.stop() }
    _ = try observed.source.mark(observed.directory, for: .entries)
    try PlainFiles.makeFolder(at: observed.folder.path("sub"))
    try PlainFiles.setPermissions(0o100, of: observed.folder.path("sub"))
    let sub = try observed.open("sub")
    if geteuid() != 0 { #expect(throws: Errno.permissionDenied) { try observed.source.mark(sub, for: .entries) } }
    let mark = try #require(observed.source.recognize(sub))
    try PlainFiles.write([], to: observed.folder.path("before"))
    _ = try observed.collector.take(until: "before")
    try PlainFiles.setPermissions(0o700, of: observed.folder.path("sub"))
    try PlainFiles.write([], to: observed.folder.path("end"))
    let hints = try observed.collector.take(until: "end")
    #expect(hints.contains { $0.directory == mark && $0.kinds == [.attributes, .directory] })
    #expect(try observed.source.mark(sub, for: .entries) == mark)
  }

  @Test(arguments: coverages)
  func nothingIsDeliveredAfterStopAndItCanStartAgain(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    _ = try observed.source.mark(observed.directory, for: .entriesWithoutAttributes)
    observed.source.stop()
    try PlainFiles.write([], to: observed.folder.path("a"))
    #expect(observed.collector.isEmpty)
    try observed.start()
    try PlainFiles.write([], to: observed.folder.path("b"))
    _ = try observed.collector.take(until: "b")
    observed.source.stop()
    observed.source.stop()
  }

  /// What happened before the call is told when it returns.
  @Test(arguments: coverages) func whatIsPendingIsDelivered(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try observed.start()
    defer { observed.source.stop() }
    _ = try observed.source.mark(observed.directory, for: .entriesWithoutAttributes)
    for number in 1...1_000 {
      try PlainFiles.makeFolder(at: observed.folder.path("\(number)"))
      observed.source.deliverPending()
      try #require(observed.collector.entryCount == number)
      try #require(observed.source.delivered >= UInt64(number))
    }
  }

  @Test(arguments: coverages) func aFileIsNoDirectoryToMark(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    try PlainFiles.write([], to: observed.folder.path("a"))
    let file = try FileName("a").withView { (name) throws(Errno) in
      try OwnedDescriptor.openPath(name, in: observed.directory.descriptor)
    }
    let handle = DirectoryHandle(file)
    #expect(throws: Errno.notDirectory) { try observed.source.mark(handle, for: .entriesWithoutAttributes) }
  }

  /// Nobody reads: the queue holds 16,384 records by default, for root too.
  @Test(arguments: coverages) func aFullQueueIsTold(_ coverage: FanotifySource.Coverage) throws {
    let observed = try Observed(coverage)
    let count = 17_000
    try observed.start()
    observed.source.stop()
    _ = try observed.source.mark(observed.directory, for: .entriesWithoutAttributes)
    for number in 0..<count { try PlainFiles.makeFolder(at: observed.folder.path("\(number)")) }
    observed.source.deliverPending()
    #expect(observed.collector.hasOverflowed)
  }

  /// The scan marks a folder before it knows that there are tags to be written: they must not fill the queue.
  @Test(arguments: coverages) func attributesThatAreNotWantedAnyMoreAreNotTold(
    _ coverage: FanotifySource.Coverage
  ) throws {
    let observed = try Observed(coverage)
    for name in ["a", "b", "end"] { try PlainFiles.write([], to: observed.folder.path(name)) }
    try observed.start()
    observed.source.stop()
    let mark = try observed.source.mark(observed.directory, for: .entries)
    #expect(try observed.source.mark(observed.directory, for: .entriesWithoutAttributes) == mark)
    for name in ["a", "b"] { try PlainFiles.setPermissions(0o600, of: observed.folder.path(name)) }
    #expect(try observed.source.mark(observed.directory, for: .entries) == mark)
    // Nothing has been read since, unless one mark covers everything: what the queue has now is told.
    try PlainFiles.setPermissions(0o600, of: observed.folder.path("end"))
    observed.source.deliverPending()
    #expect(try observed.collector.take(until: "end").map(\.kinds) == [.attributes])
  }

  /// Counted in a process of its own, because other tests open descriptors at the same time; with room for those that
  /// the runtime opens once.
  @Test func descriptorsAreGivenBack() async {
    await #expect(processExitsWith: .success) {
      func descriptors() -> Int { (0..<1024).count { fcntl($0, F_GETFD) != -1 } }
      let before = descriptors()
      for _ in 0..<20 {
        let source = try FanotifySource()
        try source.start { _ in }
        source.stop()
      }
      exit(descriptors() < before + 20 ? 0 : 1)
    }
  }
}
