import FileSystemObservation
import LinuxFileSystem

/// What came of a run.
package struct RunResult: Sendable {
  package var violations: [Violation]
  package var operations: Int
  package var calls: Int
  /// How many listeners began at some moment.
  package var joins: Int
}

/// Runs simulations, and shortens those that fail.
package struct Runner {
  package var options: WorldOptions
  private let names = NameTable()

  /// - Parameters:
  ///   - source: Where the observers' hints come from.
  ///   - observers: How many observers there are, whatever the seed says.
  ///   - excluded: Kinds of operations to leave out, by name.
  ///   - only: The only kind of operations, by name.
  ///   - stores: Whether observers are killed in every world, and go on from their last state.
  ///   - losesWrites: Whether they are, and may go on from an earlier state, or from none.
  ///   - ownShare: How many operations out of a hundred an app asks its observer to do.
  package init(
    seed: UInt64, source: SimulatedSource = .inotify, faults: Bool = false, observers: Int? = nil,
    without excluded: [String] = [], only: String? = nil, ownShare: Int? = nil, stores: Bool = false,
    losesWrites: Bool = false
  ) {
    options = WorldOptions(
      seed: seed, source: source, faults: faults, observers: observers, without: excluded, only: only,
      stores: stores, losesWrites: losesWrites)
    options.ownShare = ownShare
  }

  init(options: WorldOptions, names texts: [String]) {
    self.options = options
    for text in texts { _ = names.number(text) }
  }

  /// All names, in the order of their numbers.
  var nameTexts: [String] {
    (0..<names.count).map { names.name(NameNumber(rawValue: Int32($0))).description }
  }

  /// Runs the seed's world.
  ///
  /// Where a rule is violated, `items` is the whole run.
  package func run(operations: Int) -> (result: RunResult, items: [Item]) {
    var generator = Generator(options: options, names: names)
    generator.run(operations: operations)
    let simulation = generator.simulation
    defer { simulation.tearDown() }
    let started = generator.items.count { if case .start = $0 { true } else { false } }
    let result = RunResult(
      violations: simulation.violations, operations: started, calls: simulation.callCount,
      joins: simulation.allJoins)
    return (result, generator.items)
  }

  /// Repeats a run from its items, until a rule is violated.
  package func repeated(_ items: [Item]) -> [Violation] {
    simulating(items) { $0.violations }
  }

  /// What happens in a run, in words.
  package func journal(of items: [Item]) -> [String] {
    simulating(items, after: { $0.journal = [] }) { $0.journal ?? [] }
  }

  /// The flight recording of the last life of the first observer in a run.
  package func flightRecording(of items: [Item], records: Int = 1 << 18) -> String {
    simulating(items, after: { $0.flightRecords = records }) { $0.observers[0].flightRecorder?.text() ?? "" }
  }

  /// Repeats a run from its items, until a rule is violated, and returns what is asked of it then.
  private func simulating<Result>(
    _ items: [Item], after prepare: (Simulation) -> Void = { _ in }, _ result: (Simulation) -> Result
  ) -> Result {
    let simulation = Simulation(options: options, names: names)
    defer { simulation.tearDown() }
    prepare(simulation)
    for item in items where simulation.violations.isEmpty { simulation.perform(item) }
    return result(simulation)
  }

  /// The flight recording of the last life of the first observer in the seed's world.
  package func flightRecording(operations: Int, records: Int = 1 << 18) -> String {
    var generator = Generator(options: options, names: names)
    let simulation = generator.simulation
    simulation.flightRecords = records
    generator.run(operations: operations)
    defer { simulation.tearDown() }
    return simulation.observers[0].flightRecorder?.text() ?? ""
  }
}
