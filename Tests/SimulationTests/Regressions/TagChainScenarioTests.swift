import ObservationSimulation
import TestTraits
import Testing

/// A sync or a restored backup brings documents with their tags, some to the places of others: each tag is believed.
///
/// Each document kept the identity of its place, and the correct tags were overwritten.
@Suite(.processor) struct TagChainScenarioTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify, .polling]
  private static let names = (1...5).map { "doc\($0)" }

  /// Five documents, and hidden copies of them with their tags.
  private func scene(_ source: SimulatedSource, stores: Bool = false) -> Scenario {
    let world = Scenario(Self.names.map { "new \($0)" }.joined(separator: "; "), source: source, stores: stores)
    world.runs(Self.names.map { "copy-a \($0) .\($0)" }.joined(separator: "; "))
    return world
  }

  /// Expects documents with the identities, and tags, that other names had before.
  private func expect(
    _ world: Scenario, _ expected: [String: String], after work: String,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = expected.mapValues { world.identity($0) }
    #expect(!before.values.contains(nil), sourceLocation: sourceLocation)
    world.runs(work)
    for (name, identity) in before {
      #expect(world.identity(name) == identity, "\(name): \(world.told)", sourceLocation: sourceLocation)
      #expect(world.tag(name) == identity, "\(name)", sourceLocation: sourceLocation)
    }
  }

  /// Each name is left with a file that was copied, as by rsync, which renames it to its place.
  private func bring(_ moves: [(from: Int, to: Int)]) -> String {
    moves.map { "copy-a .doc\($0.from) .t; rename .t doc\($0.to)" }.joined(separator: "; ")
  }

  @Test(arguments: sources) func twoThatChangedPlaces(_ source: SimulatedSource) {
    let world = scene(source)
    expect(world, ["doc1": "doc2", "doc2": "doc1"], after: "\(bring([(1, 2), (2, 1)])) …")
    #expect(Set(world.told.suffix(2)) == ["renamed doc1 -> doc2", "renamed doc2 -> doc1"])
  }

  /// Some chapters were renumbered, because a new one was written.
  @Test(arguments: sources) func aNewOneBeforeTheOthers(_ source: SimulatedSource) {
    let world = scene(source)
    let chapters = ["doc6": "doc5", "doc5": "doc4", "doc4": "doc3", "doc1": "doc1"]
    expect(world, chapters, after: "\(bring([(5, 6), (3, 4), (4, 5)])); new .n; rename .n doc3 …")
    #expect(world.identity("doc3") != nil && world.told.contains("discovered doc3"))
  }

  @Test(arguments: sources) func oneThatWasRemoved(_ source: SimulatedSource) {
    let world = scene(source)
    let chapters = ["doc2": "doc3", "doc3": "doc4", "doc4": "doc5", "doc1": "doc1"]
    expect(world, chapters, after: "\(bring([(3, 2), (4, 3), (5, 4)])); unlink doc5 …")
    #expect(world.told.contains("deleted(replaced) doc2"))
  }

  /// `cp -a backup/. .` writes each document into the file that has its name by then.
  @Test(arguments: sources) func renamedByMistakeAndRestoredInPlace(_ source: SimulatedSource) {
    let world = scene(source)
    let before = Self.names.map { world.identity($0) }
    world.runs("rename doc5 doc6; rename doc4 doc5; rename doc3 doc4; rename doc2 doc3; rename doc1 doc2 …")
    world.runs("unlink doc6; \(Self.names.map { "copy-a .\($0) \($0)" }.joined(separator: "; ")) …")
    #expect(Self.names.map { world.identity($0) } == before, "\(world.told)")
    #expect(Self.names.map { world.tag($0) } == before)
  }

  /// A document that was overwritten by mistake is back, and so is the one that was put over it.
  @Test(arguments: sources) func movedOverAnotherByMistakeAndRestoredInPlace(_ source: SimulatedSource) {
    let world = scene(source)
    let before = Self.names.map { world.identity($0) }
    world.runs("rename doc1 doc2 …")
    world.runs("copy-a .doc1 doc1; copy-a .doc2 doc2 …")
    #expect(Self.names.map { world.identity($0) } == before, "\(world.told)")
    #expect(Self.names.map { world.tag($0) } == before)
  }

  @Test(arguments: sources) func theSameWhileNothingRan(_ source: SimulatedSource) {
    let world = scene(source, stores: true)
    let before = Self.names.map { world.identity($0) }
    world.runs("… 6000ms kill 0")
    world.runs("rename doc5 doc6; rename doc4 doc5; rename doc3 doc4; rename doc2 doc3; rename doc1 doc2")
    world.runs("unlink doc6; \(Self.names.map { "copy-a .\($0) \($0)" }.joined(separator: "; ")) begin 0 …")
    #expect(Self.names.map { world.identity($0) } == before, "\(world.told)")
    #expect(Self.names.map { world.tag($0) } == before)
  }
}

// MARK: - Documents that stay where they are

extension TagChainScenarioTests {
  /// The other document stands: this is a version of the document that was made from it.
  @Test(arguments: ["copy-a doc1 doc2", "copy-a doc1 .t; rename .t doc2"], sources)
  func aCopyOfOnePutOverAnother(_ copy: String, _ source: SimulatedSource) {
    expect(scene(source), ["doc1": "doc1", "doc2": "doc2"], after: "\(copy) …")
  }

  /// The old version is kept under a name that another document had, and the document is saved without its tag.
  @Test(arguments: ["copy-a doc1 doc2", "copy-a doc1 .t; rename .t doc2"], sources)
  func anOldVersionPutOverAnother(_ copy: String, _ source: SimulatedSource) {
    expect(scene(source), ["doc1": "doc1", "doc2": "doc2"], after: "\(copy); new .n; rename .n doc1 …")
  }

  @Test(arguments: sources) func anOldVersionPutBeside(_ source: SimulatedSource) {
    expect(scene(source), ["doc1": "doc1"], after: "copy-a doc1 doc1-2024; new .n; rename .n doc1 …")
  }
}
