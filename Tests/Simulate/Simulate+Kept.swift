import ArgumentParser
import Foundation
import ObservationSimulation

// Runs that are kept in files.

extension Simulate {
  func write(_ world: KeptWorld, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(world).write(to: URL(filePath: path))
  }

  func repeatKept(in path: String) throws {
    let world = try JSONDecoder().decode(KeptWorld.self, from: Data(contentsOf: URL(filePath: path)))
    Watchdog.watch(world.options.seed)
    let runner = Runner(world)
    for line in runner.journal(of: world.items) { print(line) }
    if let record {
      try Data(runner.flightRecording(of: world.items).utf8).write(to: URL(filePath: record))
    }
    let violations = runner.repeated(world.items)
    if violations.isEmpty { return print("violates nothing; once it did: \(world.violation)") }
    throw ExitCode.failure
  }
}
