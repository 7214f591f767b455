import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

struct TemporaryNameTests {
  private let folder: ScratchFolder
  private let directory: DirectoryHandle

  init() throws {
    folder = try ScratchFolder()
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .search))
  }

  private enum Interruption: Error { case here }

  @Test func leavesNothingBehindOnAnError() {
    #expect(throws: Interruption.here) {
      var temporary = TemporaryName(in: directory)
      let file = try temporary.createFile()
      let names = folder.names()
      #expect(names.count == 1 && names.allSatisfy { $0.hasPrefix(".fsobserver-") && $0.hasSuffix(".tmp") })
      #expect(try FileStatus.of(file).permissions == 0o600)
      throw Interruption.here
    }
    #expect(folder.names() == [])
  }

  @Test func isKnownByItsName() throws {
    var temporary = TemporaryName(in: directory)
    _ = try temporary.createFile().number
    let name = try #require(folder.names().first)
    #expect(FileName(name).withView { TemporaryName.isTemporary($0) })
    #expect(!FileName(".fsobserver").withView { TemporaryName.isTemporary($0) })
    #expect(!FileName("document").withView { TemporaryName.isTemporary($0) })
  }

  @Test func takesTheNameOfWhatIsThere() throws {
    try PlainFiles.write([1], to: folder.path("target"))
    var temporary = TemporaryName(in: directory)
    let inode = try FileStatus.of(temporary.createFile()).inode
    try temporary.publish(replacing: FileName("target"))
    #expect(try PlainFiles.status(of: folder.path("target")).st_ino == inode)
    #expect(folder.names() == ["target"])
  }

  @Test func takesAFreeNameOnly() throws {
    var first = TemporaryName(in: directory)
    let inode = try FileStatus.of(first.createFile()).inode
    try first.publish(as: FileName("target"))
    #expect(folder.names() == ["target"])
    #expect(throws: Errno.fileExists) {
      var second = TemporaryName(in: directory)
      _ = try second.createFile().number
      try second.publish(as: FileName("target"))
    }
    #expect(folder.names() == ["target"])
    #expect(try PlainFiles.status(of: folder.path("target")).st_ino == inode)
    #expect(try PlainFiles.status(of: folder.path("target")).st_nlink == 1)
  }
}
