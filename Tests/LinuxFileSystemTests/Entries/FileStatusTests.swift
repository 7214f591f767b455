import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

struct FileStatusTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func status(_ name: String) throws -> FileStatus {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    return try FileName(name).withView { (name) throws(Errno) in try FileStatus.of(name, in: directory) }
  }

  @Test func tellsEveryKindAndFollowsNoLink() throws {
    try PlainFiles.write([], to: folder.path("file"))
    try PlainFiles.makeSymlink(at: folder.path("link"), to: folder.path("file"))
    try PlainFiles.makeSymlink(at: folder.path("dangling"), to: "nowhere")
    try PlainFiles.makePipe(at: folder.path("pipe"))
    #expect(try status("file").kind == .file)
    #expect(try status("link").kind == .symlink)
    #expect(try status("dangling").kind == .symlink)
    #expect(try status("pipe").kind == .special)
    #expect(try status(".").kind == .directory)
    #expect(try FileStatus.of(path: folder.path("link")).kind == .symlink)
    #expect(try FileStatus.of(path: "/dev/null").kind == .special)
  }

  @Test func agreesWithStat() throws {
    let path = folder.path("file")
    try PlainFiles.write([1, 2, 3], to: path)
    try PlainFiles.makeLink(at: folder.path("second"), to: path)
    try PlainFiles.setPermissions(0o640, of: path)
    let (seen, expected) = (try status("file"), try PlainFiles.status(of: path))
    #expect(seen.device == UInt64(expected.st_dev))
    #expect(seen.inode == UInt64(expected.st_ino))
    #expect(seen.size == 3)
    #expect(seen.linkCount == 2)
    #expect(seen.permissions == 0o640)
    #expect(seen.owner == geteuid())
    #expect(seen.modified == Int64(expected.st_mtim.tv_sec) * 1_000_000_000 + Int64(expected.st_mtim.tv_nsec))
    #expect(seen.changed == Int64(expected.st_ctim.tv_sec) * 1_000_000_000 + Int64(expected.st_ctim.tv_nsec))
  }

  @Test func aDescriptorForSearchingTellsTheSameAsTheName() throws {
    try PlainFiles.makeFolder(at: folder.path("sub"))
    let sub = try OwnedDescriptor.openDirectory(at: folder.path("sub"), for: .search)
    #expect(try FileStatus.of(sub) == status("sub"))
  }

  @Test func aNameThatIsNotThereIsAnError() {
    #expect(throws: Errno.noSuchFileOrDirectory) { try status("missing") }
  }

  @Test func timesBeforeTheEpochAreNegative() throws {
    #expect(try modified(settingTo: timespec(tv_sec: -2, tv_nsec: 500_000_000)) == -1_500_000_000)
  }

  /// Nanoseconds since the epoch are enough for 292 years.
  @Test func aTimeInAFarFutureIsTheLastOne() throws {
    // The year 2300. Some file systems end before that.
    let seen = try modified(settingTo: timespec(tv_sec: 10_413_792_000, tv_nsec: 7))
    #expect(seen == 9_223_372_035_000_000_007 || seen > 2_000_000_000_000_000_000 && seen < 9_223_372_035_000_000_000)
  }

  private func modified(settingTo time: timespec) throws -> Int64 {
    let path = folder.path("dated")
    try PlainFiles.write([], to: path)
    let result = unsafe path.withPlatformString { unsafe utimensat(AT_FDCWD, $0, [time, time], 0) }
    try #require(result == 0)
    return try status("dated").modified
  }

  @Test func theFileSystemIsTheSameForAllInIt() throws {
    try PlainFiles.makeFolder(at: folder.path("sub"))
    let outer = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    let inner = try OwnedDescriptor.openDirectory(at: folder.path("sub"), for: .search)
    let description = try FileSystemDescription.of(outer)
    #expect(try FileSystemDescription.of(inner) == description)
    #expect(description.type != 0)
    let processes = try FileSystemDescription.of(OwnedDescriptor.openDirectory(at: "/proc", for: .search))
    #expect(processes.type == 0x9fa0)
  }
}
