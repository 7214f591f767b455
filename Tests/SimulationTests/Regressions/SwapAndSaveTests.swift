import ObservationSimulation
import TestTraits
import Testing

/// Documents that change names while one of them is being saved: each stays itself.
@Suite(.processor) struct SwapAndSaveTests {
  private static let pauses = ["", "|", "| 5ms |", "| 20ms |", "| 50ms |", "| 100ms |", "| 200ms |", "| 400ms |"]
  private static let saves = ["new .t; rename .t X", "new t; rename t X", "link X X~; new .t; rename .t X; unlink X~", "rename X X~; new X", "open X; write X; close X"]
  private func save(_ style: String, _ name: String, _ temporary: String) -> String {
    style.replacing("X", with: name).replacing(".t", with: ".\(temporary)").replacing(" t", with: " \(temporary)")
  }

  private func check(_ steps: [String], _ pause: String, _ places: [String: String], _ source: SimulatedSource = .inotify) {
    let world = Scenario("new a; new b", source: source)
    let before = ["a": world.identity("a"), "b": world.identity("b")]
    world.runs(steps.joined(separator: "; \(pause) ") + " | …")
    for (document, place) in places {
      let holder = before.first { $0.value == world.identity(place) }?.key ?? "new"
      #expect(holder == document, "\(place) is \(holder) and not \(document): \(steps) with \(pause) \(source)")
    }
  }

  @Test(arguments: pauses, [SimulatedSource.inotify, .fanotify])
  func aSavedDocumentTakesTheNameOfOneThatIsSavedElsewhere(_ pause: String, _ source: SimulatedSource) {
    for style in Self.saves {
      check([save(style, "a", "1"), "rename b c", "rename a b", save(style, "c", "2")], pause, ["a": "b", "b": "c"], source)
    }
  }

  @Test(arguments: pauses, [SimulatedSource.inotify, .fanotify])
  func aSavedDocumentAndAnotherThatIsSavedChangeNames(_ pause: String, _ source: SimulatedSource) {
    for style in Self.saves {
      check([save(style, "a", "1"), "rename b t", "rename a b", "rename t a", save(style, "a", "2")], pause, ["a": "b", "b": "a"], source)
    }
  }
}
