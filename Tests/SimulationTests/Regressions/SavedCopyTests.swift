import ObservationSimulation
import Testing

/// A folder is moved by copying, and a program saves what is in it before it is announced there.
struct SavedCopyTests {
  private static let saves = ["new N/.t; rename N/.t N/a", "new N/t; rename N/t N/a", "unlink N/a; new N/a"]
  private static let moments = [
    "copy-a-tree trip N; remove trip; SAVE", "copy-a-tree trip N | 50ms | remove trip | 50ms | SAVE",
    "copy-a-tree trip N | 50ms | SAVE | 20ms | remove trip", "copy-a-tree trip N | remove trip | 600ms | SAVE",
  ]

  private func world(_ source: SimulatedSource) -> Scenario {
    Scenario("mkdir trip; new trip/a; new trip/b; mkdir trip/day; new trip/day/a", source: source)
  }

  /// The version has no tag, and was a document of its own.
  @Test(arguments: moments, [SimulatedSource.inotify, .fanotify, .polling])
  func theDocumentGoesOn(_ script: String, _ source: SimulatedSource) {
    for (save, folder) in Self.saves.flatMap({ save in ["album", "album/day"].map { (save, $0) } }) {
      let world = world(source)
      let former = folder.replacing("album", with: "trip")
      let identities = ["a", "b"].map { world.identity("trip/\($0)") } + [world.identity("\(former)/a")]
      let saving = save.replacing("N", with: folder)
      world.runs(script.replacing("N", with: "album").replacing("SAVE", with: saving) + " |")
      #expect(world.told.filter { !$0.hasPrefix("modified") } == ["renamed trip -> album"], "\(saving)")
      #expect(["a", "b"].map { world.identity("album/\($0)") } + [world.identity("\(folder)/a")] == identities)
      #expect(world.problems == [])
    }
  }

  /// An older copy of the folder has what the document was.
  @Test(arguments: saves, [SimulatedSource.inotify, .fanotify, .polling])
  func anOlderCopyIsNotTheDocument(_ save: String, _ source: SimulatedSource) {
    let world = world(source)
    let identity = world.identity("trip/a")
    world.runs("copy-a-tree trip backup | 2000ms |")
    world.runs("copy-a-tree trip album; remove trip; \(save.replacing("N", with: "album")) |")
    #expect(world.identity("album/a") == identity && world.identity("backup/a") != identity)
    #expect(world.problems == [])
  }

  /// The folder stays: what was saved in its copy is new.
  @Test(arguments: saves, [SimulatedSource.inotify, .fanotify, .polling])
  func whatIsSavedInACopyIsNew(_ save: String, _ source: SimulatedSource) {
    let world = world(source)
    let identity = world.identity("trip/a")
    world.runs("copy-a-tree trip album | 50ms | \(save.replacing("N", with: "album")) |")
    #expect(world.identity("trip/a") == identity && world.identity("album/a") != identity)
    #expect(!world.told.contains { $0.hasPrefix("deleted") || $0.hasPrefix("modified") })
  }

  /// Only the document is removed, long after its folder was copied: what is made in the copy then is another.
  @Test(arguments: [SimulatedSource.inotify, .fanotify, .polling])
  func whatIsMadeInAnOldCopyIsAnother(_ source: SimulatedSource) {
    let world = world(source)
    let identity = world.identity("trip/a")
    world.runs("copy-a-tree trip album; unlink album/a |")
    world.runs("unlink trip/a; new album/a |")
    #expect(world.deletions == ["deleted(removed) trip/a"])
    #expect(world.identity("album/a") != identity)
  }
}
