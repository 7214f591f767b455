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

  @Test(arguments: sources) func aFolderIsAtItsPathAgainAndHasACopy(_ source: SimulatedSource) {
    let told = told("mkdir d new d/a", "copy-a-tree d b remove d copy-a-tree b d", "", source)
    #expect(told == ["duplicated d => b", "duplicated d/a => b/a", "copyFinished b/a"])
  }

  @Test(arguments: sources) func aFolderWasRenamedAndHasACopyOfItsName(_ source: SimulatedSource) {
    let told = told("mkdir e mkdir e/d new e/d/a mkdir f", "copy-a-tree e/d f/d rename e/d e/c", "", source)
    #expect(told == ["renamed e/d -> e/c", "duplicated e/c => f/d", "duplicated e/c/a => f/d/a", "copyFinished f/d/a"])
  }

  /// Two copies were found late, which is remembered for longer than that one was announced a moment ago: for as long, the
  /// copy counted as the temporary file of a save.
  @Test(arguments: sources) func aCopyThatWasFoundIsExchangedWithADocument(_ source: SimulatedSource) {
    let told = told("new b new c", "mkdir d copy-a c d/a copy-a c a", "1500ms exchange a b", source)
    #expect(Set(told.suffix(2)) == ["renamed a -> b", "renamed b -> a"])
  }

  @Test(arguments: sources) func aFolderWasMovedIntoOneOfItsName(_ source: SimulatedSource) {
    let told = told("mkdir d new d/a", "rename d t mkdir d rename t d/i", "", source)
    #expect(told == ["discovered d", "moved d -> d/i"])
  }

  @Test(arguments: sources) func aFolderWasMovedIntoItsOwnCopy(_ source: SimulatedSource) {
    let told = told("mkdir d new d/a", "copy-a-tree d b rename d t rename b d rename t d/i", "", source)
    #expect(told == ["duplicated d/i => d", "moved d -> d/i", "duplicated d/i/a => d/a", "copyFinished d/a"])
  }

  @Test(arguments: sources) func aFolderWasMovedDeepIntoOneOfItsName(_ source: SimulatedSource) {
    let told = told("mkdir d new d/a", "rename d t mkdir d mkdir d/x rename t d/x/i", "", source)
    #expect(told == ["discovered d", "moved d -> d/x/i", "discovered d/x"])
  }

  @Test(arguments: sources) func aFolderThatWasMovedByCopyingGoesOnBesideOneOfItsName(_ source: SimulatedSource) {
    let told = told("mkdir d new d/a", "copy-a-tree d b remove d mkdir d new d/a", "", source)
    #expect(told == ["renamed d -> b", "discovered d", "discovered d/a", "copyFinished d/a"])
  }
}
