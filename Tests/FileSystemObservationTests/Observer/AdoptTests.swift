import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// An app gives an item an identity that it knows better.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct AdoptTests {
  private func begin() async throws -> ObservedFolder {
    try await ObservedFolder.begin { folder in
      try folder.watched.mkdir("d")
      for name in ["a.txt", "d/b.txt"] { try folder.watched.write(name) }
    }
  }

  private func adopt(_ uuid: UUID, _ name: String, _ observed: ObservedFolder) async throws {
    try await observed.observer.adopt(uuid, forItemAt: FilePath(observed.root[name]))
  }

  @Test(arguments: TestSource.toTest)
  func aFileHasTheGivenIdentityFromThenOn(_ source: TestSource) async throws {
    let observed = try await ObservedFolder.begin(options: source.applied(to: .init())) {
      try $0.watched.write("a.txt")
    }
    let (given, former) = (UUID(), try observed.uuid("a.txt"))
    let mark = observed.recorder.position
    try await adopt(given, "a.txt", observed)
    // At once: nothing is awaited.
    #expect(observed.observer[given]?.path.string == observed.root["a.txt"])
    #expect(observed.observer[former] == nil)
    #expect(try observed.root.tag("a.txt") == given)
    await observed.observer.synchronize()
    #expect(observed.said(from: mark) == ["deleted(replaced) a.txt", "discovered a.txt", "copyFinished a.txt"])
    try observed.root.append("a.txt")
    try observed.root.rename("a.txt", "renamed.txt")
    await observed.observer.synchronize()
    #expect(observed.observer[given]?.path.string == observed.root["renamed.txt"])
    #expect(try observed.root.tag("renamed.txt") == given)
    #expect(observed.recorder.diagnostics.filter { $0.code == .tagRestored }.isEmpty)
    try await observed.expectAgreement()
  }

  @Test func aFolderKeepsItsContents() async throws {
    let observed = try await begin()
    let given = UUID()
    let inside = try observed.uuid("d/b.txt")
    try await adopt(given, "d", observed)
    #expect(observed.observer[given]?.kind == .directory)
    #expect(observed.observer[inside]?.parent == given)
    try await observed.expectAgreement()
  }

  @Test func bothNamesOfAFileHaveIt() async throws {
    let observed = try await begin()
    try observed.root.link("a.txt", "d/link.txt")
    await observed.observer.synchronize()
    let given = UUID()
    try await adopt(given, "d/link.txt", observed)
    #expect(Set(observed.observer.names(of: given).map(observed.relative)) == ["a.txt", "d/link.txt"])
    try await observed.expectAgreement()
  }

  @Test func anIdentityInUseIsRefused() async throws {
    let observed = try await begin()
    let (first, second) = (try observed.uuid("a.txt"), try observed.uuid("d/b.txt"))
    let error = await #expect(throws: FileSystemObserverError.self) { try await adopt(second, "a.txt", observed) }
    #expect(error?.code == .identityInUse)
    #expect(error?.path?.string == observed.root["d/b.txt"])
    #expect(try observed.root.tag("a.txt") == first)
    // The folder itself is no item, but bears a tag.
    let refused = await #expect(throws: FileSystemObserverError.self) { try await adopt(second, "", observed) }
    #expect(refused?.code == .identityInUse && refused?.path?.string == observed.root["d/b.txt"])
    // Its own is nothing new.
    let mark = observed.recorder.position
    try await adopt(first, "a.txt", observed)
    await observed.observer.synchronize()
    #expect(observed.said(from: mark) == [])
  }

  @Test func whatIsNotThereIsRefused() async throws {
    let observed = try await begin()
    let error = await #expect(throws: FileSystemObserverError.self) { try await adopt(UUID(), "none", observed) }
    #expect(error?.code == .fileOperationFailed)
    #expect(error?.errno == .noSuchFileOrDirectory)
    let sentence = "the UUID of \(observed.root["none"]) could not be set: there is nothing at this path"
    #expect(error?.message.hasPrefix(sentence) == true && error?.message.contains("check the path") == true)
    await observed.observer.stop()
    let stopped = await #expect(throws: FileSystemObserverError.self) { try await adopt(UUID(), "none", observed) }
    #expect(stopped == error)
    try await observed.observer.start()
    await observed.observer.synchronize()
    try observed.root.symlink("a.txt", "symlink")
    await observed.observer.synchronize()
    let refusal = await #expect(throws: FileSystemObserverError.self) { try await adopt(UUID(), "symlink", observed) }
    #expect(refusal?.code == .notAFile)
  }

  /// The engine goes on while a block waits for it.
  @Test func aBlockMayAdopt() async throws {
    let observed = try await begin()
    let (given, results) = (UUID(), Feed<Bool>())
    let token = observed.observer.addNotificationBlock { observer, event in
      guard case .didChange(let changes) = event else { return }
      for change in changes where change.kind == .renamed {
        results.append((try? observer.adopt(given, forItemAt: change.path)) != nil)
      }
    }
    try observed.root.rename("a.txt", "c.txt")
    let index = await results.firstIndex(within: .seconds(20)) { _ in true }
    #expect(index != nil && results.elements == [true])
    #expect(observed.observer[given]?.path.string == observed.root["c.txt"])
    token.invalidate()
  }

  @Test func whileTheObserverDoesNotRunTheTagIsWritten() async throws {
    let observed = try await begin()
    await observed.observer.stop()
    let given = UUID()
    try await adopt(given, "a.txt", observed)
    #expect(try observed.root.tag("a.txt") == given)
    try await observed.observer.start()
    await observed.observer.synchronize()
    #expect(observed.observer[given]?.path.string == observed.root["a.txt"])
  }

  /// A document that comes back from a backup with the identity it had.
  @Test func anIdentityThatEndedIsBack() async throws {
    let observed = try await begin()
    let former = try observed.uuid("a.txt")
    try observed.root.unlink("a.txt")
    await observed.observer.synchronize()
    try observed.root.write("restored.txt")
    await observed.observer.synchronize()
    let mark = observed.recorder.position
    try await adopt(former, "restored.txt", observed)
    await observed.observer.synchronize()
    #expect(observed.said(from: mark).contains("discovered(returned) restored.txt"))
    try await observed.expectAgreement()
  }
}
