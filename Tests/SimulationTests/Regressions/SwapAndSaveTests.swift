import ObservationSimulation
import TestTraits
import Testing

/// Two documents change names a moment after one of them was saved under a hidden name: each stays itself.
///
/// While hidden files are written in a folder, renames there are held back, because they may be part of a save.
@Suite(.processor) struct SwapAndSaveTests {
  private static let pauses = ["", "|", "| 5ms |", "| 20ms |", "| 50ms |", "| 100ms |", "| 200ms |", "| 400ms |"]
  private static let saves = [
    "new .t; rename .t X", "new t; rename t X", "link X X.h; new .t; rename .t X; unlink X.h", "rename X X~; new X",
    "rename X X~; new X; unlink X~", "open X; write X; close X",
  ]

  @Test(arguments: pauses, [SimulatedSource.inotify, .fanotify])
  func aSavedDocumentTakesTheNameOfOneThatIsSavedElsewhere(_ pause: String, _ source: SimulatedSource) {
    for (first, second) in styles {
      check([save(first, "a"), "rename b c", "rename a b", save(second, "c")], pause, ["b", "c"], source)
    }
  }

  @Test(arguments: pauses, [SimulatedSource.inotify, .fanotify])
  func aSavedDocumentAndAnotherThatIsSavedChangeNames(_ pause: String, _ source: SimulatedSource) {
    for (first, second) in styles {
      let swap = ["rename b t", "rename a b", "rename t a"]
      check([save(first, "a")] + swap + [save(second, "a")], pause, ["b", "a"], source)
    }
  }

  /// The file that comes to a name is no version of the document that had been there on its way.
  @Test(arguments: pauses, [SimulatedSource.inotify, .fanotify])
  func aNewFileTakesANameThatADocumentHadForAMoment(_ pause: String, _ source: SimulatedSource) {
    for delivery in ["|", ""] {
      let world = Scenario("new a", source: source)
      let before = world.identity("a")
      world.runs("new t \(pause) rename a x \(delivery) rename x a \(delivery) rename t x | …")
      #expect(before != nil && world.identity("a") == before, "\(world.told)")
      #expect(world.identity("x") != nil && world.tag("a") == before)
    }
  }

  private var styles: [(String, String)] { Self.saves.flatMap { one in Self.saves.map { (one, $0) } } }

  private func save(_ style: String, _ name: String) -> String { style.replacing("X", with: name) }

  /// - Parameter places: Where `a` and `b` are in the end.
  private func check(_ steps: [String], _ pause: String, _ places: [String], _ source: SimulatedSource) {
    let world = Scenario("new a; new b", source: source)
    let before = ["a", "b"].map { world.identity($0) }
    world.runs(steps.joined(separator: "; \(pause) ") + " | …")
    #expect(places.map { world.identity($0) } == before, "\(steps), \(pause)")
  }
}
