import SystemPackage
import Testing

@testable import LinuxFileSystem

struct MountTests {
  private func mount(_ line: String) -> Mount? { Mount(line: Array(line.utf8)) }

  @Test func aLineIsRead() throws {
    let found = try #require(
      mount(#"36 35 98:0 /mnt1 /my\040files\134x rw,noatime master:1 shared:2 - fuse.sshfs me@host:/x ro,abc"#))
    #expect(found.path == FilePath(#"/my files\x"#))
    #expect(found.type == "fuse.sshfs" && found.source == "me@host:/x" && found.isReadOnly)
    #expect(found.device == 98 << 8)
    #expect(mount("36 35 0:300 / / rw - ext4 /dev/sda1 rw")?.isReadOnly == false)
    #expect(mount("36 35 0:300 / / rw - ext4 /dev/sda1 rw")?.device == 0x10_002c)
  }

  @Test(arguments: ["", "36 35 98:0 /mnt1 /mnt2 rw", "36 35 98 /mnt1 /mnt2 rw - ext4 x rw", "a b c d e f g - h"])
  func otherLinesAreNone(_ line: String) {
    #expect(mount(line) == nil)
  }

  @Test func whatIsMountedBelowAFolderHasTheNamesThatLeadThere() {
    let table = Array(
      #"""
      20 1 8:1 / / rw - ext4 /dev/sda1 rw
      21 20 0:28 / /my\040files/in/side rw - tmpfs none rw
      22 20 0:29 / /my\040files rw - tmpfs none rw
      23 20 0:30 / /my\040filesystem rw - tmpfs none rw
      24 20 0:31 / /other rw - tmpfs none rw
      x 20 0:31 / /my\040files/y rw - tmpfs none rw
      25 20
      """#.utf8)
    let names = ["in", "side"].map { FileName($0) }
    #expect(Mount.points(below: "/my files", in: table) == [MountNumber(rawValue: 21): names])
    let all = Mount.points(below: "/", in: table)
    #expect(Set(all.keys.map(\.rawValue)) == [21, 22, 23, 24])
    #expect(all[MountNumber(rawValue: 24)] == [FileName("other")])
  }

  @Test func theRootIsMounted() throws {
    let status = try FileStatus.of(path: "/")
    #expect(Mount.all().contains { $0.path == "/" && $0.device == status.device })
  }
}

struct FileSystemTypeTests {
  @Test(arguments: [0x6969, 0xfe53_4d42, 0xff53_4d42, 0x0102_1997, 0x00c3_6400] as [UInt64])
  func whatOtherHostsChangeIsNotTold(_ magic: UInt64) {
    #expect(FileSystemType(magic: magic).changesUntold { nil })
  }

  @Test(arguments: [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0x1234] as [UInt64])
  func whatOnlyThisHostChangesIsTold(_ magic: UInt64) {
    #expect(!FileSystemType(magic: magic).changesUntold { "anything" })
  }

  @Test func ofFUSEOnlyThatWithADiskIsTold() {
    let fuse = FileSystemType(magic: 0x6573_5546)
    #expect(fuse.changesUntold { "fuse.sshfs" } && fuse.changesUntold { nil } && !fuse.changesUntold { "fuseblk" })
    #expect(fuse.name == "fuse" && FileSystemType(magic: 0x1234).name == "0x1234")
  }

  @Test func theTypeOfADirectoryIsKnown() throws {
    let directory = try OwnedDescriptor.openDirectory(at: "/proc", for: .search)
    #expect(try FileSystemType.of(directory) == FileSystemType(magic: 0x9fa0))
  }
}

struct ResourceLimitTests {
  @Test(arguments: ResourceLimit.allCases) func aLimitIsExplained(_ limit: ResourceLimit) {
    let explanation = limit.explanation()
    #expect(explanation.contains(limit.subject))
    guard let (setting, value) = limit.current, let advice = limit.advice() else {
      #expect(limit == .memory)
      return
    }
    #expect(explanation.contains(setting) && explanation.contains("\(value)") && explanation.contains(advice.command))
    #expect(!advice.who.isEmpty)
  }

  @Test func whatIsNeededIsAdvised() throws {
    let value = try #require(ResourceLimit.inotifyWatches.current?.value)
    guard value < 1 << 39 else { return }
    let command = try #require(ResourceLimit.inotifyWatches.advice(needed: value * 3)?.command)
    let advised = try #require(command.split(separator: "=").last.flatMap { UInt64($0) })
    #expect(advised >= value * 3 && advised.nonzeroBitCount == 1)
  }

  @Test func usageIsCountedFromDescriptions() {
    var usage = KernelUsage()
    usage.add("pos:\t0\nflags:\t02000000\ninotify wd:2 ino:1 sdev:1\ninotify wd:1 ino:2 sdev:1\n")
    usage.add("pos:\t0\nfanotify flags:11 event-flags:0\nfanotify ino:4f969 sdev:8 mflags:0 mask:3b\n")
    usage.add("pos:\t0\nflags:\t02\n")
    #expect(usage.inotifyInstances == 1 && usage.inotifyWatches == 2)
    #expect(usage.fanotifyGroups == 1 && usage.fanotifyMarks == 1)
    #expect(usage.used(of: .inotifyWatches) == 2 && usage.used(of: .memory) == nil)
  }
}
