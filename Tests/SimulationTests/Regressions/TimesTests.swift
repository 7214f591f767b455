import ObservationSimulation
import Testing

/// A change of size or of time of modification is told once it rests, by whatever event it is found.
struct TimesTests {
  /// Whether `touch` was told was chance: of its two events, the close was a change, and the attributes were none.
  @Test(
    arguments: [
      "touch a |", "open a; touch a; close a |", "open a; touch a |1 close a |", "open a; touch a | close a |",
    ], SimulatedSource.allCases)
  func timesThatAreSetAreTold(_ script: String, _ source: SimulatedSource) {
    Scenario("new a", source: source).run(script, tells: ["modified a"])
  }

  /// The look that attributes cause took over the new time in silence.
  @Test(
    arguments: ["chmod-644 a", "touch a", "strip a", "garble a", "link a .b; unlink .b"], SimulatedSource.allCases)
  func aMappedWriteBeforeAChangeOfAttributesIsTold(_ change: String, _ source: SimulatedSource) {
    let world = Scenario("new a", source: source)
    world.run("open a; map a; \(change) | 300ms close a |", tells: ["modified a"])
  }

  /// The same where the file stays open for long.
  @Test(arguments: SimulatedSource.allCases)
  func aMappedWriteIsToldWhileTheFileIsOpen(_ source: SimulatedSource) {
    let world = Scenario("new a", source: source)
    world.play("open a; map a; chmod-644 a | 2000ms")
    #expect(world.told == ["modified a"])
    world.runs("close a |")
  }

  /// A mapped write that only the listing after lost events finds.
  @Test func aMappedWriteIsFoundByAListing() {
    let world = Scenario("mkdir d; new d/a; new z", queueCapacity: 4)
    let told = world.run("open d/a; map d/a; touch z; link z x; unlink x; link z x; unlink x; link z x; unlink x |")
    #expect(Set(told) == ["modified d/a", "modified z"])
    #expect(world.problems == [])
  }

  /// A file with two names has one content.
  @Test(arguments: ["touch b |", "touch a; chmod-644 b |", "open a; map a; chmod-644 b | close a |"])
  func aFileWithTwoNamesIsToldOnce(_ script: String) {
    let world = Scenario("new a; link a b")
    world.run(script)
    #expect(world.told.count == 1 && world.told.first?.hasPrefix("modified") == true, "\(world.told)")
    #expect(world.problems == [])
  }

  /// `cp -a`, `tar` and `unzip` set the times of what they have made: that is part of its arrival.
  @Test(
    arguments: [
      "close a; touch a |", "touch a; close a |", "close a | 400ms touch a |", "close a; rename a b; touch b |",
    ])
  func timesOfWhatArrivesBelongToTheArrival(_ script: String) {
    let told = Scenario().run("create a; write a; \(script)")
    #expect(told.map { $0.prefix { $0 != " " } } == ["discovered", "copyFinished"], "\(told)")
  }

  @Test(arguments: SimulatedSource.allCases) func aTagThatIsPutBackIsNoChange(_ source: SimulatedSource) {
    let world = Scenario("new a; new b", source: source)
    world.run("strip a; tag a b |", tells: [])
    world.run("chmod-644 a |", tells: [])
  }

  /// `mv` between file systems keeps the time; what does not has changed it.
  @Test(arguments: [SimulatedSource.fanotify, .inotify]) func aMoveByCopyingTellsAChange(_ source: SimulatedSource) {
    Scenario("new a", source: source).run("copy-a a b; unlink a |", tells: ["renamed a -> b"])
    Scenario("new a", source: source).run(
      "create b; write b; tag a b; close b; unlink a |", tells: ["renamed a -> b", "modified b"])
  }

  /// Renamed and touched at once, in either order.
  @Test(arguments: ["touch a; rename a b |", "rename a b; touch b |", "open a; map a; rename a b | close a |"])
  func aRenameDoesNotHideAChange(_ script: String) {
    Scenario("new a").run(script, tells: ["renamed a -> b", "modified b"])
  }

  /// Only the first of the four events of an exchange gave a directory its new time.
  @Test(arguments: SimulatedSource.allCases) func bothDirectoriesOfAnExchangeHaveNewTimes(_ source: SimulatedSource) {
    let world = Scenario("new a; mkdir d; new d/b", source: source)
    world.run("exchange a d/b |")
    #expect(world.problems == [])
  }

  /// A directory that was below one on its way was forgotten.
  @Test(arguments: ["slowly rename d f | 20ms |", "rename d /outside/x; rename /outside/x f |"])
  func aDirectoryThatChangedBeforeOneAboveItMovedHasItsNewTime(_ move: String) {
    let world = Scenario("mkdir d; mkdir d/e; new d/e/a")
    world.run("unlink d/e/a; \(move)")
    #expect(world.problems == [])
  }
}
