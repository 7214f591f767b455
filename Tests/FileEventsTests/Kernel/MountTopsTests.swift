import LinuxFileSystem
import Testing

@testable import FileEvents

/// Which directories are looked at when something was mounted or unmounted.
struct MountTopsTests {
  private let number = MountNumber(rawValue: 5)
  private let first = MarkID(rawValue: 1)
  private let second = MarkID(rawValue: 2)
  private let mounted = MountTable("5 1 0:7 / /a rw\n6 1 0:8 / /b rw".utf8)

  @Test func theFirstDirectoryOfEachMountIsLookedAt() {
    var tops = MountTops()
    #expect(tops.isNew(number))
    tops.note(first, on: number, in: mounted)
    #expect(!tops.isNew(number))
    tops.note(second, on: MountNumber(rawValue: 6), in: mounted)
    #expect(tops.marksToCheck(mounted) == [first, second])
    #expect(tops.marksToCheck(mounted) == [first, second])
  }

  @Test(arguments: ["", "5 1 0:9 / /a rw"]) func whatIsUnmountedIsLookedAtOnce(_ later: String) {
    var tops = MountTops()
    tops.note(first, on: number, in: mounted)
    #expect(tops.marksToCheck(MountTable(later.utf8)) == [first])
    #expect(tops.marksToCheck(MountTable(later.utf8)).isEmpty)
    #expect(tops.isNew(number))
  }

  @Test func aMountThatTheTableDoesNotNameIsAskedForOnce() {
    var tops = MountTops()
    tops.note(first, on: number, in: MountTable("".utf8))
    #expect(!tops.isNew(number))
    #expect(tops.marksToCheck(MountTable("".utf8)) == [first])
    #expect(tops.marksToCheck(MountTable("".utf8)) == [first])
  }

  @Test func aDirectoryThatIsNotMarkedAnyMoreIsNotLookedAt() {
    var tops = MountTops()
    tops.note(first, on: number, in: mounted)
    tops.forget(first)
    #expect(tops.marksToCheck(mounted).isEmpty)
    #expect(tops.isNew(number), "the next one is the first")
  }
}
