import SystemPackage
import Testing

@testable import LinuxFileSystem

struct MountTableTests {
  private func table(_ text: String) -> MountTable { MountTable(text.utf8) }

  @Test func eachLineIsAMount() {
    let table = table(
      """
      21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      36 21 0:28 /in\\040side /mnt rw - tmpfs none rw

      """)
    #expect(table[MountNumber(rawValue: 21)] == Array("254:0 /".utf8))
    #expect(table[MountNumber(rawValue: 36)] == Array("0:28 /in\\040side".utf8))
    #expect(table[MountNumber(rawValue: 1)] == nil)
  }

  @Test(arguments: ["", "\n\n", "x 1 0:1 / / rw", "21 1 254:0", "21\n22 1", "99999999999 1 0:1 / / rw"])
  func whatIsNoLineIsSkipped(_ text: String) {
    #expect(table(text) == table(""))
  }

  /// The same mount at another place is the same; another mount with its number is not.
  @Test func aMountIsWhatItIsAMountOf() {
    #expect(table("5 1 0:7 / /a rw") == table("5 1 0:7 / /b rw"))
    #expect(table("5 1 0:7 / /a rw") != table("5 1 0:8 / /a rw"))
    #expect(table("5 1 0:7 / /a rw") != table("5 1 0:7 /b /a rw"))
  }

  @Test func theMountOfAFolderIsInTheTable() throws {
    let root = try OwnedDescriptor.openDirectory(at: "/", for: .search)
    let proc = try OwnedDescriptor.openDirectory(at: "/proc/self", for: .search)
    let mounts = try (KernelHandle.located(root).mount, KernelHandle.located(proc).mount)
    let table = try #require(MountTable())
    #expect(mounts.0 != mounts.1)
    #expect(table[mounts.0] != nil && table[mounts.1] != nil)
  }
}
