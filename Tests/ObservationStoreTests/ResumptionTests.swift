#if Store
import LinuxFileSystem
import TestTraits
import Testing

@testable import FileSystemObservation

/// Until when the outcome of a comparison waits.
@Suite(.light) struct ResumptionTests {
  private func seconds(_ count: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: count * 1_000_000_000) }

  private var resumption: Resumption {
    Resumption(storedAt: 0, scanned: seconds(10), mayFollowUntil: seconds(12), due: seconds(15))
  }

  @Test func whatComesLateMayTakeSoMuchLonger() {
    var resumption = resumption
    resumption.extend(for: seconds(14), plannedAt: seconds(11))
    #expect(resumption.mayFollowUntil == seconds(15) && resumption.due == seconds(18))
    resumption.extend(for: seconds(17), plannedAt: seconds(15))
    #expect(resumption.due == seconds(20))
  }

  /// Hints are handled before what is due.
  @Test func aDelayCountsOnce() {
    var resumption = resumption
    for step in [14, 14, 15, 16] as [Int64] { resumption.extend(for: seconds(step), plannedAt: seconds(11)) }
    #expect(resumption.due == seconds(20))
  }

  @Test func itIsAnnouncedAfterHalfAMinuteAllTheSame() {
    var resumption = resumption
    for step in stride(from: 15 as Int64, to: 60, by: 5) {
      resumption.extend(for: seconds(step), plannedAt: seconds(step - 4))
    }
    #expect(resumption.due == seconds(40))
  }

  /// Contents may have made it later than that.
  @Test func theLimitIsNeverMadeEarlier() {
    var resumption = resumption
    resumption.due = seconds(41)
    resumption.extend(for: seconds(14), plannedAt: seconds(11))
    #expect(resumption.due == seconds(41))
  }

  @Test func beforeTheScanThereIsNoLimit() {
    var resumption = Resumption(storedAt: 0)
    resumption.extend(for: seconds(14), plannedAt: seconds(11))
    #expect(resumption.due == nil)
  }
}
#endif
