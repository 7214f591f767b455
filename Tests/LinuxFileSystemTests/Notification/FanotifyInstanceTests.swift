import FileTestSupport
import Glibc
import SystemPackage
import Testing

@testable import LinuxFileSystem

private struct Seen: Equatable {
  var mask: FanotifyMask
  var isOwn: Bool
  var place: String?
  var old: String?
  var new: String?
  var file: FileHandle?
}

/// What the kernel tells: as an ordinary user, each folder marked.
struct FanotifyInstanceTests {
  private static let mask: FanotifyMask = [
    .create, .delete, .rename, .modify, .closeWrite, .attribute, .onDirectory, .onChild,
  ]

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func open(_ path: FilePath) throws -> OwnedDescriptor {
    try OwnedDescriptor.openDirectory(at: path, for: .search)
  }

  private func handle(_ name: String) throws -> FileHandle {
    let directory = try open(folder.path)
    return try FileName(name).withView { (view) throws(Errno) in
      try KernelHandle.of(OwnedDescriptor.openPath(view, in: directory)).handle
    }
  }

  private func events(of group: borrowing FanotifyInstance) throws -> [Seen] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { unsafe buffer.deallocate() }
    var seen: [Seen] = []
    while unsafe try group.readEvents(into: buffer, { unsafe seen.append(Self.seen($0)) }) {}
    return seen
  }

  private static func seen(_ event: FanotifyEvent) -> Seen {
    let names = unsafe [event.place, event.old, event.new].map { place in
      unsafe place.map { unsafe String(decoding: $0.name, as: UTF8.self) }
    }
    return unsafe Seen(
      mask: event.mask, isOwn: event.isOwn, place: names[0], old: names[1], new: names[2], file: event.file?.handle)
  }

  @Test func aRenameIsOneRecordWithBothNamesAndTheFile() throws {
    let group = try FanotifyInstance(usingPrivilege: false)
    try group.mark(try open(folder.path), for: Self.mask)
    #expect(try events(of: group).isEmpty, "nothing has happened, and reading does not block")
    try PlainFiles.write([1], to: folder.path("a"))
    let file = try handle("a")
    try PlainFiles.rename(folder.path("a"), to: folder.path("b"))
    try PlainFiles.remove(folder.path("b"))
    #expect(
      try events(of: group) == [
        Seen(mask: [.create, .modify, .closeWrite], isOwn: true, place: "a", file: file),
        Seen(mask: .rename, isOwn: true, old: "a", new: "b", file: file),
        Seen(mask: .delete, isOwn: true, place: "b", file: file),
      ])
  }

  /// The reason for all the care: what is repeated before it is read is told once.
  @Test func whatIsRepeatedIsToldOnce() throws {
    let group = try FanotifyInstance(usingPrivilege: false)
    try group.mark(try open(folder.path), for: Self.mask)
    try PlainFiles.write([], to: folder.path("a"))
    for _ in 0..<3 {
      try PlainFiles.rename(folder.path("a"), to: folder.path("b"))
      try PlainFiles.rename(folder.path("b"), to: folder.path("a"))
    }
    #expect(try events(of: group).map(\.mask) == [[.create, .closeWrite], .rename, .rename])
  }

  @Test func aMarkFollowsItsFolderAndIsTakenAway() throws {
    try PlainFiles.makeFolder(at: folder.path("sub"))
    let group = try FanotifyInstance(usingPrivilege: false)
    let sub = try open(folder.path("sub"))
    try group.mark(sub, for: Self.mask)
    try PlainFiles.rename(folder.path("sub"), to: folder.path("moved"))
    try PlainFiles.write([], to: folder.path("moved/a"))
    #expect(try events(of: group).map(\.place) == ["a"])
    group.unmark(sub, for: Self.mask)
    group.unmark(sub, for: Self.mask)
    try PlainFiles.write([], to: folder.path("moved/b"))
    #expect(try events(of: group).isEmpty)
  }

  @Test func aFileIsNoFolder() throws {
    try PlainFiles.write([], to: folder.path("a"))
    let group = try FanotifyInstance(usingPrivilege: false)
    let directory = try open(folder.path)
    let file = try FileName("a").withView { (name) throws(Errno) in try OwnedDescriptor.openPath(name, in: directory) }
    #expect(throws: Errno.notDirectory) { try group.mark(file, for: Self.mask) }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mark a file system"))
  func aFileSystemIsToldOfAsAWhole() throws {
    let group = try FanotifyInstance(usingPrivilege: true)
    let isPrivileged = group.isPrivileged
    try #require(isPrivileged)
    try group.markFileSystem(of: try open(folder.path), for: [.create, .onDirectory])
    try PlainFiles.makeFolder(at: folder.path("sub"))
    try PlainFiles.write([], to: folder.path("sub/only-here-\(getpid())"))
    #expect(try events(of: group).contains { $0.place == "only-here-\(getpid())" && $0.isOwn })
  }
}
