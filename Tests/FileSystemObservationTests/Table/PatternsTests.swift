import FileSystemObservation
import ObservationTestSupport
import TestTraits
import Testing

/// What patterns exclude and include is so in a scan and as things happen.
@Suite(.light, .undisturbed) struct PatternsTests {
  /// Observes Markdown and no other files, and neither the inbox of the folder itself nor what is built.
  private func begin(_ prepare: (Folder) throws -> Void = { _ in }) async throws -> ObservedFolder {
    let folder = try TestFolder()
    try prepare(folder.watched)
    let observed = ObservedFolder(
      folder,
      excluding: { path in
        let names = path.split(separator: "/")
        let isFile = names.last?.contains(".") == true || names.last == "build.file"
        return path == "Inbox" || names.contains("build") || isFile && !path.hasSuffix(".md")
      })
    var configuration = observed.observer.configuration
    configuration.excludedPatterns = ["/Inbox", "build/"]
    // Files that the test makes to know that all was told are to be seen, too.
    configuration.includedPatterns = ["*.md", "/cookie-*"]
    try observed.observer.reconfigure(configuration)
    try await observed.start()
    return observed
  }

  private func told(_ observed: ObservedFolder) -> [String] {
    observed.observer.snapshot().itemsByPath(root: observed.root.path).keys.sorted()
  }

  @Test func aScan() async throws {
    let observed = try await begin { root in
      try root.makeDirectories("Inbox/x")
      try root.makeDirectories("x/Inbox")
      try root.makeDirectories("x/build/y")
      for name in ["a.md", "a.txt", "Inbox/b.md", "x/Inbox/c.md", "x/build/d.md", "x/e.o"] { try root.write(name) }
    }
    #expect(told(observed) == ["a.md", "x", "x/Inbox", "x/Inbox/c.md"])
    #expect(observed.differences() == [])
    if Ability.tags.isPossible {
      #expect(try observed.root.tag("a.txt") == nil && observed.root.tag("x/build") == nil)
    }
  }

  @Test func whatIsMade() async throws {
    let observed = try await begin { try $0.mkdir("x") }
    try await observed.saysExactly(["discovered a.md", "copyFinished a.md"], order: .any) { root in
      try root.write("a.txt")
      try root.write("a.md")
      try root.makeDirectories("x/build/y")
      try root.write("x/build/y/b.md")
      try root.mkdir("Inbox")
      try root.write("Inbox/c.md")
    }
  }

  @Test func aNameBecomesIncludedAndExcludedAgain() async throws {
    let observed = try await begin { try $0.write("a.txt") }
    try await observed.saysExactly(["discovered a.md", "copyFinished a.md"]) { try $0.rename("a.txt", "a.md") }
    let before = try observed.uuids("a.md")
    try await observed.saysExactly(["deleted(movedOut) a.md"]) { try $0.rename("a.md", "a.txt") }
    try await observed.saysExactly(["discovered(returned) a.md", "copyFinished a.md"]) {
      try $0.rename("a.txt", "a.md")
    }
    #expect(try observed.uuids("a.md") == before)
  }

  /// What a program writes beside a document need not be included for the document to keep its identity.
  @Test func aSaveByAFileThatIsNotIncluded() async throws {
    let observed = try await begin { try $0.write("a.md", "one") }
    let before = try observed.uuids("a.md")
    try await observed.saysExactly(["modified a.md"]) { root in
      try root.write("a.new", "two")
      try root.rename("a.new", "a.md")
    }
    #expect(try observed.uuids("a.md") == before)
  }

  /// The pattern for directories is not about a file of the name.
  @Test func aFileThatIsCalledAsADirectoryIsNot() async throws {
    let folder = try TestFolder()
    let observed = ObservedFolder(folder)
    observed.observer.excludedItems = ["build/"]
    try await observed.start()
    try await observed.saysExactly(["discovered build", "copyFinished build"]) { try $0.write("build") }
    try await observed.saysExactly(["renamed build -> a"]) { try $0.rename("build", "a") }
    try await observed.saysExactly(["renamed a -> build"]) { try $0.rename("a", "build") }
    try await observed.saysExactly(["deleted(removed) build"]) { try $0.unlink("build") }
  }

  /// A file and a folder change places, and the folder is not observed under the name that it gets.
  @Test func aFolderIsExcludedByAnExchange() async throws {
    let folder = try TestFolder()
    try folder.watched.write("build")
    try folder.watched.mkdir("x")
    try folder.watched.write("x/a")
    let observed = ObservedFolder(folder, excluding: { $0 == "build" })
    observed.observer.excludedItems = ["build/"]
    try await observed.start()
    try observed.root.exchange("build", "x")
    #expect(try await observed.differencesInTheEnd() == [])
    #expect(told(observed) == ["x"])
  }

  /// A directory and a file that is not included change places: only the directory is observed.
  @Test func aDirectoryChangesPlacesWithAFileThatIsNotIncluded() async throws {
    let folder = try TestFolder()
    try folder.watched.mkdir("x")
    try folder.watched.write("x/a.md")
    try folder.watched.write("y")
    let observed = ObservedFolder(
      folder, excluding: { path in ["x", "y"].contains(path) && (try? Directory.list(folder.watched[path])) == nil })
    var configuration = observed.observer.configuration
    configuration.includedPatterns = ["*.md", "/cookie-*"]
    try observed.observer.reconfigure(configuration)
    try await observed.start()
    try await observed.saysExactly(["renamed x -> y"]) { try $0.exchange("x", "y") }
    try await observed.saysExactly(["renamed y -> x"]) { try $0.exchange("x", "y") }
    #expect(try await observed.differencesInTheEnd() == [])
  }

  @Test func aDirectoryIsMovedToWhereAPatternMatches() async throws {
    let observed = try await begin { root in
      try root.makeDirectories("x/Inbox")
      try root.write("x/Inbox/a.md")
    }
    try await observed.saysExactly(["deleted(movedOut) x/Inbox/a.md", "deleted(movedOut) x/Inbox"], order: .any) {
      try $0.rename("x/Inbox", "Inbox")
    }
    try await observed.saysExactly(
      ["discovered(returned) y", "discovered(returned) y/a.md", "copyFinished y/a.md"], order: .any
    ) { try $0.rename("Inbox", "y") }
  }

  /// What is in a directory is included where that is, and only there.
  @Test func aDirectoryIsMovedToWhereItIsIncluded() async throws {
    let folder = try TestFolder()
    try folder.watched.mkdir("x")
    try folder.watched.write("x/a.txt")
    let observed = ObservedFolder(folder, excluding: { $0 == "x/a.txt" })
    var configuration = observed.observer.configuration
    configuration.includedPatterns = ["/docs/**", "/cookie-*"]
    try observed.observer.reconfigure(configuration)
    try await observed.start()
    #expect(told(observed) == ["x"])
    try await observed.saysExactly(["renamed x -> docs", "discovered docs/a.txt", "copyFinished docs/a.txt"]) {
      try $0.rename("x", "docs")
    }
    // Whatever the source: it is the filter that knows.
    let mark = observed.recorder.position
    try observed.root.rename("docs", "x")
    try await observed.settle()
    #expect(observed.said(from: mark) == ["renamed docs -> x", "deleted(movedOut) docs/a.txt"])
    try await observed.expectAgreement()
  }
}
