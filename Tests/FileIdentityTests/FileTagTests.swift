import FileIdentity
import FileTestSupport
import LinuxFileSystem
import SystemPackage
import Testing

struct FileTagTests {
  private static let uuid = UUIDBits(high: 0x8075_c88f_f44b_57c2, low: 0xb3f2_e3a1_d7e8_4e13)
  private static let other = UUIDBits(high: 0xd2ee_0254_111f_5fc3, low: 0x97c6_d6b8_a586_8d06)
  private let tag = FileTag()
  private let folder: ScratchFolder
  private let path: FilePath

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("document")
    try PlainFiles.write([1], to: path)
  }

  private func open(_ name: String = "document") throws -> OwnedDescriptor {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    return try FileName(name).withView { (name) throws(Errno) in try OwnedDescriptor.openPath(name, in: directory) }
  }

  private func read(_ name: String = "document") throws -> TagReading {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    let byName = FileName(name).withView { tag.read(of: $0, in: directory) }
    let byDescriptor = tag.read(of: try open(name))
    #expect(byName == byDescriptor)
    return byName
  }

  private func claim(_ uuid: UUIDBits, _ name: String = "document") throws -> Bool {
    try tag.claim(uuid, of: open(name))
  }

  private func remove() throws -> Bool {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    return try FileName("document").withView { (name) throws(Errno) in try tag.remove(from: name, in: directory) }
  }

  @Test func whoeverClaimsFirstWins() throws {
    #expect(try read() == .none)
    #expect(try claim(Self.uuid))
    #expect(try read() == .uuid(Self.uuid))
    #expect(try !claim(Self.other))
    #expect(try read() == .uuid(Self.uuid))
    #expect(try PlainFiles.attribute(FileTag.defaultName, of: path) == Array(Self.uuid.description.utf8))
  }

  @Test func replacingWritesOverAnything() throws {
    for present in [nil, Array(Self.other.description.utf8), [0], [UInt8](repeating: 0x61, count: 1000)] {
      if let present { try PlainFiles.setAttribute(FileTag.defaultName, of: path, to: present) }
      try tag.replace(with: Self.uuid, of: open())
      #expect(try read() == .uuid(Self.uuid))
    }
  }

  @Test func removingTellsWhetherThereWasOne() throws {
    #expect(try !remove())
    _ = try claim(Self.uuid)
    #expect(try remove())
    #expect(try read() == .none)
  }

  @Test func anUpperCaseTagOfAnotherProgramIsRead() throws {
    try PlainFiles.setAttribute(FileTag.defaultName, of: path, to: Array(Self.uuid.description.uppercased().utf8))
    #expect(try read() == .uuid(Self.uuid))
    #expect(try !claim(Self.uuid))
  }

  @Test(arguments: [0, 1, 16, 35, 36, 37, 64, 65, 4000])
  func whatIsNoUUIDIsGarbage(_ length: Int) throws {
    let value = [UInt8](repeating: UInt8(ascii: "g"), count: length)
    try PlainFiles.setAttribute(FileTag.defaultName, of: path, to: value)
    #expect(try read() == .garbage)
    #expect(try read().uuid == nil)
    #expect(try !claim(Self.uuid), "garbage is not overwritten by a claim")
  }

  /// The greatest value that any file system takes; ext4 has no room for it.
  @Test(.enabled(if: PlainFiles.isWritable("/dev/shm")))
  func aValueOf60KilobytesIsGarbage() throws {
    let memory = try ScratchFolder(in: "/dev/shm")
    try PlainFiles.write([], to: memory.path("document"))
    do {
      let value = [UInt8](repeating: UInt8(ascii: "a"), count: 60_000)
      try PlainFiles.setAttribute(FileTag.defaultName, of: memory.path("document"), to: value)
    } catch Errno.noSpace {
      try Test.cancel("this kernel's tmpfs has no room for it")
    }
    let directory = try OwnedDescriptor.openDirectory(at: memory.path, for: .search)
    let reading = FileName("document").withView { tag.read(of: $0, in: directory) }
    #expect(reading == .garbage)
  }

  @Test func aFolderBearsATagAndALinkDoesNot() throws {
    try PlainFiles.makeFolder(at: folder.path("folder"))
    try PlainFiles.makeSymlink(at: folder.path("link"), to: path)
    #expect(try claim(Self.uuid, "folder"))
    #expect(try read("folder") == .uuid(Self.uuid))
    #expect(throws: Errno.notPermitted) { try claim(Self.other, "link") }
    #expect(try read() == .none, "the link was not followed")
  }

  @Test func aMissingFileIsUnreadable() throws {
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    let reading = FileName("missing").withView { tag.read(of: $0, in: directory) }
    #expect(reading == .unreadable)
    #expect(throws: Errno.noSuchFileOrDirectory) { try claim(Self.uuid, "missing") }
  }

  @Test func writingATagChangesNothingElse() throws {
    try PlainFiles.setPermissions(0o640, of: path)
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    func status() throws -> FileStatus {
      try FileName("document").withView { (name) throws(Errno) in try FileStatus.of(name, in: directory) }
    }
    let before = try status()
    _ = try claim(Self.uuid)
    var after = try status()
    after.changed = before.changed
    #expect(after == before)
    #expect(try PlainFiles.read(path) == [1])
  }

  @Test func theNameIsTheAppsChoice() throws {
    let own = FileTag(name: "user.example.id")
    #expect(try own.claim(Self.uuid, of: open()))
    #expect(try read() == .none)
    #expect(try PlainFiles.attribute("user.example.id", of: path)?.count == 36)
  }

  @Test func keysTellInodesApart() throws {
    try PlainFiles.write([], to: folder.path("second"))
    try PlainFiles.makeLink(at: folder.path("third"), to: path)
    func key(_ name: String) throws -> FileKey { FileKey(try FileStatus.of(path: folder.path(name))) }
    #expect(try key("document") == key("third"))
    #expect(try key("document") != key("second"))
  }
}
