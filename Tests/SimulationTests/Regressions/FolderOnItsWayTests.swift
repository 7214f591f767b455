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
    let world = Scenario("mkdir q; new q/c; new q/d", source: source)
    let (other, document) = (world.identity("q/c"), world.identity("q/d"))
    world.runs("\(save); mkdir m; rename q m/n; rename m/n/d m/n/e | …")
    #expect(world.identity("m/n/e") == document && world.identity("m/n/c") == other)
  }

  @Test(arguments: saves, [SimulatedSource.inotify, .fanotify])
  func aSavedDocumentChangesNamesWithAnotherInIt(_ save: String, _ source: SimulatedSource) {
    let world = Scenario("mkdir q; new q/c; new q/d", source: source)
    let (other, document) = (world.identity("q/c"), world.identity("q/d"))
    world.runs("\(save); mkdir m; rename q m/n; rename m/n/d m/n/t; rename m/n/c m/n/d; rename m/n/t m/n/c | …")
    #expect(world.identity("m/n/c") == document && world.identity("m/n/d") == other)
  }
}
