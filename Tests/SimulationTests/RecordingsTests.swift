import Glibc
import ObservationCorpus
import ObservationSimulation
import TestTraits
import Testing

/// What real applications did, re-enacted in the simulated machine by random schedules.
@Suite(.processor) struct RecordingsTests {
  /// How many schedules each recording has; `FSO_SCHEDULES` asks for more, and the `simulate` command runs them faster.
  private static let schedules =
    unsafe getenv("FSO_SCHEDULES").flatMap { unsafe UInt64(String(cString: $0)) } ?? 50

  @Test(arguments: Recording.all.map(\.case)) func whatIsSaidIsTheTruth(_ name: String) throws {
    let recording = try #require(Recording.all.first { $0.case == name })
    let names = NameTable()
    for seed in 1...max(1, Self.schedules) {
      let faults = RecordedRun(recording, seed: seed, names: names).faults()
      if faults.isEmpty { continue }
      Issue.record("simulate --recordings Tests/Corpus/Recordings --recording \(name) --replay \(seed): \(faults)")
      return
    }
  }

  /// A schedule follows from its seed, and one differs from another.
  @Test func aSeedIsOneSchedule() throws {
    let recording = try #require(Recording.all.first { $0.case == "vim-default-save" })
    let journals = [1, 1, 2].map { RecordedRun(recording, seed: $0).journal() }
    #expect(journals[0] == journals[1])
    #expect(journals[0] != journals[2])
  }
}
