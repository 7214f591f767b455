import FileSystemObservation
import FileTestSupport
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

/// The removal of what operations of killed processes have left.
///
/// `KillTests` has it after each system call.
@Suite struct LeftoverTests {
  private static let day: Int64 = 24 * 60 * 60 * 1_000_000_000
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try PlainFiles.makeFolder(at: folder.path("sub"))
    for name in ["document.txt", "sub/.fsobserver-1.tmp", ".fsobserver-2.save", ".fsobserver-3", "fsobserver-4.tmp"] {
      try PlainFiles.write([1], to: folder.path(name))
    }
    try PlainFiles.makeFolder(at: folder.path(".fsobserver-5.tmp"))
    try PlainFiles.write([1], to: folder.path(".fsobserver-5.tmp/.fsobserver-6.tmp"))
    try PlainFiles.setPermissions(0o500, of: folder.path(".fsobserver-5.tmp"))
    try PlainFiles.makeSymlink(at: folder.path(".fsobserver-7.tmp"), to: "document.txt")
  }

  @Test func whatIsLeftIsRemoved_butNotWhatMayBeASave() {
    let leftovers = LeftoverRemoval.run(below: [folder.path], unchangedFor: 0)
    let removed = [".fsobserver-5.tmp", ".fsobserver-7.tmp", "sub/.fsobserver-1.tmp"].map(folder.path)
    #expect(Set(leftovers.removed) == Set(removed) && leftovers.problems == [])
    #expect(leftovers.kept == [folder.path(".fsobserver-2.save")])
    #expect(
      folder.names().sorted()
        == [".fsobserver-2.save", ".fsobserver-3", "document.txt", "fsobserver-4.tmp", "sub"])
  }

  @Test func whatWasChangedJustNowStays() {
    let before = folder.names()
    #expect(LeftoverRemoval.run(below: [folder.path], unchangedFor: Self.day) == FileSystemObserver.Leftovers())
    #expect(folder.names() == before)
  }

  /// An operation that copies a large folder holds the lock of what it makes.
  @Test func whatAnOperationUsesStays() throws {
    let directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .search))
    var file = TemporaryName(in: directory)
    var copy = TemporaryName(in: directory)
    let open = try file.createFile()
    let top = try copy.createFolder()
    let used = [file.name, copy.name].map { folder.path.appending(bytes: $0.bytes) }
    let leftovers = LeftoverRemoval.run(below: [folder.path], unchangedFor: 0)
    #expect(leftovers.removed.allSatisfy { !used.contains($0) } && leftovers.problems == [])
    for path in used { #expect(throws: Never.self) { try PlainFiles.status(of: path) } }
    file.abandon()
    copy.abandon()
    _ = consume open
    _ = consume top
    #expect(Set(LeftoverRemoval.run(below: [folder.path], unchangedFor: 0).removed).isSuperset(of: used))
  }

  @Test func aFolderThatIsMissingIsAProblem() {
    let leftovers = LeftoverRemoval.run(below: [folder.path("nowhere")], unchangedFor: 0)
    #expect(leftovers.problems.count == 1 && leftovers.removed == [])
  }

  @Test func anObserverRemovesThemInItsDirectories() async {
    let observer = FileSystemObserver(directory: folder.path("sub"))
    let leftovers = await observer.removeLeftovers(unchangedFor: .zero)
    #expect(leftovers.removed == [folder.path("sub/.fsobserver-1.tmp")])
    #expect(await observer.removeLeftovers() == FileSystemObserver.Leftovers())
  }
}
