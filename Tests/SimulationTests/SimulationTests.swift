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
    let end = ContinuousClock.now + Self.time / 2
    var seed: UInt64 = 1
    while seed <= Self.seeds, ContinuousClock.now < end {
      let (result, _) = Runner(seed: seed, source: source, observers: 1, only: "churn").run(operations: 40)
      if let violation = result.violations.first {
        let command = "simulate --only churn --observers 1 --operations 40 --source \(source) --replay \(seed)"
        Issue.record("\(command): \(violation.text)")
        return
      }
      seed += 1
    }
    #expect(seed > 10)
  }

  /// Observers that are killed and go on from their last state, as a store has it.
  @Test(arguments: SimulatedSource.allCases) func noRuleIsViolatedAfterStartsWithAStore(_ source: SimulatedSource) {
    let end = ContinuousClock.now + Self.time / 2
    var seed: UInt64 = 1
    while seed <= Self.seeds, ContinuousClock.now < end {
      let (result, _) = Runner(seed: seed, source: source, observers: 1, stores: true).run(operations: 60)
      if let violation = result.violations.first {
        let command = "simulate --stores --observers 1 --operations 60 --source \(source) --replay \(seed)"
        Issue.record("\(command): \(violation.text)")
        return
      }
      seed += 1
    }
    #expect(seed > 10)
  }

  /// Observers whose stores have lost their last writes, or everything: the copy that an app keeps is what is there.
  @Test(arguments: SimulatedSource.allCases) func whatIsToldIsWhatIsThereAfterLostWrites(
    _ source: SimulatedSource
  ) {
    let end = ContinuousClock.now + Self.time / 4
    var seed: UInt64 = 1
    while seed <= Self.seeds / 2, ContinuousClock.now < end {
      let (result, _) = Runner(seed: seed, source: source, observers: 1, losesWrites: true).run(operations: 60)
      if let violation = result.violations.first {
        let command = "simulate --lost-writes --observers 1 --operations 60 --source \(source) --replay \(seed)"
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
