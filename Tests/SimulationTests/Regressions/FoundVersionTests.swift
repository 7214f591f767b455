import ObservationSimulation
import TestTraits
import Testing

/// A document was saved twice while nobody observed, and is changed again before a start has decided what it found in
/// its place: the document was deleted, and what was found there was new.
@Suite struct FoundVersionTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify, .polling]
  private static let saves = "rename a a~ new a rename a a~ new a"

  @Test(arguments: sources, ["rename a b", "300ms rename a b", "480ms rename a b"])
  func itIsRenamed(_ source: SimulatedSource, _ change: String) {
    let scenario = Scenario("new a", source: source, stores: true)
    let identity = scenario.identity("a")
    let told = scenario.run("kill 0 \(Self.saves) begin 0 | \(change) | …")
    #expect(told.contains("renamed a -> b") && told.contains("modified b"), "\(told)")
    #expect(scenario.identity("b") == identity)
    #expect(scenario.problems == [])
  }

  @Test(arguments: sources, ["rename a a~", "300ms rename a a~", "480ms rename a a~", "480ms unlink a"])
  func itsNameIsFreeForAMoment(_ source: SimulatedSource, _ change: String) {
    let scenario = Scenario("new a", source: source, stores: true)
    let identity = scenario.identity("a")
    let told = scenario.run("kill 0 \(Self.saves) begin 0 | \(change) | 60ms | new a | …")
    #expect(told.contains("modified a"), "\(told)")
    #expect(scenario.identity("a") == identity)
    #expect(scenario.problems == [])
  }

  @Test(arguments: sources) func itIsRemoved(_ source: SimulatedSource) {
    let scenario = Scenario("new a", source: source, stores: true)
    let told = scenario.run("kill 0 \(Self.saves) begin 0 | 300ms unlink a | …")
    #expect(told.filter { $0.hasSuffix(" a") } == ["deleted(removed) a"])
    #expect(scenario.problems == [])
  }
}
