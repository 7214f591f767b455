import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Operations right after what other programs have done to the same document, again and again.
@Suite(.light) struct RepeatedOperationTests {
  @Test(arguments: TestSource.toTest) func renamesAmongRenamesToAndFro(_ source: TestSource) async throws {
    let fixture = try await OperationFixture(options: source.applied(to: .init())) { try $0.watched.write("a") }
    _ = fixture.told()
    for round in 0..<200 {
      let names = round % 2 == 0 ? ["a", "b"] : ["b", "a"]
      try fixture.root.rename(names[0], "c")
      try fixture.root.rename("c", names[0])
      try fixture.now { try $0.renameItem(at: fixture.path(names[0]), to: names[1]) }
      let told = fixture.told()
      #expect(told.last == "own renamed \(names[0]) -> \(names[1])", "round \(round): \(told)")
    }
    try await fixture.observed.expectAgreement()
  }

  @Test(arguments: TestSource.toTest) func savesAmongSaves(_ source: TestSource) async throws {
    let fixture = try await OperationFixture(options: source.applied(to: .init())) { try $0.watched.write("a") }
    _ = fixture.told()
    for round in 0..<100 {
      try fixture.root.write(".next", "theirs \(round)")
      try fixture.root.rename(".next", "a")
      try fixture.now { try $0.replaceContents(of: fixture.path("a"), with: "ours, round \(round)".utf8) }
      let told = fixture.told()
      #expect(told.last == "own modified a", "round \(round): \(told)")
    }
    try await fixture.observed.expectAgreement()
  }
}
