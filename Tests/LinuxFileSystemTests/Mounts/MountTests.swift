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
