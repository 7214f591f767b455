import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

struct WriterProbeTests {
  private let folder: ScratchFolder
  private let path: FilePath

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("document")
    try PlainFiles.write([1, 2, 3, 4], to: path)
  }

  private func probe(_ name: String = "document") throws -> WriterProbe {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    return FileName(name).withView { WriterProbe.of($0, in: directory) }
  }

  /// Whether nobody writes it in the end: what another test starts has what is open here until it executes its program.
  private func isAtRest() throws -> Bool {
    let deadline = MonotonicTime.now + 20_000_000_000
    while MonotonicTime.now < deadline {
      if try probe() == .nobodyWrites { return true }
      sched_yield()
    }
    return false
  }

  @Test func aFileAtRestIsWrittenByNobody() throws {
    #expect(try isAtRest())
    #expect(try isAtRest(), "the lease was given back")
  }

  @Test func aReaderIsNoWriter() throws {
    let reader = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    #expect(try reader.closeAfter { try isAtRest() })
  }

  @Test(arguments: [FileDescriptor.AccessMode.writeOnly, .readWrite])
  func anOpenWriterIsSeen(_ mode: FileDescriptor.AccessMode) throws {
    let writer = try FileDescriptor.open(path, mode, options: .closeOnExec)
    let seen = try writer.closeAfter { try probe() }
    #expect(seen == .beingWritten)
    #expect(try isAtRest())
  }

  @Test func aSharedMappingIsSeenAfterItsDescriptorIsClosed() throws {
    let file = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
    let mapping = unsafe mmap(nil, 4, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0)
    try file.close()
    let isMapped = unsafe mapping != MAP_FAILED
    try #require(isMapped)
    #expect(try probe() == .beingWritten)
    unsafe munmap(mapping, 4)
    #expect(try isAtRest())
  }

  @Test func whatIsNoFileIsUnknown() throws {
    try PlainFiles.makePipe(at: folder.path("pipe"))
    try PlainFiles.makeSymlink(at: folder.path("link"), to: path)
    #expect(try probe("pipe") == .unknown)
    #expect(try probe("link") == .unknown)
    #expect(try probe(".") == .unknown)
    #expect(try probe("missing") == .unknown)
  }

  /// A probe that opened the FIFO for reading would let the writer's open succeed.
  @Test func aPipeIsNotOpened() throws {
    try PlainFiles.makePipe(at: folder.path("pipe"))
    let events = try InotifyInstance()
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    _ = try events.watch(directory, for: InotifyMask(rawValue: 0x20))  // IN_OPEN
    #expect(try probe("pipe") == .unknown)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { unsafe buffer.deallocate() }
    var opened: [String] = []
    _ = unsafe try events.readEvents(into: buffer) { event in
      unsafe opened.append(String(decoding: event.name, as: UTF8.self))
    }
    #expect(!opened.contains("pipe"))
  }

  /// Leases need the owner.
  ///
  /// Only root can become somebody else here; the child does so and tells with its exit status.
  @Test(.enabled(if: geteuid() == 0)) func anothersFileIsUnknown() async throws {
    try PlainFiles.setPermissions(0o755, of: folder.path)
    let folderPath = folder.path.string
    await #expect(processExitsWith: .exitCode(17)) { [folderPath = folderPath as String] in
      guard setgid(65534) == 0, setuid(65534) == 0 else { exit(1) }
      let directory = try OwnedDescriptor.openDirectory(at: FilePath(folderPath), for: .search)
      let seen = FileName("document").withView { WriterProbe.of($0, in: directory) }
      exit(seen == .unknown ? 17 : 2)
    }
  }
}
