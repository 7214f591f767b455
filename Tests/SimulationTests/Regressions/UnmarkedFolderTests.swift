import ObservationSimulation
import TestTraits
import Testing

/// Folders that are so new that no source reports what happens in them.
@Suite(.processor) struct UnmarkedFolderTests {
  private static let saves = [
    "new .t; rename .t a", "rename a a~; new a; unlink a~", "rename a a~; new a", "unlink a; new a",
    "link a a.h; new .t; rename .t a; unlink a.h",
  ]

  /// fanotify names the file that leaves for such a folder, and the file that comes from there.
  @Test(arguments: saves) func aSavedDocumentMovesIntoItUnderAnotherName(_ save: String) {
    check("\(save); mkdir n; rename a n/b", [("a", "n/b")])
    check("mkdir n; \(save); rename a n/b", [("a", "n/b")])
    check("mkdir n; mkdir n/m; \(save); rename a n/m/b; new n/m/a", [("a", "n/m/b")])
    check("mkdir n; \(save); rename a n/b; rename d/c a", [("a", "n/b"), ("d/c", "a")])
  }

  @Test(arguments: saves) func aSavedDocumentPassesThroughIt(_ save: String) {
    check("\(save); mkdir n; rename a n/b; rename n/b d/b", [("a", "d/b")])
    check("mkdir n; rename a n/b; rename n/b a; \(save)", [("a", "a")])
    check("mkdir n; \(save); rename d/c n/b; rename n/b t; rename a n/b; rename t a", [("a", "n/b"), ("d/c", "a")])
  }

  /// The first version is not finished yet when the document leaves.
  @Test(arguments: saves, [SimulatedSource.inotify, .fanotify])
  func aDocumentIsSavedBeforeItMovesIntoItAndAfterwards(_ save: String, _ source: SimulatedSource) {
    for pause in ["|", "| 1ms |", "| 5ms |", "| 20ms |", "| 100ms |", "| 300ms |"] {
      let saved = save.split(separator: " ").map { word in
        word.hasPrefix("a") || word.hasPrefix(".t") ? "n/\(word)" : String(word)
      }.joined(separator: " ")
      check("\(save) \(pause) mkdir n; rename a n/a \(pause) \(saved)", [("a", "n/a")], source)
      check("mkdir n; rename a n/a \(pause) \(saved)", [("a", "n/a")], source)
    }
  }

  /// The order of what happens to other documents is unknown meanwhile.
  @Test(arguments: saves) func aDocumentThatIsSavedTwiceMovesIntoIt(_ save: String) {
    let swap = "rename d/c t; rename e/g d/c; rename t e/g"
    let twice = "new .u; rename .u a; \(save)"
    let places = [("a", "n/b"), ("d/c", "d/c"), ("e/g", "e/g")]
    check("mkdir n; \(swap); \(swap); \(twice); rename a n/b", places)
    check("\(swap); \(swap); mkdir n; \(twice); rename a n/b", places)
  }

  /// A listing of the folder has found the document before it was replayed that its former name has another.
  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func theNameOfADocumentInItIsTaken(_ source: SimulatedSource) {
    check("mkdir n; rename a n/a; rename d/c a", [("a", "n/a"), ("d/c", "a")], source)
    check("mkdir n; rename a n/a; new a", [("a", "n/a")], source)
  }

  /// `RENAME_EXCHANGE`: nothing was saved.
  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func documentsChangePlacesThroughIt(_ source: SimulatedSource) {
    check("mkdir n; rename a n/h; exchange n/h d/c", [("a", "d/c"), ("d/c", "n/h")], source)
    for pause in ["|", "| 2ms |", "| 20ms |"] {
      let first = "mkdir n; rename a n/h; exchange n/h d/c"
      let second = "mkdir m; rename n/h m/h; exchange m/h d/c"
      check("\(first) \(pause) \(second)", [("a", "m/h"), ("d/c", "d/c")], source)
    }
  }

  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func theNameOfAFolderInItIsTaken(_ source: SimulatedSource) {
    let renames = "rename d n/e; rename e d"
    check("mkdir n; \(renames); rename n/e/c n/e/f", [("d/c", "n/e/f"), ("e/g", "d/g")], source)
    check("mkdir n; \(renames); new n/e/t; rename n/e/t n/e/c", [("d/c", "n/e/c"), ("e/g", "d/g")], source)
  }

  /// - Parameter places: Where documents are before, and where they are in the end.
  private func check(_ script: String, _ places: [(String, String)], _ source: SimulatedSource = .fanotify) {
    let world = Scenario("new a; mkdir d; new d/c; mkdir e; new e/g", source: source)
    let before = places.map { world.identity($0.0) }
    world.runs("\(script) | …")
    #expect(places.map { world.identity($0.1) } == before, "\(source): \(script)")
  }
}
