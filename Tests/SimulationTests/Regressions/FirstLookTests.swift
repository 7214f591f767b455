import ObservationSimulation
import Testing

/// Where many files arrive at once, the first look at each waits for the last; what is in doubt is looked at before.
struct FirstLookTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify]

  private static func files(_ range: Range<Int>) -> String { range.map { "new f\($0)" }.joined(separator: "; ") }

  private func world(_ source: SimulatedSource) -> Scenario {
    let world = Scenario("mkdir d; new a", source: source)
    world.play(Self.files(0..<40) + " | 100ms")
    return world
  }

  @Test(arguments: sources) func aDocumentThatIsMovedByCopyingAmongThemIsMoved(_ source: SimulatedSource) {
    let world = world(source)
    let identity = world.identity("a")
    world.runs("copy-a a d/b | 200ms unlink a |")
    #expect(world.told.contains("moved a -> d/b"), "\(world.told)")
    #expect(world.identity("d/b") == identity && world.tag("d/b") == identity)
  }

  @Test(arguments: sources) func aCopyAmongThemIsOne(_ source: SimulatedSource) {
    let world = world(source)
    let identity = world.identity("a")
    world.runs("copy-a a d/b |")
    #expect(world.identity("a") == identity && world.identity("d/b") != identity)
    #expect(world.told.contains { $0.hasPrefix("duplicated") && $0.contains("d/b") }, "\(world.told)")
  }

  @Test(arguments: sources) func aFurtherNameThatIsWrittenAmongThemIsAFurtherName(_ source: SimulatedSource) {
    let world = world(source)
    world.runs("link a d/b; append d/b |")
    #expect(world.identity("d/b") == world.identity("a"))
    #expect(world.told.contains { $0.hasPrefix("linked") }, "\(world.told)")
  }

  /// A lease, a look, the tag read and written; of inotify the event of the tag is looked at, too.
  @Test(arguments: sources) func aNewFileAmongThemTakesFewCalls(_ source: SimulatedSource) {
    let world = world(source)
    let before = world.callCount
    world.run(Self.files(100..<200) + " |")
    #expect(world.problems == [])
    #expect(world.callCount - before < (source == .inotify ? 7 : 5) * (100 + 40), "\(world.callCount - before)")
  }
}
