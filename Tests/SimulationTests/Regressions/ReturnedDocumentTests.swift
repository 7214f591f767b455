import ObservationSimulation
import TestTraits
import Testing

/// A document that came back a moment ago is moved over another: it was taken for that one's next version.
@Suite(.processor) struct ReturnedDocumentTests {
  @Test(arguments: ["0ms", "100ms", "400ms", "600ms", "2000ms"])
  func aReturnedDocumentMovedOverAnotherStaysItself(_ pause: String) {
    let world = Scenario("new a; new b")
    let before = world.identity("a")
    world.run("rename a /outside/a | …", tells: ["deleted(movedOut) a"])
    world.runs("rename /outside/a a | 100ms \(pause) | rename a b | …")
    #expect(before != nil && world.identity("b") == before)
  }

  /// A copy that comes back in its place is it, however soon; but not one that was made before.
  @Test(arguments: ["20ms", "200ms", "450ms", "700ms", "2000ms"], [SimulatedSource.inotify, .fanotify])
  func aDocumentThatLeavesReturnsAsACopy(_ pause: String, _ source: SimulatedSource) {
    for (name, place) in [("b", "a"), ("d/b", "d/a")] {
      let world = Scenario("mkdir d; new a; new d/a", source: source)
      let before = world.identity(place)
      world.run("rename \(place) /outside/a | \(pause)")
      world.runs("copy-a /outside/a /outside/b; unlink /outside/a; rename /outside/b \(name) | …")
      #expect(before != nil && world.identity(name) == before, "\(world.told)")
    }
    let world = Scenario("new a", source: source)
    let before = world.identity("a")
    world.runs("copy-a a /outside/b; rename /outside/b b | \(pause) | rename a /outside/a | …")
    #expect(before != nil && world.identity("b") != before, "\(world.told)")
  }

  /// A new file that was announced a moment ago is the next version of the document below it.
  @Test func aNewFileMovedOverADocumentIsItsNextVersion() {
    let world = Scenario("new b")
    let before = world.identity("b")
    world.runs("new t | 750ms | rename t b | …")
    #expect(before != nil && world.identity("b") == before)
  }

  /// The folder was moved out, or hidden, and a program saved one of its documents there by replacement.
  @Test(arguments: ["/outside/d", ".d"], [SimulatedSource.inotify, .fanotify])
  func aDocumentThatWasSavedWhileItsFolderWasAway(_ away: String, _ source: SimulatedSource) {
    let world = Scenario("mkdir d; new d/x; new d/y; mkdir d/e; new d/e/z", source: source)
    let names = ["d/x", "d/y", "d/e/z"]
    let before = names.map { world.identity($0) }
    world.runs("rename d \(away) … new \(away)/n; rename \(away)/n \(away)/x; new n; rename n \(away)/e/z …")
    world.runs("rename \(away) d … 3000ms")
    #expect(!before.contains(nil) && names.map { world.identity($0) } == before, "\(world.told)")
    #expect(names.map { world.tag($0) } == before)
  }

  /// The name is that of a backup, of which the document was taken for one itself: it was never announced.
  @Test(arguments: ["x.orig", "x.bak", "x~"], [SimulatedSource.inotify, .fanotify])
  func aDocumentWithTheNameOfABackupReturnsWithItsFolder(_ name: String, _ source: SimulatedSource) {
    let world = Scenario("mkdir d; new d/\(name)", source: source)
    let before = world.identity("d/\(name)")
    world.runs("new .t; rename .t d/\(name) | 10ms | rename d /outside/d … 5000ms | rename /outside/d e … 3000ms")
    #expect(before != nil && world.identity("e/\(name)") == before, "\(world.told)")
  }

  /// What is made at another name is another document.
  @Test func aDocumentThatWasMadeWhileTheFolderWasAway() {
    let world = Scenario("mkdir d; new d/x")
    let before = world.identity("d/x")
    world.runs("rename d /outside/d … unlink /outside/d/x; new /outside/d/other … rename /outside/d d … 3000ms")
    #expect(world.identity("d/other") != before && world.identity("d/x") == nil)
  }
}
