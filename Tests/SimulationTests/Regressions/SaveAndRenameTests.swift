import ObservationSimulation
import TestTraits
import Testing

/// A document that is saved and renamed in one go stays itself, however the events of it are divided among readings of
/// the queue.
///
/// The observer looks at what a hint was about when all is over already: the ways of saving, the renames before and
/// after, and the readings are all put together.
@Suite(.processor) struct SaveAndRenameTests {
  private static let saves = [
    "link A A~; new t; rename t A; unlink A~", "link A A~; new t; rename t A", "link A A~; unlink A; new A",
    "link A A~; new .t; rename .t A; unlink A~", "link A x; new .t; rename .t A; unlink x",
    "rename A A~; new A", "rename A A~; new A; unlink A~", "rename A x; new A; unlink x", "unlink A; new A",
    "new t; rename t A", "new .t; rename .t A", "new t; unlink A; rename t A", "new t; exchange t A; unlink t",
    "new t; rename A A~; rename t A", "new t; rename A A~; rename t A; unlink A~",
    "new t; rename A x; rename t A; unlink x", "copy A A~; truncate A; write A; close A",
  ]

  @Test(arguments: saves) func aSavedDocumentThatIsRenamedStaysItself(_ save: String) {
    check(steps(save, of: "a") + ["rename a s"], endsAt: "s")
  }

  @Test(arguments: saves) func aRenamedDocumentThatIsSavedStaysItself(_ save: String) {
    check(["rename a s"] + steps(save, of: "s"), endsAt: "s")
  }

  @Test(arguments: saves) func aDocumentRenamedBeforeAndAfterItsSaveStaysItself(_ save: String) {
    check(["rename a s"] + steps(save, of: "s") + ["rename s d/u"], endsAt: "d/u")
  }

  /// What happens in the folder cannot be followed, for it is in a new one that is not marked yet: it is found when
  /// that is listed.
  @Test(arguments: saves) func aRenamedDocumentThatIsSavedInAFolderThatHasMovedStaysItself(_ save: String) {
    let moved = "rename a d/s; mkdir y; rename d y/d"
    let saved = steps(save, of: "s").map { step in
      let words = step.split(separator: " ")
      return words[0] + " " + words.dropFirst().map { "y/d/\($0)" }.joined(separator: " ")
    }
    for (start, end) in [("", ""), ("create w; |", "close w |")] {
      let world = Scenario("new a; mkdir d")
      let before = world.identity("a")
      world.runs("\(start) \(moved); \(saved.joined(separator: "; ")) | … \(end)")
      #expect(before != nil && world.identity("y/d/s") == before, "\(start) \(save)")
    }
  }

  private func steps(_ save: String, of name: String) -> [String] {
    save.split(separator: "; ").map { step in
      step.split(separator: "A", omittingEmptySubsequences: false).joined(separator: name)
    }
  }

  private func check(_ steps: [String], endsAt end: String) {
    let whole = steps.joined(separator: "; ")
    var scripts = (1...11).map { "\(whole) |\($0) |" }
    for index in 1..<steps.count {
      let parts = [steps[..<index], steps[index...]].map { $0.joined(separator: "; ") }
      for count in [1, 2, 3, 9] {
        scripts += ["|", "|1 |2 |"].map { "\(parts[0]) |\(count) \(parts[1]) \($0)" }
      }
    }
    for script in scripts {
      let world = Scenario("new a; mkdir d")
      let before = world.identity("a")
      world.runs(script)
      #expect(before != nil && world.identity(end) == before, "\(script)")
    }
  }
}
