import ObservationSimulation
import TestTraits
import Testing

/// What other programs do to the item of an operation before the observer has seen the operation's own events.
///
/// They may be saving the document, as at any other time: what they do is not decided with the operation.
@Suite struct TakenFromOperationTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify, .polling, .fewWatches]

  /// What is told if a program takes the document away just after the app has saved it.
  private func toldOfSave(_ taken: String, _ source: SimulatedSource) -> [String] {
    let scenario = Scenario("new doc", source: source)
    let document = scenario.identity("doc")
    let told = scenario.run("new .new tag doc .new app-save .new doc during commit \(taken)")
    #expect(scenario.problems == [])
    let names = ["doc", "other"].filter { scenario.identity($0) == document }
    #expect(names.count == (taken.hasSuffix("unlink doc") ? 0 : 1))
    return told
  }

  @Test(arguments: sources) func aSaveThatSetsItAsideGoesOn(_ source: SimulatedSource) {
    let told = toldOfSave("rename doc doc~ 1ms new doc", source)
    #expect(told == ["modified doc", "duplicated doc => doc~", "copyFinished doc~"])
  }

  @Test(arguments: sources) func aSaveThatRemovesItGoesOn(_ source: SimulatedSource) {
    #expect(toldOfSave("unlink doc 1ms new doc", source) == ["modified doc"])
  }

  @Test(arguments: sources) func aRenamedDocumentKeepsItsIdentity(_ source: SimulatedSource) {
    #expect(toldOfSave("rename doc other", source) == ["renamed doc -> other", "modified other"])
  }

  @Test(arguments: sources) func aRemovedDocumentIsRemoved(_ source: SimulatedSource) {
    #expect(toldOfSave("unlink doc", source) == ["deleted(removed) doc"])
  }

  /// The file that another program puts at the place of a trashed document at once is another.
  @Test(arguments: sources) func aFileAtThePlaceOfATrashedDocumentIsNew(_ source: SimulatedSource) {
    let scenario = Scenario("new doc", source: source)
    let document = scenario.identity("doc")
    let told = scenario.run("new .n app-trash doc /outside/doc during commit rename .n doc")
    #expect(told == ["deleted(trashed) doc", "discovered doc", "copyFinished doc"])
    #expect(scenario.identity("doc") != document)
    #expect(scenario.problems == [])
  }

  /// A document that was saved a moment ago has its tag before it leaves: nothing else tells what it is.
  @Test(arguments: sources) func aTrashedDocumentHasItsTag(_ source: SimulatedSource) {
    let scenario = Scenario("new doc", source: source)
    let document = scenario.identity("doc")
    let told = scenario.run("new .n rename .n doc | 100ms app-trash doc /outside/doc")
    #expect(told == ["modified doc", "deleted(trashed) doc"])
    #expect(scenario.tag("/outside/doc") == document)
    #expect(scenario.problems == [])
  }

  @Test(arguments: sources) func aRenamedDocumentIsSavedUnderItsNewName(_ source: SimulatedSource) {
    let scenario = Scenario("new doc", source: source)
    let document = scenario.identity("doc")
    let told = scenario.run("app-rename doc b during commit rename b b~ 1ms new b")
    #expect(told == ["renamed doc -> b", "modified b", "duplicated b => b~", "copyFinished b~"])
    #expect(scenario.identity("b") == document)
    #expect(scenario.problems == [])
  }
}
