import LinuxFileSystem
import Testing

@testable import FileEvents

/// Which directories are looked at when something was mounted or unmounted.
struct MountRootsTests {
  private let number = MountNumber(rawValue: 5)
  private let first = MarkID(rawValue: 1)
  private let second = MarkID(rawValue: 2)
  private let mounted = MountTable("5 1 0:7 / /a rw\n6 1 0:8 / /b rw".utf8)

  @Test func theFirstDirectoryOfEachMountIsLookedAt() {
    var roots = MountRoots()
    #expect(roots.isNew(number))
    roots.note(first, on: number, in: mounted)
    #expect(!roots.isNew(number))
    roots.note(second, on: MountNumber(rawValue: 6), in: mounted)
    #expect(roots.marksToCheck(mounted) == [first, second])
    #expect(roots.marksToCheck(mounted) == [first, second])
  }

  @Test(arguments: ["", "5 1 0:9 / /a rw"]) func whatIsUnmountedIsLookedAtOnce(_ later: String) {
    var roots = MountRoots()
    roots.note(first, on: number, in: mounted)
    #expect(roots.marksToCheck(MountTable(later.utf8)) == [first])
    #expect(roots.marksToCheck(MountTable(later.utf8)).isEmpty)
    #expect(roots.isNew(number))
  }

  @Test func aMountThatTheTableDoesNotNameIsAskedForOnce() {
    var roots = MountRoots()
    roots.note(first, on: number, in: MountTable("".utf8))
    #expect(!roots.isNew(number))
    #expect(roots.marksToCheck(MountTable("".utf8)) == [first])
    #expect(roots.marksToCheck(MountTable("".utf8)) == [first])
  }

  @Test func aDirectoryThatIsNotMarkedAnyMoreIsNotLookedAt() {
    var roots = MountRoots()
    roots.note(first, on: number, in: mounted)
    roots.forget(first)
    #expect(roots.marksToCheck(mounted).isEmpty)
    #expect(roots.isNew(number), "the next one is the first")
  }
}
