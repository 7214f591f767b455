import ArgumentParser
import Glibc
import ObservationSimulation

/// Runs the observer in simulated worlds.
@main struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the observer in simulated worlds, one a seed, and says which rules it breaks there.")

  @Option(help: "The seeds to run: A..B, or one.") var seeds = SeedRange(bounds: 1...100)
  @Option(help: "Operations in each world.") var operations = 1_000
  @Option(help: "Stops after so many minutes, whatever seeds are left.") var minutes: Double?
  @Option(help: "Where the observers' events come from.") var source = SimulatedSource.inotify
  @Flag(help: "Lets calls of the observers fail.") var faults = false
  @Option(help: "How many observers there are in each world; unless said, one or two, as the seed has it.")
  var observers: Int?
  @Option(help: "A kind of operation to leave out; may be given several times.") var without: [String] = []
  @Option(help: "The only kind of operation: churn is many calls on few names, most of which fail.") var only: String?
  @Option(help: "How many operations out of a hundred an app asks its observer to do.") var own: Int?
  @Flag(help: "Kills observers in every world, which go on from their last state, as a store has it.")
  var stores = false
  @Flag(
    help: ArgumentHelp(
      "The same, but a store may have an earlier state, or nothing: what is told must be what is there.", valueName: nil
    ))
  var lostWrites = false
  @Flag(help: "Shortens every failure, and tells the shortest of each kind.") var shortest = false
  @Option(help: "Runs one seed, and tells what happens in it.") var replay: UInt64?
  @Option(help: "With --replay: keeps the shortened run in this file.") var keep: String?
  @Option(help: "Runs what was kept in this file, and tells what happens in it.") var kept: String?
  @Option(help: "With --kept: writes the first observer's flight recording to this file.") var record: String?

  @Option(help: "Plays a script, as tests of known faults have it, and tells what happens.") var play: String?
  @Option(help: "What is done before the observers of --play begin.") var before = ""
  @Option(help: "With --play: for how many directories the kernel has room, where that is limited.")
  var markLimit: Int?
  @Option(help: "With --play: how many events the kernel keeps.") var queueCapacity = 16_384
  @Option(help: "Re-enacts the recordings in this folder, each by many schedules; with --replay, by this one.")
  var recordings: String?
  @Option(help: "Schedules for each recording.") var schedules: UInt64 = 200
  @Option(
    help: "The recording to re-enact, if it is not to be all; without --recordings, a flight recording to replay.")
  var recording: String?

  @Flag(help: "Replays the flight recording of each world, and says where its decisions differ.")
  var replayFlights = false

  @Option(help: "Compares the simulated machine with a real one, in new folders in this one.") var against: String?

  func run() throws {
    Watchdog.install()
    if let against { return try compare(in: against) }
    if let recordings { return try reenact(in: recordings) }
    if replayFlights { return try replayFlightsOfWorlds() }
    if let recording { return try replayFlight(in: recording) }
    if let kept { return try repeatKept(in: kept) }
    if let replay { return try show(replay) }
    if let play { return try perform(play) }
    let clock = ContinuousClock()
    let end = minutes.map { clock.now + .seconds($0 * 60) }
    var (worlds, total, calls, joins, failed) = (0, 0, 0, 0, 0)
    var found: [String: (UInt64, [String], Int)] = [:]
    let time = clock.measure {
      for seed in seeds.bounds {
        if let end, clock.now >= end { break }
        Watchdog.watch(seed)
        let (result, _) = runner(seed).run(operations: operations)
        worlds += 1
        total += result.operations
        calls += result.calls
        joins += result.joins
        guard let violation = result.violations.first else { continue }
        failed += 1
        if shortest {
          collect(seed, violation, &found)
          continue
        }
        print("seed \(seed): \(violation.rule): \(violation.text)")
        fflush(nil)
      }
    }
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    print(
      "\(worlds) worlds, \(failed) failed; \(total) operations, \(calls) calls, \(joins) listeners in \(seconds) s: "
        + "\(Int(Double(total) / seconds)) operations, \(Int(Double(calls) / seconds)) calls a second")
    for (rule, (seed, journal, times)) in found.sorted(by: { $0.key < $1.key }) {
      print("==== \(rule): \(times) times, shortest is seed \(seed):")
      for line in journal { print(line) }
    }
    if failed > 0 { throw ExitCode.failure }
  }

  private func compare(in parent: String) throws {
    for seed in seeds.bounds {
      Watchdog.watch(seed)
      var comparison = try KernelComparison(seed: seed, in: parent)
      if let difference = try comparison.run(calls: operations) {
        print("seed \(seed): \(difference)")
        throw ExitCode.failure
      }
    }
    print("\(seeds.bounds.count) seeds of \(operations) calls each: no difference")
  }

  private func perform(_ script: String) throws {
    Watchdog.watch(0)
    let world = Scenario(
      before, observers: observers ?? 1, source: source, markLimit: markLimit, queueCapacity: queueCapacity,
      stores: stores)
    world.run(script)
    for line in world.journal { print(line) }
    for (number, said) in world.said.enumerated() { print("observer \(number) tells \(said)") }
    for problem in world.problems { print(problem) }
    if !world.problems.isEmpty { throw ExitCode.failure }
  }

  func runner(_ seed: UInt64) -> Runner {
    Runner(
      seed: seed, source: source, faults: faults, observers: observers, without: without, only: only,
      ownShare: own, stores: stores, losesWrites: lostWrites)
  }

  private func collect(
    _ seed: UInt64, _ violation: Violation, _ found: inout [String: (UInt64, [String], Int)]
  ) {
    let runner = self.runner(seed)
    let (_, items) = runner.run(operations: operations)
    Watchdog.watch(seed)
    let journal = runner.journal(of: runner.shortened(items, violating: violation.kind))
    let kind = violation.kind
    let known = found[kind]
    let times = (known?.2 ?? 0) + 1
    if let known, known.1.count <= journal.count {
      found[kind]?.2 = times
    } else {
      found[kind] = (seed, journal, times)
    }
  }

  private func show(_ seed: UInt64) throws {
    Watchdog.watch(seed)
    let runner = self.runner(seed)
    let (result, items) = runner.run(operations: operations)
    guard let violation = result.violations.first else { return print("seed \(seed) violates nothing") }
    print("seed \(seed): \(violation.rule): \(violation.text); \(items.count) items")
    let shortest = runner.shortened(items, violating: violation.kind)
    print("shortened to \(shortest.count) items:")
    for line in runner.journal(of: shortest) { print(line) }
    if let keep { try write(runner.kept(shortest, violation: violation), to: keep) }
    throw ExitCode.failure
  }
}

/// `A..B`, both included.
struct SeedRange: ExpressibleByArgument {
  var bounds: ClosedRange<UInt64>
  var defaultValueDescription: String { "\(bounds.lowerBound)..\(bounds.upperBound)" }

  init(bounds: ClosedRange<UInt64>) {
    self.bounds = bounds
  }

  init?(argument: String) {
    let parts = argument.split(separator: ".", omittingEmptySubsequences: true).map { UInt64($0) }
    guard let first = parts.first.flatMap({ $0 }), let last = parts.last.flatMap({ $0 }), first <= last,
      parts.count <= 2
    else { return nil }
    bounds = first...last
  }
}

extension SimulatedSource: ExpressibleByArgument {}
