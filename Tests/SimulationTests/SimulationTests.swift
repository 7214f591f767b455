import ObservationSimulation
import TestTraits
import Testing

/// The whole observer in simulated worlds, each from its seed: as many as there is time for.
@Suite(.processor) struct SimulationTests {
  /// How long worlds are run at most; the `simulate` command runs as many as one likes.
  private static let time = Duration.seconds(30)
  private static let seeds: UInt64 = 300

  @Test(arguments: SimulatedSource.allCases) func noRuleIsViolated(_ source: SimulatedSource) {
    let end = ContinuousClock.now + Self.time
    var seed: UInt64 = 1
    while seed <= Self.seeds, ContinuousClock.now < end {
      // Two observers that are killed and started again may disagree for ever on which of two files is the original.
      // In every second world an app asks its observer for some of the operations.
      let runner = Runner(seed: seed, source: source, observers: 1, ownShare: seed.isMultiple(of: 2) ? 30 : nil)
      let (result, items) = runner.run(operations: 200)
      if let violation = result.violations.first {
        let journal = runner.journal(of: runner.shortened(items, violating: violation.kind))
        Issue.record("seed \(seed): \(violation.kind): \(violation.text)\n\(journal.joined(separator: "\n"))")
        return
      }
      seed += 1
    }
    #expect(seed > 10)
  }

  /// Names that come, go and change places so fast that most of what is known of them is old.
  @Test(arguments: SimulatedSource.allCases) func noRuleIsViolatedWhereMostCallsFail(_ source: SimulatedSource) {
    expectNoViolation("--only churn", source, operations: 40, for: Self.time / 2) { seed in
      Runner(seed: seed, source: source, observers: 1, only: "churn")
    }
  }

  /// Observers that are killed and go on from their last state, as a store has it.
  @Test(arguments: SimulatedSource.allCases) func noRuleIsViolatedAfterStartsWithAStore(_ source: SimulatedSource) {
    expectNoViolation("--stores", source, operations: 60, for: Self.time / 2) { seed in
      Runner(seed: seed, source: source, observers: 1, stores: true)
    }
  }

  /// Observers whose stores have lost their last writes, or everything: the copy that an app keeps is what is there.
  @Test(arguments: SimulatedSource.allCases) func whatIsToldIsWhatIsThereAfterLostWrites(_ source: SimulatedSource) {
    expectNoViolation("--lost-writes", source, operations: 60, for: Self.time / 4, seeds: Self.seeds / 2) { seed in
      Runner(seed: seed, source: source, observers: 1, losesWrites: true)
    }
  }

  /// Runs worlds of one observer, up to the first failure; the issue has the command that repeats it.
  private func expectNoViolation(
    _ options: String, _ source: SimulatedSource, operations: Int, for time: Duration, seeds: UInt64 = seeds,
    _ runner: (UInt64) -> Runner
  ) {
    let end = ContinuousClock.now + time
    var seed: UInt64 = 1
    while seed <= seeds, ContinuousClock.now < end {
      if let violation = runner(seed).run(operations: operations).0.violations.first {
        let command = "simulate \(options) --observers 1 --operations \(operations) --source \(source) --replay \(seed)"
        Issue.record("\(command): \(violation.text)")
        return
      }
      seed += 1
    }
    #expect(seed > 10)
  }

  /// The same seed makes the same run, and its items repeat it.
  @Test(arguments: 1...10 as ClosedRange<UInt64>, SimulatedSource.allCases)
  func aSeedIsOneRun(_ seed: UInt64, _ source: SimulatedSource) {
    let runner = Runner(seed: seed, source: source)
    let (first, items) = runner.run(operations: 60)
    let (second, _) = Runner(seed: seed, source: source).run(operations: 60)
    #expect(first.violations.map(\.text) == second.violations.map(\.text))
    #expect(first.calls == second.calls)
    #expect(runner.repeated(items).map(\.text) == first.violations.map(\.text))
    #expect(runner.journal(of: items) == runner.journal(of: items))
  }
}
