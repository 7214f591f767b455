import FileEvents
import LinuxFileSystem

// The check of the engine's invariants.

extension Engine {
  /// The violations between two steps; a thorough check covers each entry of the graph, too.
  package func brokenInvariants(isThorough: Bool = true) -> [String] {
    var report = InvariantReport()
    for (id, mark) in marks {
      report.expect(
        markedDirectories[mark] == id, "\(id) has the mark of \(String(describing: markedDirectories[mark]))")
    }
    for (mark, id) in markedDirectories {
      report.expect(marks[id] == mark, "\(mark) is of \(id), which has \(String(describing: marks[id]))")
    }
    return report.violations + state.classify { $0.brokenInvariants(isThorough: isThorough) }
  }

  /// In debug builds, stops the program if an invariant does not hold after a step.
  ///
  /// The cost of a check is proportional to the undecided entries, so with many of them checks are rare.
  func checkInvariants() {
    assert(!assertsInvariants || areInvariantsKept(), "the engine's state contradicts itself")
  }

  private func areInvariantsKept() -> Bool {
    uncheckedSteps += 1
    guard uncheckedSteps * 32 > state.classify({ $0.invariantCost }) else { return true }
    uncheckedSteps = 0
    let violations = brokenInvariants(isThorough: false)
    for violation in violations { debugPrint(violation) }
    return violations.isEmpty
  }
}
