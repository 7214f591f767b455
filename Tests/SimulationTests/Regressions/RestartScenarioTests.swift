import ObservationSimulation
import TestTraits
import Testing

/// What an app does right after a start, before it is announced what has happened since the last run.
@Suite struct RestartScenarioTests {
  private static let sources: [SimulatedSource] = [.inotify, .fanotify, .polling]

  /// What is told if all this happens between two runs, and the app does something at once in the second.
  private func told(_ before: String, _ between: String, _ app: String, _ source: SimulatedSource) -> [String] {
    let scenario = Scenario(before, source: source, stores: true)
    let told = scenario.run("kill 0 \(between) begin 0 \(app)")
    #expect(scenario.problems == [])
    return told
  }

  @Test(arguments: sources) func aFolderThatWasRenamedAndFilledIsRenamed(_ source: SimulatedSource) {
    let told = told(
      "mkdir old new old/a mkdir other new other/b", "rename old new rename other new/other", "app-rename new again",
      source)
    #expect(told == ["renamed old -> new", "moved other -> new/other", "renamed new -> again"])
  }

  @Test(arguments: sources) func aDocumentIsRenamedInAFolderThatWasRenamed(_ source: SimulatedSource) {
    let told = told("mkdir old new old/a", "rename old new", "app-rename new/a new/b", source)
    #expect(told == ["renamed old -> new", "renamed new/a -> new/b"])
  }

  @Test(arguments: sources) func aDocumentIsMovedThatIsThreeMovedFoldersDeep(_ source: SimulatedSource) {
    let told = told(
      "mkdir a new a/n mkdir b mkdir c", "rename a b/a rename b c/b rename c d", "app-rename d/b/a/n n", source)
    #expect(Set(told.dropLast()) == ["renamed c -> d", "moved b -> d/b", "moved a -> d/b/a"])
    #expect(told.last == "moved d/b/a/n -> n")
  }

  /// The folder in it was not listed with it.
  @Test(arguments: sources) func aFolderWasMadeAnewAroundWhatWasInIt(_ source: SimulatedSource) {
    let told = told(
      "mkdir s mkdir s/t new s/t/d new s/t/e", "rename s o mkdir s rename o/t s/t rmdir o unlink s/t/d", "", source)
    #expect(told == ["deleted(removed) s/t/d"])
  }
}
