import Foundation
import TestTraits
import Testing

/// The engine asks the classifier, and does not reach into its state.
@Suite(.light)
struct ClosedInterfaceTests {
  private let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/FileSystemObservation")

  @Test func theEngineNamesNoStateOfTheClassifier() throws {
    let classifier = try String(contentsOf: sources.appending(path: "Classifier/Classifier.swift"), encoding: .utf8)
    let declaration = #/\n  (?:var|let) (\w+)(?::| =)/#
    // Time is given with each call; the graph is for reading, and the coverage owns its state.
    let state = Set(classifier.matches(of: declaration).map(\.1)).subtracting([
      "now", "graph", "coverage", "nextDeadline",
    ])
    #expect(state.count > 25)
    for room in ["Engine", "Recorder", "Observer"] {
      for path in try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: room).path)
      where path.hasSuffix(".swift") {
        let file = sources.appending(path: room).appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        let named = Set(text.matches(of: #/(?:classifier|\$0)\.(\w+)(?![\w(])/#).map(\.1)).intersection(state)
        let own: Set<Substring> = file.lastPathComponent.hasSuffix("+FlightRecording.swift") ? ["patterns"] : []
        #expect(named.subtracting(own).isEmpty, "\(file.lastPathComponent)")
      }
    }
  }
}
