import SystemPackage
import Testing

@testable import LinuxFileSystem

struct FileSystemTypeTests {
  @Test(arguments: [0x6969, 0xfe53_4d42, 0xff53_4d42, 0x0102_1997, 0x00c3_6400] as [UInt64])
  func whatOtherHostsChangeIsNotTold(_ magic: UInt64) {
    #expect(FileSystemType(magic: magic).changesRemotely { nil })
  }

  @Test(arguments: [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0x1234] as [UInt64])
  func whatOnlyThisHostChangesIsTold(_ magic: UInt64) {
    #expect(!FileSystemType(magic: magic).changesRemotely { "anything" })
  }

  @Test func ofFUSEOnlyThatWithADiskIsTold() {
    let fuse = FileSystemType(magic: 0x6573_5546)
    #expect(
      fuse.changesRemotely { "fuse.sshfs" } && fuse.changesRemotely { nil } && !fuse.changesRemotely { "fuseblk" })
    #expect(fuse.name == "fuse" && FileSystemType(magic: 0x1234).name == "0x1234")
  }

  @Test func theTypeOfADirectoryIsKnown() throws {
    let directory = try OwnedDescriptor.openDirectory(at: "/proc", for: .search)
    #expect(try FileSystemType.of(directory) == FileSystemType(magic: 0x9fa0))
  }
}
