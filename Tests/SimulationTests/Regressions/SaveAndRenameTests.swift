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

  /// Nobody sees the new file where it was saved: it is found when the new folder is listed.
  @Test(arguments: saves) func aSavedDocumentThatIsMovedIntoANewFolderStaysItself(_ save: String) {
    check(steps(save, of: "a") + ["mkdir n", "rename a n/a"], endsAt: "n/a")
    check(steps(save, of: "a") + ["mkdir n", "mkdir n/m", "rename a n/m/a"], endsAt: "n/m/a")
  }

  /// The nearest of several documents with the file's name has left for the folder.
  @Test func documentsOfOneNameThatAreMovedIntoNewFoldersStayThemselves() {
    let world = Scenario("new a; mkdir d; new d/a; mkdir e; new e/a")
    let before = ["a", "d/a", "e/a"].map { world.identity($0) }
    let saves = ["", "d/", "e/"].map { folder in
      "new \(folder).t; rename \(folder).t \(folder)a; mkdir \(folder)n; rename \(folder)a \(folder)n/a"
    }
    world.runs("\(saves.joined(separator: "; ")) |")
    #expect(["n/a", "d/n/a", "e/n/a"].map { world.identity($0) } == before)
  }

  /// The document's name alone is no evidence: the file may have been made in the folder, or be another document.
  @Test(arguments: [
    "new .t; rename .t a; rename a /outside/a; mkdir n; new n/a",
    "new .t; rename .t a; rename a /outside/a; mkdir n; new .u; rename .u n/b",
    "new d/.t; rename d/.t d/a; rename d/a /outside/a; new e/.t; rename e/.t e/a; rename e/a /outside/b; "
      + "new w; mkdir n; rename w n/a",
    "new .t; rename .t a; rename a /outside/a; new u; mkdir n; rename u n/a; new v; mkdir o; rename v o/a",
  ])
  func anotherFileInANewFolderIsNotTheDocument(_ script: String) {
    let world = Scenario("new a; mkdir d; new d/a; mkdir e; new e/a")
    let before = ["a", "d/a", "e/a"].map { world.identity($0) }
    world.runs("\(script) |")
    for path in ["n/a", "n/b", "o/a"] {
      if let identity = world.identity(path) { #expect(!before.contains(identity), "\(path): \(script)") }
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
