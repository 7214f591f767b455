#if Store
import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

/// Folders that were copied and removed while nobody observed, each alone in a tree: nothing else is in doubt.
@Suite(.light) struct CopiedFolderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before: String
    var observed = ""
    var meanwhile: String
    var expected: [String]
    /// What may be announced instead, where nobody can know.
    var alternative: [String]?
  }

  static let links = [
    Case(
      testDescription: "a hard link stays outside", before: "doc E/x a", observed: "ln E/x h",
      meanwhile: "cp -a E c; rm -rf E",
      expected: ["duplicated h (E/x) => c/x", "renamed E -> c", "moved E/x -> h", "unlinked E/x"]),
    Case(
      testDescription: "a hard link that was there first stays outside", before: "doc E/y h a", observed: "ln h E/x",
      meanwhile: "cp -a E c; rm -rf E", expected: ["duplicated h => c/x", "renamed E -> c", "unlinked E/x (h)"]),
    Case(
      testDescription: "a hard link of a document in a subfolder stays outside", before: "doc E/s/x a",
      observed: "ln E/s/x h",
      meanwhile: "cp -a E c; rm -rf E",
      expected: ["duplicated h (E/s/x) => c/s/x", "renamed E -> c", "moved E/s/x -> h", "unlinked E/s/x"]),
    Case(
      testDescription: "copied by way of another place", before: "doc d/s/x d/y a", observed: "ln d/s/x h",
      meanwhile: "mkdir $OUT/o; cp -a d $OUT/o/; rm -r d; cp -a $OUT/o/d e",
      expected: ["duplicated h (d/s/x) => e/s/x", "renamed d -> e", "moved d/s/x -> h", "unlinked d/s/x"]),
    Case(
      testDescription: "copied back to its place", before: "doc d/s/x d/y a", observed: "ln d/s/x h",
      meanwhile: "mkdir $OUT/o; cp -a d $OUT/o/; rm -r d; cp -a $OUT/o/d d",
      expected: ["duplicated h (d/s/x) => d/s/x", "moved d/s/x -> h", "unlinked d/s/x"]),
    Case(
      testDescription: "both names in the folder", before: "doc d/x a", observed: "ln d/x d/y",
      meanwhile: "cp -a d e; rm -r d",
      expected: ["linked e/y (d/x)", "renamed d -> e", "unlinked d/y (d/x)"]),
    Case(
      testDescription: "the hard link is in another folder that is copied, too", before: "doc d/x f/y a",
      observed: "ln d/x f/z",
      meanwhile: "cp -a d f $OUT/; rm -r d f; cp -a $OUT/d d2; cp -a $OUT/f f2",
      expected: ["duplicated d2/x (d/x) => f2/z", "renamed d -> d2", "renamed f -> f2", "unlinked f/z (d/x)"],
      alternative: [
        "duplicated f2/z (d/x) => d2/x", "moved d/x -> f2/z", "renamed d -> d2", "renamed f -> f2", "unlinked d/x",
      ]),
  ]

  private static let deep = (0..<10).map { "\($0)" }.joined(separator: "/")

  static let folders = [
    Case(
      testDescription: "ten levels", before: "doc d/\(deep)/x a", meanwhile: "cp -a d e; rm -r d",
      expected: ["renamed d -> e"]),
    Case(
      testDescription: "ten levels by way of another place", before: "doc d/\(deep)/x a", observed: "ln d/\(deep)/x h",
      meanwhile: "cp -a d $OUT/; rm -r d; cp -a $OUT/d e",
      expected: [
        "duplicated h (d/\(deep)/x) => e/\(deep)/x", "renamed d -> e", "moved d/\(deep)/x -> h",
        "unlinked d/\(deep)/x",
      ]),
    Case(
      testDescription: "a folder in it renamed away after the copy", before: "doc d/s/x d/y a",
      meanwhile: "cp -a d e; mv d/s .; rm -r d",
      expected: ["duplicated s (d/s) => e/s", "duplicated s/x (d/s/x) => e/s/x", "moved d/s -> s", "renamed d -> e"]),
    Case(
      testDescription: "a document in it renamed away after the copy", before: "doc d/s/x d/y a",
      meanwhile: "cp -a d e; mv d/s/x .; rm -r d",
      expected: ["duplicated x (d/s/x) => e/s/x", "moved d/s/x -> x", "renamed d -> e"]),
    Case(
      testDescription: "a folder in it renamed away after the copy, into another that was renamed",
      before: "doc d/s/x d/y a f/g/z", meanwhile: "cp -a d e; mv d/s f/g/; mv f/g f/h; mv f k; rm -r d",
      expected: [
        "duplicated k/h/s (d/s) => e/s", "duplicated k/h/s/x (d/s/x) => e/s/x", "moved d/s -> k/h/s",
        "renamed d -> e", "renamed f -> k", "renamed f/g -> k/h",
      ]),
    Case(
      testDescription: "the other name of a document in it renamed, too", before: "doc E/s/x a", observed: "ln E/s/x h",
      meanwhile: "cp -a E c; rm -rf E; mv h h2",
      expected: [
        "duplicated h2 (E/s/x) => c/s/x", "moved E/s/x -> h2", "renamed E -> c", "renamed h -> h2 (E/s/x)",
        "unlinked E/s/x",
      ]),
    Case(
      testDescription: "the other name of a document in it removed, too", before: "doc E/s/x a", observed: "ln E/s/x h",
      meanwhile: "cp -a E c; rm -rf E h", expected: ["renamed E -> c", "unlinked h (E/s/x)"]),
    Case(
      testDescription: "the folder itself renamed after the copy", before: "doc d/s/x d/y a",
      meanwhile: "cp -a d e; mv d f",
      expected: [
        "duplicated f (d) => e", "duplicated f/s (d/s) => e/s", "duplicated f/s/x (d/s/x) => e/s/x",
        "duplicated f/y (d/y) => e/y", "renamed d -> f",
      ]),
    Case(
      testDescription: "the folder itself moved into its copy", before: "doc d/s/x d/y a",
      meanwhile: "cp -a d e; mv d e/old",
      expected: [
        "duplicated e/old (d) => e", "duplicated e/old/s (d/s) => e/s", "duplicated e/old/s/x (d/s/x) => e/s/x",
        "duplicated e/old/y (d/y) => e/y", "moved d -> e/old",
      ]),
    Case(
      testDescription: "a folder in it moved into the copy of that", before: "doc d/s/x d/y a",
      meanwhile: "cp -a d e; mv d/s e/s/old",
      expected: [
        "duplicated d => e", "duplicated d/y => e/y", "duplicated e/s/old (d/s) => e/s",
        "duplicated e/s/old/x (d/s/x) => e/s/x", "moved d/s -> e/s/old",
      ]),
    Case(
      testDescription: "the folder itself moved into a folder of its copy", before: "doc d/s/x d/y a",
      meanwhile: "mv d t; cp -a t d; mkdir d/versions; mv t d/versions/1",
      expected: [
        "discovered d/versions", "duplicated d/versions/1 (d) => d", "duplicated d/versions/1/s (d/s) => d/s",
        "duplicated d/versions/1/s/x (d/s/x) => d/s/x", "duplicated d/versions/1/y (d/y) => d/y",
        "moved d -> d/versions/1",
      ]),
    Case(
      testDescription: "the folder itself moved into a new one of its name, with a document that was saved",
      before: "doc d/s/x d/y a", meanwhile: "echo new > d/t; mv d/t d/y; mv d t; mkdir d; mv t d/1",
      expected: ["discovered d", "modified d/1/y (d/y)", "moved d -> d/1"]),
    Case(
      testDescription: "copied, changed and moved into its copy in parts", before: "doc d/s/x a",
      observed: "mkdir d/s/c",
      meanwhile: "mkdir n; cp -a d n/c; echo x >> d/s/x; mv d/s n/c/s/x0; mv n/c/s/x0/c n/c/s/c/y",
      expected: [
        "discovered n", "duplicated d => n/c", "duplicated n/c/s/x0 (d/s) => n/c/s",
        "duplicated n/c/s/c/y (d/s/c) => n/c/s/c", "duplicated n/c/s/x0/x (d/s/x) => n/c/s/x",
        "modified n/c/s/x0/x (d/s/x)", "moved d/s -> n/c/s/x0", "moved d/s/c -> n/c/s/c/y",
      ]),
    Case(
      testDescription: "copied out of a renamed folder into which it was moved", before: "doc d/x a",
      observed: "mkdir p", meanwhile: "mv p q; mv d q/b; cp -a q/b c; echo 2 >> q/b/x",
      expected: [
        "duplicated q/b (d) => c", "duplicated q/b/x (d/x) => c/x", "modified q/b/x (d/x)", "moved d -> q/b",
        "renamed p -> q",
      ]),
    Case(
      testDescription: "copied into another", before: "doc d/s/x f/y a", meanwhile: "cp -a d f/; rm -r d",
      expected: ["moved d -> f/d"]),
  ]

  @Test(arguments: links + folders) func aCopiedFolder(_ item: Case) async throws {
    let tree = try OfflineTree("copied")
    try OfflineCase.run(item.before, in: tree.root, of: tree.root, outside: tree.folder.outside)
    try Command.run("find", tree.root.path, "-exec", "touch", "-h", "-d", "1 hour ago", "{}", "+")
    let before = try await tree.run(then: { observer in
      try OfflineCase.run(item.observed, in: tree.root, of: tree.root, outside: tree.folder.outside)
      await observer.synchronize()
    }).snapshot
    try OfflineCase.run(item.meanwhile, in: tree.root, of: tree.root, outside: tree.folder.outside)
    let run = try await tree.run()
    let set = try #require(run.sets.first)
    let words = OfflineAccount(before, set).words(in: "")
    if words != item.alternative { #expect(words == item.expected.sorted()) }
    #expect(run.sets.count == 1)
    var replayed = FileSystemTree(before)
    replayed.apply(set)
    #expect(replayed == FileSystemTree(run.snapshot))
    #expect(tree.differences(from: run.snapshot) == [])
    #expect(try await tree.run().sets.isEmpty)
  }
}
#endif
