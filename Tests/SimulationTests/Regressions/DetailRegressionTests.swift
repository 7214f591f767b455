import FileSystemObservation
import ObservationSimulation
import Testing

/// What listeners hear besides the changes of the tree.
struct DetailRegressionTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify]

  /// A listener that asks for properties is added while the engine is in a step.
  private func listen(in world: Scenario) {
    var questions = 0
    world.ask {
      questions += 1
      return questions > 1 ? .properties : []
    }
  }

  /// Its snapshot may be from before the step, so it must hear of all that the step changes.
  @Test(arguments: sources) func aListenerThatIsAddedDuringAStepHearsOfItsCounts(_ source: SimulatedSource) {
    let world = Scenario("mkdir d; new d/a", source: source)
    listen(in: world)
    world.run("rename d/a b |", tells: ["moved d/a -> b"])
    let folder = world.toldDetails.first { $0.item.name == "d" }
    #expect(folder?.kind == .propertiesChanged && folder?.item.childCount == 0, "\(world.toldDetails)")
  }

  @Test(arguments: sources) func aListenerThatIsAddedDuringAStepHearsOfItsTimes(_ source: SimulatedSource) {
    let world = Scenario("mkdir d; new d/a", source: source)
    listen(in: world)
    world.run("new d/.hidden |", tells: [])
    #expect(world.toldDetails.map(\.kind) == [.propertiesChanged], "\(world.toldDetails)")
    #expect(world.toldDetails.first?.item.name == "d")
  }

  @Test func whatChangedBeforeIsForgotten() {
    let world = Scenario("mkdir d; new d/a")
    world.run("new d/.hidden |", tells: [])
    world.ask { .properties }
    world.run("new b |")
    #expect(world.toldDetails.allSatisfy { $0.item.relativePath.isEmpty }, "\(world.toldDetails)")
  }
}
