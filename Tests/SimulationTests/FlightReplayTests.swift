import ObservationSimulation
import TestTraits
import Testing

/// What an observer recorded in a simulated world leads to the same decisions when it is replayed.
///
/// An observer that is killed at the end of its world has recorded nothing since.
@Suite(.processor) struct FlightReplayTests {
  /// The first difference of two lists; empty if there is none.
  private func firstDifference(_ one: [String], _ other: [String]) -> String {
    let index =
      zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(one.count, other.count)
    if one.count == other.count, index == one.count { return "" }
    let (recorded, replayed) = (one.dropFirst(index).first ?? "-", other.dropFirst(index).first ?? "-")
    return "decision \(index) of \(one.count): \(recorded), and in the replay: \(replayed)"
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>, SimulatedSource.allCases)
  func theSameDecisionsAreMade(_ seed: UInt64, _ source: SimulatedSource) throws {
    let runner = Runner(seed: seed, source: source, observers: 1)
    let text = try FlightText(runner.flightRecording(operations: 100))
    let outcome = try FlightReplay(text).run()
    #expect(firstDifference(outcome.recorded, outcome.replayed) == "")
    #expect(outcome.remarks == [])
  }

  /// A look that never reached the file system is no answer to the next look at the same place.
  @Test func aLookIntoAFolderThatIsNotOpenIsNoAnswer() throws {
    let text = try FlightText(Runner(seed: 17, source: .fanotify, observers: 1).flightRecording(operations: 100))
    let outcome = try FlightReplay(text).run()
    #expect(firstDifference(outcome.recorded, outcome.replayed) == "")
  }

  /// Calls that fail are recorded, too.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 103, 131, 193, 207] as [UInt64], [SimulatedSource.inotify, .fewMarks])
  func theSameDecisionsAreMadeWhereCallsFail(_ seed: UInt64, _ source: SimulatedSource) throws {
    let runner = Runner(seed: seed, source: source, faults: true, observers: 1)
    let text = try FlightText(runner.flightRecording(operations: 100))
    let outcome = try FlightReplay(text).run()
    #expect(firstDifference(outcome.recorded, outcome.replayed) == "")
  }

  /// Operations of the program itself are repeated with what they made then.
  @Test(arguments: 1...6 as ClosedRange<UInt64>, SimulatedSource.allCases)
  func theSameDecisionsAreMadeOfOperationsOfTheProgram(_ seed: UInt64, _ source: SimulatedSource) throws {
    let runner = Runner(seed: seed, source: source, observers: 1, ownShare: 30)
    let text = try FlightText(runner.flightRecording(operations: 100))
    let outcome = try FlightReplay(text).run()
    #expect(firstDifference(outcome.recorded, outcome.replayed) == "")
    #expect(outcome.remarks == [])
  }

  /// Recordings of earlier versions have the step of an operation, and nothing of what it did.
  @Test func aReplayEndsBeforeAnOperationThatIsNotRecorded() throws {
    let recording = Runner(seed: 3, observers: 1, ownShare: 30).flightRecording(operations: 100)
    let lines = recording.split(separator: "\n").filter { !$0.contains(" operation ") }
    let outcome = try FlightReplay(FlightText(lines.joined(separator: "\n"))).run()
    #expect(outcome.isSame && outcome.remarks.count == 1)
  }

  /// A look that is changed in the recording changes the decisions: the replay does not repeat what was recorded.
  @Test func aChangedLookChangesTheDecisions() throws {
    let text = Runner(seed: 3, observers: 1).flightRecording(operations: 100)
    let lines = text.split(separator: "\n").map { line in
      line.contains(" look ")
        ? String(line).replacing(#/found=entry .* name=/#, with: "found=absent name=") : String(line)
    }
    let outcome = try FlightReplay(FlightText(lines.joined(separator: "\n"))).run()
    #expect(!outcome.isSame && outcome.recorded.count > 10)
  }

  @Test func aRecordingWithoutItsBeginningIsRefused() {
    let text = Runner(seed: 3, observers: 1).flightRecording(operations: 100, records: 64)
    #expect(throws: FlightText.Unusable.self) { try FlightText(text) }
    #expect(throws: FlightText.Unusable.self) { try FlightText("something else") }
    #expect(throws: FlightText.Unusable.self) { try FlightText("") }
  }
}
