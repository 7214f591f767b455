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

  /// A new file that was announced a moment ago is the next version of the document below it.
  @Test func aNewFileMovedOverADocumentIsItsNextVersion() {
    let world = Scenario("new b")
    let before = world.identity("b")
    world.runs("new t | 750ms | rename t b | …")
    #expect(before != nil && world.identity("b") == before)
  }
}
