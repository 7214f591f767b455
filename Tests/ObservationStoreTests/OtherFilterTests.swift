#if Store
import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

@testable import FileSystemObservation

/// What is announced at a start by other patterns, levels, hidden items or folders than in the run before.
///
/// Debug builds check the invariants of the classifier after each step.
@Suite(.light) struct OtherFilterTests {
  /// What is done between two runs, how each of them observes, and what the second announces.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before = "doc a b"
    var first: @Sendable (inout FileSystemObserver.Configuration) -> Void = { _ in }
    var observed = ""
    var then: @Sendable (inout FileSystemObserver.Configuration) -> Void = { _ in }
    var meanwhile = ""
    var expected: [String]
  }

  static let hidden = [
    Case(
      testDescription: "renamed to a hidden name", first: { $0.includesHiddenItems = true }, meanwhile: "mv b .a",
      expected: ["deleted(movedOut) b"]),
    Case(
      testDescription: "a folder renamed to a hidden name", before: "doc a d/x d/e/y",
      first: { $0.includesHiddenItems = true }, meanwhile: "mv d .a",
      expected: ["deleted(movedOut) d", "deleted(movedOut) d/e", "deleted(movedOut) d/e/y", "deleted(movedOut) d/x"]),
    Case(
      testDescription: "moved into a hidden folder", before: "doc a b .h/x", first: { $0.includesHiddenItems = true },
      meanwhile: "mv b .h/", expected: ["deleted(movedOut) .h", "deleted(movedOut) .h/x", "deleted(movedOut) b"]),
    Case(
      testDescription: "a hidden name renamed to another", before: "doc a .b", first: { $0.includesHiddenItems = true },
      meanwhile: "mv .b .c", expected: ["deleted(movedOut) .b"]),
    Case(
      testDescription: "a hidden name shown", before: "doc a .b", first: { $0.includesHiddenItems = true },
      meanwhile: "mv .b b", expected: ["renamed .b -> b"]),
    Case(
      testDescription: "a hidden folder shown", before: "doc a .d/x .d/.y", first: { $0.includesHiddenItems = true },
      meanwhile: "mv .d d", expected: ["deleted(movedOut) .d/.y", "renamed .d -> d"]),
    Case(
      testDescription: "a hidden document saved by replacement", before: "doc a .b",
      first: { $0.includesHiddenItems = true }, meanwhile: "doc t; mv t .b", expected: ["deleted(movedOut) .b"]),
    Case(
      testDescription: "a hidden document removed", before: "doc a .b", first: { $0.includesHiddenItems = true },
      meanwhile: "rm .b", expected: ["deleted(movedOut) .b"]),
    Case(
      testDescription: "one of two names hidden", before: "doc a", first: { $0.includesHiddenItems = true },
      observed: "ln a b", meanwhile: "mv b .b", expected: ["unlinked b (a)"]),
    Case(
      testDescription: "a new file over a name that was hidden", first: { $0.includesHiddenItems = true },
      meanwhile: "mv b .a; doc b", expected: ["modified b"]),
    Case(
      testDescription: "renamed to a name that is shown by now", then: { $0.includesHiddenItems = true },
      meanwhile: "mv b .a", expected: ["renamed b -> .a"]),
  ]

  static let patterns = [
    Case(
      testDescription: "renamed to an excluded name", then: { $0.excludedPatterns = ["*.o"] }, meanwhile: "mv b b.o",
      expected: ["deleted(movedOut) b"]),
    Case(
      testDescription: "renamed to a name that is excluded at its place", before: "doc d/b e/x",
      then: { $0.excludedPatterns = ["/e/b"] }, meanwhile: "mv d/b e/", expected: ["deleted(movedOut) d/b"]),
    Case(
      testDescription: "its folder renamed to an excluded name", before: "doc d/b a",
      then: { $0.excludedPatterns = ["build/"] }, meanwhile: "mv d build",
      expected: ["deleted(movedOut) d", "deleted(movedOut) d/b"]),
    Case(
      testDescription: "moved out of a folder that is excluded by now", before: "doc d/b a",
      then: { $0.excludedPatterns = ["d"] }, meanwhile: "mv d/b .",
      expected: ["deleted(movedOut) d", "moved d/b -> b"]),
    Case(
      testDescription: "renamed to a name that is not included", before: "doc a.txt b.txt",
      then: { $0.includedPatterns = ["*.txt"] }, meanwhile: "mv b.txt b.odt", expected: ["deleted(movedOut) b.txt"]),
    Case(
      testDescription: "moved out of the folders that are observed by now", before: "doc d/a d/b e/x",
      then: { $0.includedPatterns = ["/d/**"] }, meanwhile: "mv d/b e/",
      expected: ["deleted(movedOut) d/b", "deleted(movedOut) e/x"]),
  ]

  static let levels = [
    Case(
      testDescription: "less deep", before: "doc a d/b d/e/c", then: { $0.depth = 0 },
      expected: ["deleted(movedOut) d/b", "deleted(movedOut) d/e", "deleted(movedOut) d/e/c"]),
    Case(
      testDescription: "less deep by one level", before: "doc a d/b d/e/c", first: { $0.depth = 2 },
      then: { $0.depth = 1 }, expected: ["deleted(movedOut) d/e/c"]),
    Case(
      testDescription: "deeper", before: "doc a d/b d/e/c", first: { $0.depth = 0 }, then: { $0.depth = 1 },
      expected: ["discovered d/b", "discovered d/e"]),
    Case(
      testDescription: "moved where it is too deep by now", before: "doc a d/e/c", then: { $0.depth = 1 },
      meanwhile: "mv a d/e/", expected: ["deleted(movedOut) a", "deleted(movedOut) d/e/c"]),
    Case(
      testDescription: "set aside where it is too deep by now", before: "doc a d/e/c d/e/f", then: { $0.depth = 1 },
      meanwhile: "cd d/e; mv c c~; mv f f.bak; doc f",
      expected: ["deleted(movedOut) d/e/c", "deleted(movedOut) d/e/f"]),
    Case(
      testDescription: "saved where it is too deep by now", before: "doc a d/e/c d/e/f", then: { $0.depth = 1 },
      meanwhile: "cd d/e; doc t; mv t c; rm f; ln c f; doc new",
      expected: ["deleted(movedOut) d/e/c", "deleted(movedOut) d/e/f"]),
    Case(
      testDescription: "moved up to where it is seen", before: "doc a d/e/c", then: { $0.depth = 1 },
      meanwhile: "mv d/e/c d/", expected: ["moved d/e/c -> d/c"]),
    Case(
      testDescription: "a folder moved down", before: "doc a d/x f/g/y", then: { $0.depth = 1 }, meanwhile: "mv d f/",
      expected: ["deleted(movedOut) d/x", "deleted(movedOut) f/g/y", "moved d -> f/d"]),
  ]

  private static func selecting(_ names: String...) -> @Sendable (inout FileSystemObserver.Configuration) -> Void {
    { configuration in
      let directory = configuration.directory
      configuration.selectedDirectories = names.map { directory.appending($0) }
    }
  }

  static let folders = [
    Case(
      testDescription: "moved to a folder that is no longer observed", before: "doc d/a e/b f/c",
      first: selecting("d", "e", "f"), then: selecting("d", "e"), meanwhile: "mv d/a f/",
      expected: ["deleted(movedOut) d/a", "deleted(movedOut) f", "deleted(movedOut) f/c"]),
    Case(
      testDescription: "moved out of a folder that is no longer observed", before: "doc d/a e/b f/g/c",
      first: selecting("d", "e", "f"), then: selecting("d", "e"), meanwhile: "mv f/g d/",
      expected: ["deleted(movedOut) f", "moved f/g -> d/g"]),
    Case(
      testDescription: "moved to a folder that was not observed", before: "doc d/a e/b f/c",
      first: selecting("d", "e"), then: selecting("d", "e", "f"), meanwhile: "mv d/a f/",
      expected: ["discovered f", "discovered f/c", "moved d/a -> f/a"]),
  ]

  @Test(arguments: hidden + patterns + levels + folders) func anotherFilter(_ item: Case) async throws {
    let tree = try OfflineTree("filter")
    try OfflineCase.run(item.before, in: tree.root, of: tree.root, outside: tree.folder.outside)
    try Command.run("find", tree.root.path, "-exec", "touch", "-h", "-d", "1 hour ago", "{}", "+")
    let before = try await tree.run(
      adjusting: item.first,
      then: { observer in
        try OfflineCase.run(item.observed, in: tree.root, of: tree.root, outside: tree.folder.outside)
        await observer.synchronize()
      }
    ).snapshot
    try OfflineCase.run(item.meanwhile, in: tree.root, of: tree.root, outside: tree.folder.outside)
    let run = try await tree.run(adjusting: item.then)
    let set = try #require(run.sets.first)
    #expect(OfflineAccount(before, set).words(in: "") == item.expected.sorted())
    #expect(run.sets.count == 1)
    var replayed = FileSystemTree(before)
    replayed.apply(set)
    #expect(replayed == FileSystemTree(run.snapshot))
    #expect(try await tree.run(adjusting: item.then).sets.isEmpty)
  }
}
#endif
