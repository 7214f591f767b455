import LinuxFileSystem
import Testing

@testable import FileEvents

struct PollingScheduleTests {
  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  private func schedule(passes: [(Double, Double, Bool)]) -> PollingSchedule {
    var schedule = PollingSchedule(at: at(0))
    for (start, end, found) in passes {
      schedule.passEnded(began: at(start), at: at(end), foundChanges: found)
    }
    return schedule
  }

  @Test func changesAreLookedForTwiceASecond() {
    #expect(schedule(passes: [(100, 100, true)]).next == at(100.5))
    #expect(schedule(passes: [(100, 100, true), (100.5, 100.5, false)]).next == at(101))
  }

  @Test func theLongerNothingChangesTheLongerItRests() {
    #expect(schedule(passes: [(100, 100, true), (120, 120, false)]).interval == 2_000_000_000)
    #expect(schedule(passes: [(100, 100, true), (200, 200, false)]).interval == 10_000_000_000)
    #expect(schedule(passes: [(100, 100, true), (9_000, 9_000, false)]).interval == PollingSchedule.longest)
  }

  @Test func aChangeToldByOthersCountsToo() {
    var schedule = schedule(passes: [(100, 100, true), (300, 300, false)])
    schedule.noteChange(at: at(299))
    #expect(schedule.interval == PollingSchedule.shortest)
  }

  @Test func longPassesAreSeldom() {
    #expect(schedule(passes: [(100, 101, true)]).next == at(111))
    #expect(schedule(passes: [(100, 109, true)]).next == at(139), "half a minute at most")
  }

  @Test func whoWaitsIsServedSoonAndOnce() {
    var schedule = schedule(passes: [(100, 101, true)])
    schedule.want(since: at(102))
    #expect(schedule.next == at(102), "as long as the pass took")
    schedule.passEnded(began: at(101.9), at: at(102), foundChanges: true)
    #expect(schedule.next == at(102.1), "that pass began too early")
    schedule.passEnded(began: at(102.1), at: at(102.2), foundChanges: true)
    #expect(schedule.next == at(103.2))
  }
}
