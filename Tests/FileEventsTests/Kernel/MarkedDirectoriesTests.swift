import Testing

@testable import FileEvents
@testable import LinuxFileSystem

/// The table of marked directories, as far as no record is needed for it.
struct MarkedDirectoriesTests {
  private func handle(_ number: UInt64) -> KernelHandle { KernelHandle(fileSystem: 1, words: (number, 0)) }
  private let mount = (MountNumber(rawValue: 5), MountNumber(rawValue: 6))

  @Test func directoriesOfAMountThatIsGoneAreTold() {
    var directories = MarkedDirectories()
    let before = MountTable("5 1 0:7 / /a rw\n6 1 0:8 / /b rw".utf8)
    #expect(directories.isNew(mount.0))
    directories.note(mount.0, in: before)
    directories.note(mount.1, in: before)
    #expect(!directories.isNew(mount.0))
    _ = directories.insert(handle(1), on: mount.0, inode: nil, for: .entries)
    let inside = (2...4).map { directories.insert(handle($0), on: mount.1, inode: nil, for: .entries) }
    #expect(directories.takeUnmounted(before).isEmpty)
    #expect(directories.takeUnmounted(MountTable("5 1 0:7 / /elsewhere rw".utf8)) == inside)
    #expect(directories.takeUnmounted(MountTable("5 1 0:7 / /elsewhere rw".utf8)).isEmpty, "told once")
    #expect(directories.isNew(mount.1))
  }

  /// The kernel uses the numbers of mounts again.
  @Test func anotherMountWithTheSameNumberIsAnother() {
    var directories = MarkedDirectories()
    directories.note(mount.0, in: MountTable("5 1 0:7 / /a rw".utf8))
    let mark = directories.insert(handle(1), on: mount.0, inode: nil, for: .entries)
    #expect(directories.takeUnmounted(MountTable("5 1 0:9 / /a rw".utf8)) == [mark])
  }

  @Test func aDirectoryThatWasForgottenIsNotTold() {
    var directories = MarkedDirectories()
    directories.note(mount.0, in: MountTable("5 1 0:7 / /a rw".utf8))
    directories.remove(directories.insert(handle(1), on: mount.0, inode: nil, for: .entries))
    #expect(directories.takeUnmounted(MountTable("".utf8)).isEmpty)
    #expect(directories.count == 0)
  }

  /// What is remembered of directories that never come has a limit.
  @Test func changesOfUnknownDirectoriesAreNotKeptForEver() {
    var directories = MarkedDirectories()
    for number in 0..<10_000 as Range<UInt64> { directories.noteChange(ofUnknown: handle(number).handle) }
    let taken = (0..<10_000 as Range<UInt64>).count { directories.takeChange(of: handle($0).handle) }
    #expect(taken > 0 && taken <= 1024)
  }
}
