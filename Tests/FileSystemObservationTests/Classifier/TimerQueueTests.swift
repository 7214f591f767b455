import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Timers by time.
struct TimerQueueTests {
  private static func time(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }
  private static func target(_ number: Int) -> TimerTarget { .look(NodeID(index: number)) }

  @Test func theFirstThatIsDueComesFirst() {
    var timers = TimerQueue()
    for (number, time) in [(1, 30), (2, 10), (3, 20)] as [(Int, Int64)] {
      timers.schedule(Self.target(number), at: Self.time(time))
    }
    #expect(timers.next == Self.time(10) && timers.popDue(Self.time(9)) == nil)
    let due = (0..<3).map { _ in timers.popDue(Self.time(20)) }
    #expect(due == [Self.target(2), Self.target(3), nil] && timers.next == Self.time(30))
  }

  @Test func thoseOfTheSameTimeComeInTheOrderInWhichTheyWereSet() {
    var timers = TimerQueue()
    let numbers = [5, 1, 4, 2, 3]
    for number in numbers { timers.schedule(Self.target(number), at: Self.time(7)) }
    #expect(numbers.allSatisfy { timers.popDue(Self.time(7)) == Self.target($0) })
  }

  @Test func theEarlierTimerOfATargetCounts() {
    var timers = TimerQueue()
    for time in [20, 10, 30] as [Int64] { timers.schedule(Self.target(1), at: Self.time(time)) }
    #expect(timers.time(of: Self.target(1)) == Self.time(10))
    #expect(timers.popDue(Self.time(40)) == Self.target(1) && timers.popDue(Self.time(40)) == nil)
    #expect(timers.time(of: Self.target(1)) == nil)
    timers.schedule(Self.target(1), at: Self.time(50))
    #expect(timers.popDue(Self.time(49)) == nil && timers.popDue(Self.time(50)) == Self.target(1))
  }

  /// Timers are set and taken at random; what comes is held against a list.
  @Test(arguments: [1, 2, 3] as [UInt64]) func whatComesIsWhatAListSays(_ seed: UInt64) throws {
    var timers = TimerQueue()
    var expected: [(target: TimerTarget, time: Int64, serial: Int)] = []
    var (random, now, taken) = (SplitMix64(seed: seed), Int64(0), 0)
    for serial in 0..<2_000 {
      let target = Self.target(Int.random(in: 0..<20, using: &random))
      if Bool.random(using: &random) {
        let time = now + Int64.random(in: 0..<50, using: &random)
        timers.schedule(target, at: Self.time(time))
        if expected.contains(where: { $0.target == target && $0.time <= time }) { continue }
        expected.removeAll { $0.target == target }
        expected.append((target, time, serial))
      } else {
        now += Int64.random(in: 0..<10, using: &random)
        let first = expected.filter { $0.time <= now }.min { ($0.time, $0.serial) < ($1.time, $1.serial) }
        try #require(timers.popDue(Self.time(now)) == first?.target)
        if let first { expected.removeAll { $0.target == first.target } }
        taken += first == nil ? 0 : 1
      }
    }
    #expect(taken > 300)
  }
}
