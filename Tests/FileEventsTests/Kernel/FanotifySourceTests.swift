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
}
