import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

struct DirectoryReaderTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func entries() throws -> [FileName: (kind: ListedKind, inode: UInt64)] {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .list)
    var found: [FileName: (kind: ListedKind, inode: UInt64)] = [:]
    try DirectoryReader().forEachEntry(of: directory) { name, kind, inode in
      let previous = found.updateValue((kind, inode), forKey: FileName(name))
      #expect(previous == nil, "listed twice")
    }
    return found
  }

  @Test func anEmptyFolderHasNoEntries() throws {
    #expect(try entries().isEmpty)
  }

  /// More records than one buffer of 64 KiB holds.
  @Test func findsEachOfManyEntriesOnce() throws {
    let names = Set((0..<3000).map { FileName("\($0)-" + String(repeating: "n", count: 40)) })
    for name in names { try PlainFiles.write([], to: folder.path(name.description)) }
    #expect(Set(try entries().keys) == names)
  }

  @Test func givesNamesOfTheGreatestLengthAndNotUTF8() throws {
    let long = FileName(bytes: [UInt8](repeating: 0xff, count: 255))
    let short = FileName(bytes: [0x80])
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    for name in [long, short] {
      _ = try name.withView { (name) throws(Errno) in
        try OwnedDescriptor.create(name, in: directory, permissions: 0o600).number
      }
    }
    #expect(Set(try entries().keys) == [long, short])
  }

  @Test func tellsKindsAndInodes() throws {
    try PlainFiles.write([1], to: folder.path("file"))
    try PlainFiles.makeFolder(at: folder.path("folder"))
    try PlainFiles.makeSymlink(at: folder.path("link"), to: "nowhere")
    try PlainFiles.makePipe(at: folder.path("pipe"))
    let found = try entries()
    let expected: [String: ListedKind] = ["file": .file, "folder": .directory, "link": .symlink, "pipe": .special]
    #expect(found.count == expected.count)
    for (name, kind) in expected {
      let entry = try #require(found[FileName(name)])
      #expect(entry.kind == kind || entry.kind == .unknown, "\(name)")
      #expect(entry.inode == UInt64(try PlainFiles.status(of: folder.path(name)).st_ino))
    }
  }

  @Test func oneReaderReadsOneFolderAfterAnother() throws {
    try PlainFiles.makeFolder(at: folder.path("sub"))
    try PlainFiles.write([], to: folder.path("sub/inner"))
    let reader = DirectoryReader()
    var names: [String] = []
    for path in [folder.path, folder.path("sub"), folder.path] {
      let directory = try OwnedDescriptor.openDirectory(at: path, for: .list)
      try reader.forEachEntry(of: directory) { name, _, _ in names.append(FileName(name).description) }
    }
    #expect(names == ["sub", "inner", "sub"])
  }

  @Test func aFolderThatIsGoneIsAnErrorAndNotEmpty() throws {
    let path = folder.path("gone")
    try PlainFiles.makeFolder(at: path)
    let directory = try OwnedDescriptor.openDirectory(at: path, for: .list)
    try PlainFiles.removeFolder(path)
    #expect(throws: Errno.noSuchFileOrDirectory) {
      try DirectoryReader().forEachEntry(of: directory) { _, _, _ in }
    }
  }
}
