import ObservationSimulation
import TestTraits
import Testing

/// What is said of a document does not depend on how much else is unfinished: four rules were switched off by more than
/// 64 such files.
@Suite(.processor) struct LoadRegressionTests {
  /// More than any of the rules looked through.
  private static let crowd = 0..<100

  /// Begins to write as many files beside the documents or in a folder of their own, and goes on for long enough to
  /// have them told.
  private static func begin(in folder: String) -> String {
    crowd.map { "create \(folder)busy\($0); write \(folder)busy\($0);" }.joined(separator: " ") + " 1800ms"
  }

  private static let end = crowd.map { "close e/busy\($0);" }.joined(separator: " ")

  /// What is told of anything but the crowd.
  private static func told(_ before: String, _ script: String, crowd: Bool) -> [String] {
    let world = Scenario("mkdir e; \(before)")
    let begin = crowd ? begin(in: "e/") : "1800ms"
    let told = world.run("\(begin) \(script) \(crowd ? end : "") |").filter { !$0.contains("busy") }
    #expect(world.problems == [])
    return told
  }

  @Test(arguments: [
    // A temporary file that was told as being copied is renamed over the document.
    ("new doc", "create t; write t 1700ms write t; close t; rename doc aside; rename t doc; unlink aside"),
    // A document that was just announced is renamed over another, which was put aside.
    ("new doc", "new t 800ms rename doc aside; rename t doc 900ms"),
    // A download beside an empty file that has its name.
    (
      "new x",
      "create film.mkv; close film.mkv; create t.mkv.part; write t.mkv.part 900ms write t.mkv.part; close t.mkv.part; "
        + "rename t.mkv.part film.mkv"
    ),
    // Two documents change places by a name that nobody sees.
    ("new a; new b", "exchange a b"),
  ])
  func aCrowdElsewhereChangesNothing(_ before: String, _ script: String) {
    let alone = Self.told(before, script, crowd: false)
    #expect(!alone.isEmpty)
    #expect(Self.told(before, script, crowd: true) == alone)
  }
}
