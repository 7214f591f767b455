import FileEvents
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// How far the writing of a file has come.
struct WriteActivityTests {
  private static let start = MonotonicTime(nanoseconds: 1_000)

  private static func activity() -> WriteActivity {
    WriteActivity(now: start, size: 0, modified: 0, nextCheck: start + 700)
  }

  @Test func aFileIsClosedUntilItIsWrittenAgain() {
    var activity = Self.activity()
    activity.noteActivity([.written, .closed], Self.start + 10, quiet: 700)
    #expect(activity.isClosed && activity.isWritten && activity.nextCheck == Self.start + 710)
    activity.noteActivity(.written, Self.start + 20, quiet: 700)
    #expect(!activity.isClosed && activity.lastActivity == Self.start + 20 && activity.firstSeen == Self.start)
  }

  @Test func whateverHappensTheFileIsLookedAtAnew() {
    var activity = Self.activity()
    activity.checks = 3
    activity.isComplete = true
    activity.isRevealed = true
    activity.noteActivity([], Self.start + 10, quiet: 700)
    #expect(activity.checks == 0 && !activity.isComplete && !activity.isRevealed && !activity.isLookedAt)
    #expect(!activity.isWritten && !activity.cannotBeHardLink)
  }

  @Test func aDocumentIsLookedAtInTimeToTellOfIt() {
    var activity = Self.activity()
    #expect(!activity.isDue(.init(nanoseconds: .max)) && activity.check(at: Self.start + 9_000) == Self.start + 9_000)
    activity.announceBy = Self.start + 500
    #expect(!activity.isDue(Self.start + 499) && activity.isDue(Self.start + 500))
    activity.noteActivity(.closed, Self.start, quiet: 700)
    #expect(activity.nextCheck == Self.start + 500 && activity.check(at: Self.start + 400) == Self.start + 400)
  }
}
