import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

struct MonotonicTimeTests {
  @Test func goesForwardAndDoesNotWrap() {
    let (first, second) = (MonotonicTime.now, MonotonicTime.now)
    #expect(first <= second)
    #expect(first + .max == MonotonicTime(nanoseconds: .max))
    #expect(MonotonicTime(nanoseconds: 5) - MonotonicTime(nanoseconds: 2) == 3)
  }

  @Test(arguments: [
    (Duration.milliseconds(500), Int64(500_000_000)), (.zero, 0), (.nanoseconds(1), 1), (.seconds(-2), -2_000_000_000),
    (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    (.nanoseconds(Int64.max) + .seconds(1), .max), (.nanoseconds(Int64.max), .max),
  ])
  func durationsBecomeNanoseconds(_ duration: Duration, _ expected: Int64) {
    #expect(duration.wholeNanoseconds == expected)
  }
}
