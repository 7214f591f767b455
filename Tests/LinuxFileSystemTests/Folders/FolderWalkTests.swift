import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

struct FolderWalkTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for name in ["a", "a/b", "a/b/c", "empty"] { try PlainFiles.makeFolder(at: folder.path(name)) }
    for name in ["1", "a/2", "a/b/c/3"] { try PlainFiles.write([1], to: folder.path(name)) }
    try PlainFiles.makeSymlink(at: folder.path("a/link"), to: "..")
  }

  private func open(_ path: FilePath) throws -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.openDirectory(at: path, for: .list))
  }

  @Test func everythingIsVisitedAndFoldersAreLeftAfterTheirContents() throws {
    var walk = try FolderWalk(open(folder.path))
    var visits: [String] = []
    while let stop = try walk.next() {
      switch stop.visit {
      case .item: visits.append(stop.path.string)
      case .enters: visits.append("+" + stop.path.string)
      case .leaves: visits.append("-" + stop.path.string)
      case .mountPoint: Issue.record("nothing is mounted here")
      }
    }
    #expect(
      visits.sorted() == [
        "+a", "+a/b", "+a/b/c", "+empty", "-a", "-a/b", "-a/b/c", "-empty", "1", "a/2", "a/b/c/3", "a/link",
      ])
    let order = ["+a", "+a/b", "+a/b/c", "a/b/c/3", "-a/b/c", "-a/b", "-a"].compactMap { visits.firstIndex(of: $0) }
    #expect(order == order.sorted() && order.count == 7)
  }

  @Test func aFolderIsPassedOver() throws {
    var walk = try FolderWalk(open(folder.path))
    var visits: Set<String> = []
    while let stop = try walk.next() {
      visits.insert(stop.path.string)
      if case .enters = stop.visit, stop.name == FileName("a") { walk.skip() }
    }
    #expect(visits == ["1", "a", "empty"])
  }

  @Test func aTreeIsRemovedWithoutWhatItsLinksPointAt() throws {
    try PlainFiles.setPermissions(0o500, of: folder.path("empty"))
    try TreeRemoval.check(contentsOf: open(folder.path("a")))
    try TreeRemoval.remove(FileName("a"), from: open(folder.path))
    #expect(folder.names() == ["1", "empty"])
    TreeRemoval.removeOwn(FileName("empty"), from: try open(folder.path))
    try TreeRemoval.remove(FileName("1"), from: open(folder.path))
    #expect(folder.names() == [])
  }

  @Test func whatIsMissingIsAnError() throws {
    let error = #expect(throws: FailedItem.self) {
      try TreeRemoval.remove(FileName("missing"), from: open(folder.path))
    }
    #expect(error?.errno == .noSuchFileOrDirectory)
  }

  /// Before 1970 too.
  @Test(arguments: [-1_500_000_000, 0, 1_234_567_890_123_456_789] as [Int64])
  func aTimeOfModificationIsSet(_ time: Int64) throws {
    let handle = try open(folder.path("empty"))
    try handle.descriptor.setModified(time)
    #expect(try FileStatus.of(handle.descriptor).modified == time)
  }
}
