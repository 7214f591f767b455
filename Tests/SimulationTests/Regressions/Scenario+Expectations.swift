import ObservationSimulation
import Testing

extension Scenario {
  /// Does what a script says, and expects that exactly this is told of it, in this order, and that no rule is violated.
  func run(
    _ script: String, tells expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let told = run(script)
    #expect(told == expected, comment, sourceLocation: sourceLocation)
    expectOrder(sourceLocation)
  }

  /// Does what a script says, and expects that no rule is violated.
  func runs(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) {
    run(script)
    expectOrder(sourceLocation)
  }

  /// What was told as deleted in the last run.
  var deletions: [String] { told.filter { $0.hasPrefix("deleted") } }

  private func expectOrder(_ sourceLocation: SourceLocation) {
    #expect(problems == [], comment, sourceLocation: sourceLocation)
  }

  private var comment: Comment { Comment(rawValue: "\n" + journal.joined(separator: "\n")) }
}
