import Foundation
import ObservationSimulation
import TestTraits
import Testing

/// Faults that need a step within a scan, or a call that fails at the right moment: no script can tell of them, so that
/// the shortened runs are kept (`simulate --replay SEED --keep FILE`).
@Suite(.processor) struct KeptWorldTests {
  private static let folder = Bundle.module.resourceURL?.appending(path: "Worlds")

  private static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder?.path ?? "")
    return (files ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }()

  @Test func thereAreSome() { #expect(Self.names.count >= 12) }

  @Test(arguments: names) func noRuleIsViolatedAnyMore(_ name: String) throws {
    let file = try #require(Self.folder).appending(path: name)
    let world = try JSONDecoder().decode(KeptWorld.self, from: Data(contentsOf: file))
    let violations = Runner(world).repeated(world.items)
    #expect(violations.isEmpty, "\(name): simulate --kept FILE tells what happens; once it was \(world.violation)")
  }

  /// What remains long when it is shortened is made anew from its seed.
  ///
  /// The run is another one when the making of worlds is changed.
  @Test func aFolderReplacedWhileLostEventsAreMadeUpForTakesAlongWhatIsInIt() {
    let (result, _) = Runner(seed: 904_980, source: .polling, faults: true, only: "churn").run(operations: 200)
    #expect(result.violations.isEmpty)
  }
}
