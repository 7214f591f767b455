import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

struct MountCacheTests {
  private func open(_ path: FilePath) throws -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.openDirectory(at: path, for: .search))
  }

  private func item(_ mounts: MountCache, _ directory: DirectoryHandle) throws -> MountCache.Item {
    let number = MountNumber.of(directory.descriptor)
    return try mounts.item(of: directory.descriptor, on: #require(number))
  }

  private func description(_ directory: DirectoryHandle) throws -> FileSystemDescription {
    try FileSystemDescription.of(directory.descriptor)
  }

  /// Other tests mount something now and then, and then everything is forgotten.
  @Test func aMarkIsRememberedForAllDirectoriesOfAMount() throws {
    let folder = try ScratchFolder()
    try PlainFiles.makeFolder(at: folder.path("below"))
    let (top, below) = (try open(folder.path), try open(folder.path("below")))
    guard FileSystemType(magic: try description(top).type).hasOneIdentifier else {
      try Test.cancel("needs ext4, xfs, tmpfs or f2fs")
    }
    let mounts = try MountCache()
    let wasRemembered = try (0..<1000).contains { _ in
      let first = try item(mounts, top)
      mounts.noteMarked(first.mount)
      let second = try item(mounts, below)
      #expect(second.mount == first.mount && second.identifier == first.identifier)
      #expect(try second.identifier == description(below).identifier)
      return second.isMarked
    }
    #expect(wasRemembered)
  }

  @Test func aMarkIsNoneOfAnotherMount() throws {
    let mounts = try MountCache()
    let (root, other) = (try open("/"), try open("/proc"))
    _ = try item(mounts, root)
    mounts.noteMarked(try item(mounts, other).mount)
    #expect(try !item(mounts, root).isMarked)
  }

  /// On btrfs directories of one mount may have different identifiers; of /proc nobody has said that they have not.
  @Test func whereDirectoriesMayDifferEachIsAskedFor() throws {
    let mounts = try MountCache()
    let directory = try open("/proc")
    mounts.noteMarked(try item(mounts, directory).mount)
    #expect(try !item(mounts, directory).isMarked)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount"))
  func anotherMountWithTheSameNumberIsAnother() throws {
    let folder = try ScratchFolder()
    let mounts = try MountCache()
    var numbers: [MountNumber] = []
    for _ in 0..<20 {
      guard unsafe mount("none", folder.path.string, "tmpfs", 0, "size=1m") == 0 else {
        try Test.cancel("mount(2) is refused here: errno \(errno)")
      }
      defer { unsafe umount2(folder.path.string, CInt(MNT_DETACH)) }
      let directory = try open(folder.path)
      let found = try item(mounts, directory)
      numbers.append(found.mount)
      #expect(!found.isMarked)
      #expect(try found.identifier == description(directory).identifier)
      mounts.noteMarked(found.mount)
    }
    #expect(Set(numbers).count < numbers.count, "the kernel did not use a number again, so that nothing was tested")
  }
}
