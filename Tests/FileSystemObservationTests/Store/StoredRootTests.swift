import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Whether a stored tree is that of the observed directory, and what its device numbers are now.
@Suite(.light) struct StoredRootTests {
  private func tree(
    _ uuid: UUIDBits, _ key: FileKey, _ devices: [StoredHead.Device], at path: String = "/nowhere"
  ) -> StoredTree {
    var head = StoredHead.empty
    head.devices = devices
    head.directory = Array(path.utf8)
    let graph = FileGraph(root: key, uuid: uuid)
    return StoredTree(storage: graph.storage, head: head, layout: StoredLayout())
  }

  private let files = GuardedFileSystem(HostFileSystem(tag: FileTag()))

  private func root(_ folder: Folder) throws -> (StoredRoot, FileKey) {
    let path = FilePath(folder.path)
    return (try StoredRoot(at: path, files), FileKey(try FileStatus.of(path: path)))
  }

  /// What identifies the file system of a folder.
  private func identity(of folder: Folder, _ key: FileKey) -> StoredHead.Device {
    StoredHead.Device(number: key.device, identity: files.lastingIdentifier(ofDevice: key.device) ?? 0)
  }

  @Test func aDirectoryIsRecognisedByItsInode() throws {
    let folder = try TestFolder("root")
    let (root, key) = try root(folder.watched)
    let uuid = UUIDBits(high: 5, low: 5)
    let afterRestart = FileKey(device: 77, inode: key.inode, born: key.born)
    #expect(root.isRoot(of: tree(uuid, afterRestart, [])) == key.hasBirthTime)
    #expect(!root.isRoot(of: tree(uuid, FileKey(device: 77, inode: key.inode &+ 1, born: key.born), [])))
  }

  @Test func anotherInodeWithItsTagIsTheSameIfTheDirectoryIsGone() throws {
    let folder = try TestFolder("root")
    try folder.outside.mkdir("former")
    let former = folder.outside.folder("former")
    let (root, key) = try root(folder.watched)
    let (_, formerKey) = try self.root(former)
    let device = identity(of: folder.watched, key)
    let uuid = UUIDBits.minted(for: key, on: device.identity == 0 ? key.device : device.identity)
    func isRoot(_ stored: FileKey, _ device: StoredHead.Device, _ path: String) -> Bool {
      root.isRoot(of: tree(uuid, stored, [device], at: path))
    }
    // It was put back from a backup; or another disk is mounted there.
    let other = FileKey(device: key.device, inode: key.inode &+ 1, born: key.born)
    let otherDisk = StoredHead.Device(number: 77, identity: device.identity &+ 1)
    #expect(isRoot(other, device, folder.watched.path))
    #expect(!isRoot(other, otherDisk, folder.watched.path))
    // It stands where it was, so this is a copy; or another stands there; or a link that leads here.
    #expect(!isRoot(formerKey, device, former.path))
    #expect(isRoot(other, device, former.path) == (device.identity != 0))
    try folder.outside.symlink(folder.watched.path, "link")
    #expect(isRoot(other, otherDisk, folder.outside["link"]))
    // It is gone from its file system; or nobody knows, because that is not mounted.
    #expect(isRoot(other, device, folder.outside["gone/deep"]) == (device.identity != 0))
    #expect(!isRoot(other, otherDisk, folder.outside["gone/deep"]))
    // Another directory with its tag stands there: a copy, of which this may be one, too.
    try former.setTag(".", UUID(uuid))
    #expect(!isRoot(other, device, former.path))
  }

  /// It was removed, and unpacked from an archive; but nothing may be taken for it while its file system is away.
  @Test func anotherInodeWithoutATagIsTheSameAtItsPath() throws {
    let folder = try TestFolder("root")
    try folder.outside.makeDirectories("place/here")
    try folder.outside.mkdir("place/beside")
    let here = folder.outside.folder("place/here")
    let (root, key) = try root(here)
    let (_, beside) = try self.root(folder.outside.folder("place/beside"))
    let device = identity(of: here, key)
    func isRoot(_ stored: FileKey, _ device: StoredHead.Device, _ path: String) -> Bool {
      root.isRoot(of: tree(UUIDBits(high: 5, low: 5), stored, [device], at: path))
    }
    let former = FileKey(device: key.device, inode: key.inode &+ 1_000_000, born: key.born)
    #expect(isRoot(former, device, here.path))
    #expect(!isRoot(former, StoredHead.Device(number: 77, identity: device.identity &+ 1), here.path))
    let elsewhere = FileKey(device: 77, inode: former.inode, born: former.born)
    #expect(isRoot(elsewhere, device, here.path) == (device.identity != 0))
    #expect(!isRoot(former, device, folder.outside["place/gone"]))
    #expect(!isRoot(beside, device, here.path))
    try here.setTag(".", UUID())
    #expect(!(try self.root(here).0).isRoot(of: tree(UUIDBits(high: 5, low: 5), former, [device], at: here.path)))
  }

  /// An app may say that the documents are here now; but not in the folder above, of which they are a part.
  @Test func aDirectoryIsTakenOverUnlessItIsRelated() throws {
    let folder = try TestFolder("root")
    try folder.outside.makeDirectories("above/former")
    let former = FileKey(device: 77, inode: 1, born: 1)
    let stored = tree(UUIDBits(high: 5, low: 5), former, [], at: folder.outside["above/former"])
    for (place, fit) in [("above", TreeFit.none), ("above/former", .successor), (".", .none)] {
      let root = try StoredRoot(at: FilePath(folder.outside[place]).lexicallyNormalized(), files)
      #expect(root.fit(of: stored, takingOver: true) == fit, "\(place)")
      #expect(root.fit(of: stored, takingOver: false) == .none, "\(place)")
    }
  }

  @Test func deviceNumbersFollowTheirFileSystems() throws {
    let folder = try TestFolder("root")
    let (root, key) = try root(folder.watched)
    let stored = tree(
      UUIDBits(high: 5, low: 5), FileKey(device: 77, inode: 1, born: 1),
      [.init(number: 77, identity: 9), .init(number: key.device, identity: 8), .init(number: 99, identity: 7)])
    let devices = root.devices(of: stored)
    // The root's own number has changed; the former number of another file system is the root's by now.
    #expect(devices[0] == key.device && devices[1] != key.device && devices[2] == 99)
  }
}
