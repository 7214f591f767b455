import ObservationSimulation
import Testing

/// A document that is written all the time is told as modified at least every ten seconds, and once more when it rests.
struct LongWritingTests {
  /// How programs write a document again and again.
  private static let ways = [
    "append a", "truncate a; write a; close a", "new .t; rename .t a", "new a.tmp; rename a.tmp a", "unlink a; new a",
    "rename a a~; new a; unlink a~", "new t; exchange t a; unlink t", "unnamed a; unlink a; name a a; close a",
    "link a a~; new t; rename t a; unlink a~", "touch a",
  ]

  /// Does something again and again, 300 ms apart, and says after how many milliseconds `modified` was told.
  private func repeated(_ script: String, _ count: Int, in world: Scenario) -> [Int] {
    var times: [Int] = []
    for number in 0..<count {
      world.play("\(script) | 300ms")
      times += world.told.filter { $0 == "modified a" }.map { _ in 300 * (number + 1) }
      #expect(world.told.allSatisfy { $0 == "modified a" }, "\(world.told)")
    }
    return times
  }

  private func expectOften(_ times: [Int], until end: Int) {
    let gaps = zip([0] + times, times + [end]).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= 10_000 }, "\(times)")
    #expect(times.count < 5, "\(times)")
  }

  @Test(arguments: ways, [SimulatedSource.fanotify, .inotify])
  func aDocumentSavedAgainAndAgainIsTold(_ way: String, _ source: SimulatedSource) {
    let world = Scenario("new a", source: source)
    let identity = world.identity("a")
    expectOften(repeated(way, 80, in: world), until: 24_000)
    world.run("", tells: ["modified a"])
    #expect(world.identity("a") == identity)
  }

  /// Who looks now and then finds another file each time.
  @Test(arguments: ways.filter { !$0.contains("~") }) func soItIsWherePollingFindsIt(_ way: String) {
    let world = Scenario("new a", source: .polling)
    let identity = world.identity("a")
    let times = repeated(way, 80, in: world)
    let gaps = zip([0] + times, times + [24_000]).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= 10_000 }, "\(times)")
    world.runs("")
    #expect(world.identity("a") == identity)
  }

  /// A log, or a download that goes on in a file that was there.
  @Test(arguments: SimulatedSource.allCases) func aLogIsTold(_ source: SimulatedSource) {
    let world = Scenario("new a", source: source)
    world.play("open a; \(Self.repeated("write a | 300ms", 80))")
    #expect((2...4).contains(world.told.count), "\(world.told)")
    let told = world.told + world.run("")
    #expect(Set(told) == ["modified a"])
    #expect(world.problems == [])
  }

  private static func repeated(_ script: String, _ count: Int) -> String {
    Array(repeating: script, count: count).joined(separator: " ")
  }

  /// The new version of a document that takes long to be written.
  @Test func aSlowSaveIsToldMeanwhile() {
    let world = Scenario("new a")
    world.play("unlink a; create a | \(Self.repeated("write a | 300ms", 40)) close a")
    #expect(world.told == ["modified a"])
    world.run("", tells: ["modified a"])
  }

  /// What rests is told once.
  @Test func nothingIsToldTwiceOfWhatRests() {
    let world = Scenario("new a")
    world.play("append a | 1000ms")
    #expect(world.told == ["modified a"])
    world.run("| 30000ms", tells: [])
  }

  /// What arrives is not modified before it is complete.
  @Test func aFileThatIsCopyingIsNotToldMeanwhile() {
    let world = Scenario()
    world.play("create a; \(Self.repeated("write a | 300ms", 60)) close a")
    #expect(world.told == ["discovered(copying) a"])
    world.run("", tells: ["copyFinished a"])
  }

  /// A save that waits for a sibling, and in which nothing happens, is told once.
  @Test func aSaveThatIsHeldUpIsNotToldAgainAndAgain() {
    let world = Scenario("new a")
    world.play("new a.aria2; unlink a; new a | 60000ms")
    #expect(world.told.filter { $0 == "modified a" }.count <= 1, "\(world.told)")
    world.run("unlink a.aria2 |")
    #expect(world.told.filter { $0 == "modified a" }.count == 1, "\(world.told)")
  }
}
