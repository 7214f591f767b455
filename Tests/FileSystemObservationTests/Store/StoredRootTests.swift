import FileIdentity
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Whether a stored tree is that of the observed directory, and what its device numbers are now.
@Suite(.light) struct StoredRootTests {
  private func tree(_ uuid: UUIDBits, _ key: FileKey, _ devices: [StoredHead.Device]) -> StoredTree {
    var head = StoredHead.empty
    head.devices = devices
    let graph = FileGraph(root: key, uuid: uuid)
    return StoredTree(storage: graph.storage, head: head, layout: StoredLayout())
  }

  private func root(_ folder: TestFolder) throws -> (StoredRoot, FileKey) {
    let files = GuardedFileSystem(HostFileSystem(tag: FileTag()))
    let path = FilePath(folder.watched.path)
    return (try StoredRoot(at: path, files), FileKey(try FileStatus.of(path: path)))
  }

  @Test func aDirectoryIsRecognisedByItsTagOrItsInode() throws {
    let folder = try TestFolder("root")
    let (root, key) = try root(folder)
    let other = FileKey(device: 77, inode: key.inode &+ 1, born: key.born)
    let afterRestart = FileKey(device: 77, inode: key.inode, born: key.born)
    let uuid = UUIDBits(high: 5, low: 5)
    #expect(root.isRoot(of: tree(uuid, afterRestart, [])) == key.hasBirthTime)
    #expect(!root.isRoot(of: tree(uuid, other, [])))
    let tag = try #require(
      try? ObservationDriver.HostEngine.rootUUID(
        GuardedFileSystem(HostFileSystem(tag: FileTag())),
        HostFileSystem(tag: FileTag()).openRoot(at: FilePath(folder.watched.path)),
        FileStatus.of(path: FilePath(folder.watched.path))))
    #expect(root.isRoot(of: tree(tag, other, [])))
  }

  @Test func deviceNumbersFollowTheirFileSystems() throws {
    let folder = try TestFolder("root")
    let (root, key) = try root(folder)
    let stored = tree(
      UUIDBits(high: 5, low: 5), FileKey(device: 77, inode: 1, born: 1),
      [.init(number: 77, identity: 9), .init(number: key.device, identity: 8), .init(number: 99, identity: 7)])
    let devices = root.devices(of: stored)
    // The root's own number has changed; the former number of another file system is the root's by now.
    #expect(devices[0] == key.device && devices[1] != key.device && devices[2] == 99)
  }
}
