import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

struct ItemRenameTests {
  private let folder: ScratchFolder
  private let handle: DirectoryHandle

  init() throws {
    folder = try ScratchFolder()
    handle = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .search))
    try PlainFiles.write([1], to: folder.path("file"))
    try PlainFiles.makeFolder(at: folder.path("folder"))
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "nowhere")
  }

  /// One of the ways to rename without replacing.
  enum Way: CaseIterable {
    case kernel, checked

    func rename(_ name: String, to newName: String, in handle: DirectoryHandle) throws(Errno) {
      switch self {
      case .kernel: try ItemRename.rename(FileName(name), in: handle, to: FileName(newName), in: handle)
      case .checked: try ItemRename.renameChecked(FileName(name), in: handle, to: FileName(newName), in: handle)
      }
    }
  }

  @Test(arguments: ["file", "folder", "link"], Way.allCases) func anItemGetsAFreeName(_ name: String, _ way: Way) throws
  {
    let inode = try PlainFiles.status(of: folder.path(name)).st_ino
    try way.rename(name, to: "new", in: handle)
    #expect(try PlainFiles.status(of: folder.path("new")).st_ino == inode)
    #expect(!folder.names().contains(name) && folder.names().count == 3)
  }

  @Test(arguments: ["file", "folder", "link"], Way.allCases) func nothingIsReplaced(_ name: String, _ way: Way) throws {
    for target in ["file", "folder", "link"] where target != name {
      #expect(throws: Errno.fileExists) { try way.rename(name, to: target, in: handle) }
    }
    #expect(throws: Errno.noSuchFileOrDirectory) { try way.rename("missing", to: "new", in: handle) }
    #expect(folder.names() == ["file", "folder", "link"])
    #expect(try PlainFiles.read(folder.path("file")) == [1])
  }
}
