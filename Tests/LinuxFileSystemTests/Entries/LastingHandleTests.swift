import FileTestSupport
import Glibc
import SystemPackage
import Testing

@testable import LinuxFileSystem

/// Handles that may be stored.
struct LastingHandleTests {
  private func open(_ path: FilePath) throws -> OwnedDescriptor {
    let directory = try OwnedDescriptor.openDirectory(at: path.removingLastComponent(), for: .search)
    guard let name = path.lastComponent else { throw Errno.invalidArgument }
    return try FileName(name).withView { (view) throws(Errno) in try OwnedDescriptor.openPath(view, in: directory) }
  }

  private func handle(_ path: FilePath) throws -> LastingHandle? {
    let file = try open(path)
    return LastingHandle.of(file, on: try FileSystemType.of(file))
  }

  @Test func aHandleStaysWithItsFileAndComesNeverBack() throws {
    let folder = try ScratchFolder()
    try PlainFiles.write([], to: folder.path("a"))
    guard let first = try handle(folder.path("a")) else { try Test.cancel("the file system has no lasting handles") }
    try PlainFiles.rename(folder.path("a"), to: folder.path("b"))
    #expect(try handle(folder.path("b")) == first)
    #expect(LastingHandle(type: first.type, bytes: first.bytes) == first)
    try PlainFiles.remove(folder.path("b"))
    try PlainFiles.write([], to: folder.path("a"))
    #expect(try handle(folder.path("a")) != first)
  }

  @Test(.enabled(if: geteuid() == 0, "needs CAP_DAC_READ_SEARCH")) func aFileIsOpenedByItsHandle() throws {
    let folder = try ScratchFolder()
    try PlainFiles.makePipe(at: folder.path("fifo"))
    guard let handle = try handle(folder.path("fifo")) else {
      try Test.cancel("the file system has no lasting handles")
    }
    let mount = try OwnedDescriptor.openDirectory(at: folder.path, for: .list)
    try PlainFiles.rename(folder.path("fifo"), to: folder.path("moved"))
    // A FIFO that was opened for reading would wait for a writer.
    #expect(FilePath.ofOpen(try handle.open(on: mount)) == folder.path("moved"))
    try PlainFiles.remove(folder.path("moved"))
    #expect(throws: Errno.staleNFSFileHandle) { _ = try handle.open(on: mount) }
  }

  @Test func aHandleHasAtMostAsManyBytesAsTheKernelTakes() {
    #expect(LastingHandle(type: 1, bytes: []) == nil)
    #expect(LastingHandle(type: 1, bytes: [UInt8](repeating: 0, count: 129)) == nil)
    #expect(LastingHandle(type: 1, bytes: [UInt8](repeating: 0, count: 128)) != nil)
  }
}
