import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

/// Which files are read, and whether one that changes meanwhile is noticed.
struct ContentReadingTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func write(_ name: String, _ bytes: [UInt8], at time: Int = 1_000_000) throws {
    try PlainFiles.write(bytes, to: folder.path(name))
  }

  /// Opens a file, once its last change is not too young.
  private func open(
    _ name: String, if isWanted: (FileStatus) -> Bool = { _ in true }
  ) throws(Errno) -> ContentReading {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    while true {
      do throws(Errno) {
        return try FileName(name).withView { (view) throws(Errno) in
          try ContentReading.open(view, in: directory, if: isWanted)
        }
      } catch {
        if error != .resourceTemporarilyUnavailable { throw error }
        sched_yield()
      }
    }
  }

  /// All bytes of a file; `nil` if it was changed while it was read.
  private func read(
    _ name: String, meanwhile body: (Int) throws -> Void = { _ in }
  ) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    var failure: (any Error)?
    let isWhole = unsafe try open(name).forEachPart { part in
      unsafe bytes.append(contentsOf: part)
      do { try body(bytes.count) } catch { failure = error }
      return true
    }
    if let failure { throw failure }
    return isWhole ? bytes : nil
  }

  private func error(of name: String) -> Errno? {
    do throws(Errno) {
      _ = try open(name)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [0, 1, 64, ContentReading.partSize, ContentReading.partSize + 1, 1_000_000])
  func filesOfAnySizeAreReadToTheirEnd(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try write("file", bytes)
    #expect(try read("file") == bytes)
  }

  @Test func whatIsNoRegularFileIsNotOpened() throws {
    try write("file", [1])
    try PlainFiles.makeSymlink(at: folder.path("link"), to: folder.path("file"))
    try PlainFiles.makePipe(at: folder.path("pipe"))
    try PlainFiles.makeFolder(at: folder.path("folder"))
    for name in ["link", "pipe", "folder"] { #expect(error(of: name) == .invalidArgument, "\(name)") }
    #expect(error(of: "nothing") == .noSuchFileOrDirectory)
  }

  /// A writer of a FIFO waits until somebody reads it: the look at it must not count as that.
  @Test func aPipeWithAWaitingWriterStaysAlone() throws {
    try PlainFiles.makePipe(at: folder.path("pipe"))
    #expect(error(of: "pipe") == .invalidArgument)
    let writer = unsafe folder.path("pipe").withPlatformString { unsafe Glibc.open($0, O_WRONLY | O_NONBLOCK) }
    // Nobody reads it.
    #expect(writer == -1 && errno == ENXIO)
  }

  @Test(.enabled(if: geteuid() != 0)) func aFileThatMayNotBeReadIsReported() throws {
    try write("file", [1])
    try PlainFiles.setPermissions(0, of: folder.path("file"))
    #expect(error(of: "file") == .permissionDenied)
  }

  @Test func anUnwantedFileIsNotOpened() throws {
    try write("file", [1, 2, 3])
    do throws(Errno) {
      _ = try open("file") { $0.size != 3 }
      #expect(Bool(false))
    } catch {
      #expect(error == .invalidArgument)
    }
  }

  @Test func aFileThatHasJustChangedIsReadLater() throws {
    try write("file", [1])
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    // Within the tick of the file system's clock: a later change would have the same time.
    var seen: Set<Errno?> = []
    for _ in 0..<50 {
      try write("file", [2])
      do throws(Errno) {
        _ = try FileName("file").withView { (view) throws(Errno) in try ContentReading.open(view, in: directory) }
        seen.insert(nil)
      } catch {
        seen.insert(error)
      }
    }
    #expect(seen.contains(.resourceTemporarilyUnavailable))
  }

  @Test func aFileThatIsWrittenMeanwhileIsNoticed() throws {
    let bytes = [UInt8](repeating: 7, count: 3 * ContentReading.partSize)
    try write("file", bytes)
    let path = folder.path("file")
    // In the place of what was read, at the end, and shorter.
    let changes: [(FileDescriptor) throws -> Void] = [
      { _ = try $0.writeAll([8]) }, { _ = try $0.writeAll(toAbsoluteOffset: Int64(bytes.count), [8]) },
      { try $0.resize(to: 100) },
    ]
    for change in changes {
      try write("file", bytes)
      let read = try read("file") { count in
        guard count == ContentReading.partSize else { return }
        let file = try FileDescriptor.open(path, .writeOnly)
        try file.closeAfter { try change(file) }
      }
      #expect(read == nil)
    }
  }

  @Test func aFileThatIsReplacedMeanwhileIsReadAsItWas() throws {
    let bytes = [UInt8](repeating: 7, count: 2 * ContentReading.partSize)
    try write("file", bytes)
    try write("other", [1])
    let read = try read("file") { count in
      if count == ContentReading.partSize { try PlainFiles.rename(folder.path("other"), to: folder.path("file")) }
    }
    // The rename has changed the inode's time: it has no name any more.
    #expect(read == nil || read == bytes)
  }

  @Test func theReadingCanBeEnded() throws {
    try write("file", [UInt8](repeating: 7, count: 2 * ContentReading.partSize))
    var parts = 0
    let isWhole = unsafe try open("file").forEachPart { _ in
      parts += 1
      return false
    }
    #expect(!isWhole && parts == 1)
  }

  @Test func theTimeOfAccessStays() throws {
    try write("file", [1, 2, 3])
    let path = folder.path("file")
    let times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 2_000, tv_nsec: 0)]
    _ = unsafe path.withPlatformString { unsafe utimensat(AT_FDCWD, $0, times, 0) }
    #expect(try read("file") == [1, 2, 3])
    #expect(try PlainFiles.status(of: path).st_atim.tv_sec == 1_000)
  }

  @Test func aDiskImageWithHolesIsNotRead() throws {
    for (name, size) in [("image", 1 << 30), ("small", 1 << 20)] as [(String, Int64)] {
      try write(name, [1])
      let file = try FileDescriptor.open(folder.path(name), .writeOnly)
      try file.closeAfter { try file.resize(to: size) }
    }
    #expect(error(of: "image") == .fileTooLarge && error(of: "small") == nil)
  }
}
