import LinuxFileSystem
import Testing

@testable import FileEvents

struct ReadingPaceTests {
  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

  @Test func fewHintsAreNoBurst() {
    var pace = ReadingPace()
    let bursts = (0..<200).map { pace.note(2, at: time($0)) }
    #expect(!bursts.contains(true))
  }

  @Test func aBurstBeginsWithTheTwentyFourthEvent() {
    var pace = ReadingPace()
    let bursts = [pace.note(23, at: time(0)), pace.note(1, at: time(9)), pace.note(0, at: time(19))]
    #expect(bursts == [false, true, true])
  }

  @Test func manyHintsAreABurstUntilTheyCease() {
    var pace = ReadingPace()
    let bursts = (0..<30).map { pace.note(20, at: time($0)) }
    #expect(bursts == (0..<30).map { $0 >= 1 })
    let isBurst = pace.note(1, at: time(1_000))
    #expect(!isBurst)
  }
}
