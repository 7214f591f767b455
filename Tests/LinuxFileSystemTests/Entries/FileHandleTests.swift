import FileTestSupport
import Glibc
import SystemPackage
import Testing

@testable import LinuxFileSystem

/// Handles as the identity of files.
struct FileHandleTests {
  private func handle(_ path: FilePath) throws -> KernelHandle {
    let directory = try OwnedDescriptor.openDirectory(at: path.removingLastComponent(), for: .search)
    guard let name = path.lastComponent else { throw Errno.invalidArgument }
    return try FileName(name).withView { (view) throws(Errno) in
      try KernelHandle.of(OwnedDescriptor.openPath(view, in: directory))
    }
  }

  /// ext4 gives the number of a removed file to the next one at once.
  @Test func aHandleStaysWithItsFileAndComesNeverBack() throws {
    let folder = try ScratchFolder()
    try PlainFiles.write([], to: folder.path("a"))
    let first = try handle(folder.path("a"))
    try PlainFiles.rename(folder.path("a"), to: folder.path("b"))
    #expect(try handle(folder.path("b")) == first)
    try PlainFiles.remove(folder.path("b"))
    try PlainFiles.write([], to: folder.path("a"))
    #expect(try handle(folder.path("a")) != first)
  }

  @Test(arguments: ["/var/tmp", "/dev/shm"]) func theInodeNumberIsFoundInHandles(_ parent: String) throws {
    let folder = try ScratchFolder(in: FilePath(parent))
    var rule = InodeRule()
    try PlainFiles.write([], to: folder.path("file"))
    let file = try handle(folder.path("file"))
    #expect(rule.inode(of: file) == 0, "nothing is known yet")
    for number in 0..<20 {
      let path = folder.path("d\(number)")
      try PlainFiles.makeFolder(at: path)
      rule.learn(try handle(path), inode: UInt64(try PlainFiles.status(of: path).st_ino))
    }
    #expect(rule.inode(of: file) == UInt64(try PlainFiles.status(of: folder.path("file")).st_ino))
    #expect(!rule.wantsSamples)
  }

  /// Where the numbers are not where they were taken to be, nothing is taken for one.
  @Test func aRuleThatFailsIsGivenUp() throws {
    let folder = try ScratchFolder()
    let handle = try handle(folder.path)
    var rule = InodeRule()
    rule.learn(handle, inode: UInt64(try PlainFiles.status(of: folder.path).st_ino))
    rule.learn(handle, inode: 1)
    #expect(rule.inode(of: handle) == 0)
    #expect(!rule.wantsSamples)
  }

  @Test func digestsTellBytesApart() {
    var digests: Set<Digest> = []
    for count in 0..<40 {
      for byte in [0, 1, 0xff] as [UInt8] {
        var digest = Digest()
        unsafe [UInt8](repeating: byte, count: count).span.withUnsafeBytes { unsafe digest.combine($0) }
        digests.insert(digest)
      }
    }
    #expect(digests.count == 1 + 39 * 3)
  }
}
