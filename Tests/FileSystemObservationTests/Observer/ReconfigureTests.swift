import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Another configuration while the tree is observed: what leaves is moved out, what enters is discovered, and nothing
/// else is announced.
@Suite(.light) struct ReconfigureTests {
  private func begin(
    _ change: (inout FileSystemObserver.Configuration) -> Void = { _ in }
  ) async throws -> ObservedFolder {
    var options = FileSystemObserver.Configuration()
    change(&options)
    let observed = try await ObservedFolder.begin(options: options) { folder in
      try folder.watched.makeDirectories("Inbox/old")
      try folder.watched.makeDirectories("Notes/build")
      for name in ["a.md", "b.tmp", ".hidden", "Inbox/c.md", "Inbox/old/d.md", "Notes/e.tmp", "Notes/build/f.md"] {
        try folder.watched.write(name)
      }
    }
    await observed.observer.synchronize()
    return observed
  }

  private func reconfigure(
    _ observed: ObservedFolder, _ change: (inout FileSystemObserver.Configuration) -> Void
  ) async throws -> [String] {
    let mark = observed.recorder.position
    var configuration = observed.observer.configuration
    change(&configuration)
    try observed.observer.reconfigure(configuration)
    await observed.observer.synchronize()
    #expect(observed.observer.configuration == configuration)
    return observed.said(from: mark).sorted()
  }

  @Test func aPatternMoreAndLess() async throws {
    let observed = try await begin()
    let before = observed.observer[FilePath(observed.root["b.tmp"])]?.uuid
    let gone = try await reconfigure(observed) { $0.excludedPatterns = ["*.tmp"] }
    #expect(gone == ["deleted(movedOut) Notes/e.tmp", "deleted(movedOut) b.tmp"])
    let back = try await reconfigure(observed) { $0.excludedPatterns = [] }
    #expect(back == ["discovered(returned) Notes/e.tmp", "discovered(returned) b.tmp"])
    #expect(observed.observer[FilePath(observed.root["b.tmp"])]?.uuid == before)
    try await observed.expectAgreement()
  }

  @Test func anAnchoredPattern() async throws {
    let observed = try await begin { $0.excludedPatterns = ["/Inbox"] }
    let entered = try await reconfigure(observed) { $0.excludedPatterns = ["build/"] }
    let wanted = [
      "deleted(movedOut) Notes/build", "deleted(movedOut) Notes/build/f.md", "discovered Inbox",
      "discovered Inbox/c.md", "discovered Inbox/old", "discovered Inbox/old/d.md",
    ]
    #expect(entered == wanted)
    try observed.root.write("Inbox/old/later.md")
    await observed.observer.synchronize()
    #expect(observed.observer[FilePath(observed.root["Inbox/old/later.md"])] != nil)
  }

  @Test func onlyWhatIsIncluded() async throws {
    let observed = try await begin()
    let gone = try await reconfigure(observed) { $0.includedPatterns = ["*.md"] }
    #expect(gone == ["deleted(movedOut) Notes/e.tmp", "deleted(movedOut) b.tmp"])
    let back = try await reconfigure(observed) { $0.includedPatterns = ["*.tmp"] }
    let wanted =
      ["Inbox/c.md", "Inbox/old/d.md", "Notes/build/f.md", "a.md"].map { "deleted(movedOut) \($0)" }
      + ["Notes/e.tmp", "b.tmp"].map { "discovered(returned) \($0)" }
    #expect(back == wanted)
  }

  @Test func fewerLevelsAndMore() async throws {
    let observed = try await begin()
    let gone = try await reconfigure(observed) { $0.depth = 0 }
    let below = ["Inbox/c.md", "Inbox/old", "Inbox/old/d.md", "Notes/build", "Notes/build/f.md", "Notes/e.tmp"]
    #expect(gone == below.map { "deleted(movedOut) \($0)" })
    // What happens there is none of its business.
    try observed.root.write("Notes/unseen.md")
    try observed.root.write("seen.md")
    await observed.observer.synchronize()
    let back = try await reconfigure(observed) { $0.depth = nil }
    #expect(back == ["discovered Notes/unseen.md"] + below.map { "discovered(returned) \($0)" })
    try await observed.expectAgreement()
  }

  @Test func hiddenItems() async throws {
    let observed = try await begin()
    #expect(try await reconfigure(observed) { $0.includesHiddenItems = true } == ["discovered .hidden"])
    #expect(try observed.root.tag(".hidden") != nil || !Ability.tags.isPossible)
    #expect(try await reconfigure(observed) { $0.includesHiddenItems = false } == ["deleted(movedOut) .hidden"])
  }

  @Test func theSameConfigurationSaysNothing() async throws {
    let observed = try await begin()
    #expect(try await reconfigure(observed) { $0.warnsWithoutListeners = false } == [])
    #expect(try await reconfigure(observed) { $0.excludedPatterns = ["/no/such/folder"] } == [])
  }

  /// It arrives like any other file.
  @Test func whatIsBeingWrittenIsStillFinished() async throws {
    let observed = try await begin { $0.excludedPatterns = ["*.tmp"] }
    let file = try observed.root.open("growing.tmp", .create)
    try file.write("some")
    let mark = observed.recorder.position
    _ = try await reconfigure(observed) { $0.excludedPatterns = [] }
    file.close()
    await observed.observer.synchronize()
    let said = observed.said(from: mark).filter { $0.hasSuffix("growing.tmp") }
    #expect(said.last == "copyFinished growing.tmp")
    #expect(said.count == 2)
  }

  @Test func whatIsFixedIsRefused() async throws {
    let observed = try await begin()
    var configuration = observed.observer.configuration
    configuration.tagName = "user.other"
    var error = #expect(throws: FileSystemObserverError.self) { try observed.observer.reconfigure(configuration) }
    #expect(error?.code == .alreadyRunning)
    configuration = observed.observer.configuration
    configuration.excludedPatterns = ["[a"]
    error = #expect(throws: FileSystemObserverError.self) { try observed.observer.reconfigure(configuration) }
    #expect(error?.code == .invalidArgument)
    #expect(observed.observer.configuration.excludedPatterns == [])
  }
}
