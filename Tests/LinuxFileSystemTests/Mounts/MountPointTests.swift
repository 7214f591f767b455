import Testing

@testable import LinuxFileSystem

struct MountPointTests {
  private func special(_ lines: String) -> [String] {
    MountPoint.special(in: Array(lines.utf8)).map { "\($0.type) \($0.path) \($0.mayHang)" }
  }

  @Test func whatMayHangIsFoundByItsType() {
    let lines = """
      22 1 0:20 / / rw,relatime - ext4 /dev/sda1 rw
      30 22 0:31 / /home/me/a\\040b rw - fuse.sshfs host: rw
      31 22 0:32 / /nfs rw shared:7 - nfs4 host:/x rw
      32 22 0:33 / /auto rw - autofs systemd-1 rw,direct
      33 22 0:34 / /tmp rw - tmpfs none rw
      """
    #expect(special(lines) == ["nfs4 /nfs true", "autofs /auto false", "fuse.sshfs /home/me/a b true"])
  }

  @Test func whatIsMountedLastIsSeen() {
    let lines = """
      32 22 0:33 / /auto rw - autofs systemd-1 rw,direct
      33 32 0:34 / /auto rw - nfs4 host:/x rw
      34 22 0:35 / /covered rw - fuse.x x rw
      35 34 0:36 / /covered rw - tmpfs none rw
      """
    #expect(special(lines) == ["nfs4 /auto true"])
  }

  @Test func brokenLinesAreNone() {
    #expect(special("\n1\nx y z - fuse\n30 22 0:31 / /a rw -").isEmpty)
  }
}
