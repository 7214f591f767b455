import ArgumentParser
import FoundationEssentials
import ObservationSimulation

// Replaying what `fsobserve watch --record` and `FileSystemObserver.flightRecording()` wrote.

extension Simulate {
  /// Replays a flight recording, and prints the decisions: what only the recording has with `-`, what only the replay
  /// has with `+`.
  func replayFlight(in path: String) throws {
    let text = try FlightText(String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self))
    let outcome = try FlightReplay(text).run()
    for line in outcome.lines { print(line) }
    for remark in outcome.remarks { print("note: \(remark)") }
    let count = outcome.recorded.count
    if outcome.isSame { return print("\(count) decisions, all the same") }
    print(
      "\(count) decisions, and \(outcome.replayed.count) in the replay, which differ; "
        + "\(outcome.newQuestions) questions had no answer in their step")
    throw ExitCode.failure
  }

  /// Replays the flight recording of each seed's world.
  func replayFlightsOfWorlds() throws {
    var differing = 0
    var count = 0
    for seed in seeds.bounds {
      Watchdog.watch(seed)
      let recording = runner(seed).flightRecording(operations: operations)
      if recording.isEmpty { continue }
      let outcome = try FlightReplay(FlightText(recording)).run()
      count += outcome.recorded.count
      if outcome.isSame { continue }
      differing += 1
      print("seed \(seed):")
      for line in outcome.lines where line.hasPrefix("-") || line.hasPrefix("+") { print(line) }
    }
    print("\(seeds.bounds.count) worlds, \(count) decisions, \(differing) replays differ")
    if differing > 0 { throw ExitCode.failure }
  }
}

extension FlightReplay.Outcome {
  /// All decisions in their order, with the differences.
  fileprivate var lines: [String] {
    let difference = replayed.difference(from: recorded)
    var removed = Set(difference.removals.map(\.offset)), inserted = Set(difference.insertions.map(\.offset))
    var (lines, index, other): ([String], Int, Int) = ([], 0, 0)
    while index < recorded.count || other < replayed.count {
      if index < recorded.count, removed.remove(index) != nil {
        lines.append("- " + recorded[index])
        index += 1
      } else if other < replayed.count, inserted.remove(other) != nil {
        lines.append("+ " + replayed[other])
        other += 1
      } else {
        lines.append("  " + replayed[other])
        index += 1
        other += 1
      }
    }
    return lines
  }
}

extension CollectionDifference.Change {
  /// The position of what was removed or inserted.
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
