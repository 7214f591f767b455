import ObservationSimulation
import TestTraits
import Testing

/// What happens in a folder is followed while nothing tells where the folder is: it was moved into one so new that the
/// kernel reports nothing of that.
@Suite(.processor) struct FolderOnItsWayTests {
  private static let saves = [
    "new q/.t; rename q/.t q/d", "rename q/d q/d~; new q/d; unlink q/d~", "unlink q/d; new q/d",
  ]

  @Test(arguments: saves, [SimulatedSource.inotify, .fanotify])
  func aSavedDocumentIsRenamedInIt(_ save: String, _ source: SimulatedSource) {
    check(save, "rename m/n/d m/n/e", ["m/n/c", "m/n/e"], source)
  }

  @Test(arguments: saves, [SimulatedSource.inotify, .fanotify])
  func aSavedDocumentChangesNamesWithAnotherInIt(_ save: String, _ source: SimulatedSource) {
    check(save, "rename m/n/d m/n/t; rename m/n/c m/n/d; rename m/n/t m/n/c", ["m/n/d", "m/n/c"], source)
  }

  /// A look into a folder whose hints are still to be followed says nothing of where the folder is.
  @Test(arguments: [SimulatedSource.inotify, .fanotify])
  func documentsChangeNamesInAFolderThatChangesPlacesWithANewOne(_ source: SimulatedSource) {
    let folders = "rename n t; rename q n; rename t q"
    let renames = "rename n/c t; rename n/d n/c; rename t n/d"
    let world = Scenario("mkdir q; new q/c; new q/d", source: source)
    let before = ["q/c", "q/d"].map { world.identity($0) }
    world.runs("mkdir n; rename q/d q/d~; new q/d; unlink q/d~; \(folders); \(renames) | …")
    #expect(["n/d", "n/c"].map { world.identity($0) } == before)
  }

  /// - Parameter places: Where `q/c` and `q/d` are in the end.
  private func check(_ save: String, _ renames: String, _ places: [String], _ source: SimulatedSource) {
    let world = Scenario("mkdir q; new q/c; new q/d", source: source)
    let before = ["q/c", "q/d"].map { world.identity($0) }
    world.runs("\(save); mkdir m; rename q m/n; \(renames) | …")
    #expect(places.map { world.identity($0) } == before)
  }
}
