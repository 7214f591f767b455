import ObservationSimulation
import Testing

/// How many system calls observers make: as many for each thing that happens, however many other things there are.
struct CostTests {
  private static let few = 40

  /// The calls that a script leads to, which is made for a number of things.
  private static func calls(
    _ count: Int, _ source: SimulatedSource, before: (Int) -> String, _ script: (Int) -> String
  ) -> Int {
    let world = Scenario(before(count), source: source)
    let start = world.callCount
    world.run(script(count))
    #expect(world.problems == [])
    return world.callCount - start
  }

  private static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: " ")
  }

  /// What four times as many things may cost, where each costs the same.
  private static func expectLinear(
    _ source: SimulatedSource, before: (Int) -> String, _ script: (Int) -> String,
    named name: String = #function, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let once = calls(few, source, before: before, script)
    let fourfold = calls(4 * few, source, before: before, script)
    print("cost: \(name) \(source): \(few) with \(once) calls, \(4 * few) with \(fourfold)")
    #expect(fourfold < 5 * once, "\(once) calls, then \(fourfold)", sourceLocation: sourceLocation)
  }

  private static let toldSources: [SimulatedSource] = [.inotify, .fanotify]
  private static let sources = toldSources + [.polling]

  @Test(arguments: sources) func aFurtherNameIsNotComparedWithAllOthers(_ source: SimulatedSource) {
    Self.expectLinear(source, before: { _ in "new a; mkdir d;" }) { count in
      Self.each(count) { "link a d/n\($0);" } + " |"
    }
  }

  /// Each is looked at before the next is made; polling looks at a whole folder for each.
  @Test(arguments: toldSources) func oneNameAfterAnotherIsNotComparedWithAllOthers(_ source: SimulatedSource) {
    Self.expectLinear(source, before: { _ in "new a; mkdir d;" }) { count in
      Self.each(count) { "link a d/n\($0) 50ms" } + " |"
    }
  }

  @Test(arguments: sources) func aNameThatGoesIsNotComparedWithAllOthers(_ source: SimulatedSource) {
    Self.expectLinear(source, before: { count in "new a; " + Self.each(count) { "link a n\($0);" } }) { count in
      Self.each(count) { "unlink n\($0);" } + " |"
    }
  }

  @Test(arguments: sources) func aNameThatIsRenamedIsNotComparedWithAllOthers(_ source: SimulatedSource) {
    Self.expectLinear(source, before: { count in "new a; " + Self.each(count) { "link a n\($0);" } }) { count in
      Self.each(count) { "rename n\($0) m\($0);" } + " |"
    }
  }

  @Test(arguments: sources) func whatIsWrittenThroughANameIsLookedAtUnderIt(_ source: SimulatedSource) {
    Self.expectLinear(source, before: { count in "new a; " + Self.each(count) { "link a n\($0);" } }) { count in
      Self.each(count) { "append n\($0);" } + " |"
    }
  }

  /// Whether its original is gone is known from one of its names.
  @Test(arguments: toldSources) func aCopyIsNotComparedWithAllNamesOfItsOriginal(_ source: SimulatedSource) {
    Self.expectLinear(source, before: { count in "new a; mkdir d; " + Self.each(count) { "link a n\($0);" } }) {
      count in
      Self.each(count) { "copy-a a d/c\($0) 20ms" } + " |"
    }
  }

  /// Each item is looked up by its identity, and its copy is taken over.
  @Test(arguments: sources) func aFolderThatIsMovedByCopyingCostsWhatIsInIt(_ source: SimulatedSource) {
    for pause in ["", "5000ms"] {
      Self.expectLinear(source, before: { count in "mkdir d; " + Self.each(count) { "new d/n\($0);" } }) { _ in
        "copy-a-tree d e \(pause) remove d |"
      }
    }
  }

  /// Each makes room for the next, all at once, beside a file that is being written: each call led to the next, as deep
  /// as the row is long.
  @Test func aLongRowOfDocumentsIsRenumbered() {
    let count = 600
    let world = Scenario(Self.each(count) { "new a\($0);" })
    let before = world.identity("a0")
    let told = world.run(
      "create t; write t; " + Self.each(count) { "rename a\(count - 1 - $0) a\(count - $0);" } + " |")
    #expect(told.count { $0.hasPrefix("renamed") } == count && world.problems == [])
    #expect(world.identity("a1") == before)
  }

  /// Files were renamed where events are lost: the listing has their new names, and no old one is looked at.
  @Test(arguments: toldSources) func aRenameInAListingCostsNothingBesideTheListing(_ source: SimulatedSource) {
    func calls(_ count: Int, _ change: (Int) -> String) -> Int {
      let world = Scenario("mkdir d; " + Self.each(count) { "new d/n\($0);" }, source: source, queueCapacity: 8)
      let start = world.callCount
      world.run(Self.each(count, change) + " |")
      #expect(world.problems == [])
      return world.callCount - start
    }
    let touched = calls(Self.few) { "append d/n\($0);" }
    let renamed = calls(Self.few) { "rename d/n\($0) d/m\($0);" }
    print("cost: \(source): \(Self.few) files are written with \(touched) calls, and renamed with \(renamed)")
    #expect(renamed < touched + Self.few)
  }

  /// A folder is renamed, and a pattern is about another.
  @Test(arguments: toldSources) func aRenamedFolderIsNotWalkedForAPatternOfAnother(_ source: SimulatedSource) {
    func calls(_ count: Int) -> Int {
      let files = Self.each(count) { "mkdir d/f\($0); new d/f\($0)/x;" }
      let world = Scenario("mkdir d; mkdir e; \(files)", source: source, excluding: ["out/*.o"])
      let start = world.callCount
      world.run("rename d e/d |")
      #expect(world.told == ["moved d -> e/d"] && world.problems == [])
      return world.callCount - start
    }
    #expect(calls(4 * Self.few) == calls(Self.few))
  }
}
