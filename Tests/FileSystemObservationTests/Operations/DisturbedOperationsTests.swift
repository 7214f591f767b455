import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Operations on documents that another program has just saved, or works on at the same moment.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
struct DisturbedOperationsTests {
  private func begin(_ source: TestSource, _ names: String...) async throws -> OperationFixture {
    let fixture = try await OperationFixture(options: source.applied(to: .init())) { folder in
      for name in names { try folder.watched.write(name, "old") }
    }
    _ = fixture.told()
    return fixture
  }

  /// As most editors save: a hidden file is renamed over the document.
  private func save(_ name: String, _ text: String = "new", in fixture: OperationFixture) throws {
    try fixture.root.write(".\(name).tmp", text)
    try fixture.root.rename(".\(name).tmp", name)
  }

  /// The document had no tag yet when it left.
  @Test(arguments: TestSource.toTest) func aSavedDocumentComesBackFromTheTrash(_ source: TestSource) async throws {
    let fixture = try await begin(source, "a.txt")
    let uuid = try fixture.observed.uuid("a.txt")
    try save("a.txt", in: fixture)
    let trashed = try await fixture.observer.trashItem(at: fixture.path("a.txt"), allowingHomeTrash: true)
    #expect(trashed.uuid == uuid && trashed.trashedItem?.uuid == uuid)
    let restored = try await fixture.observer.restoreItem(#require(trashed.trashedItem))
    #expect(restored.uuid == uuid)
    #expect(fixture.told().suffix(2) == ["own discovered(returned) a.txt", "own copyFinished a.txt"])
    #expect(try fixture.observed.uuid("a.txt") == uuid)
    try await fixture.observed.expectAgreement()
  }

  @Test(arguments: TestSource.toTest) func aSavedDocumentComesBackIntoTheTree(_ source: TestSource) async throws {
    let fixture = try await begin(source, "a.txt")
    let uuid = try fixture.observed.uuid("a.txt")
    try save("a.txt", in: fixture)
    let outside = FilePath(fixture.observed.outside.path).appending("a.txt")
    try await fixture.observer.moveItem(with: uuid, to: outside)
    #expect(try await fixture.observer.moveItem(at: outside, to: fixture.path("a.txt")).uuid == uuid)
    try await fixture.observed.expectAgreement()
  }

  /// Tags wait while many files arrive.
  @Test(arguments: TestSource.toTest) func aDocumentOfABurstComesBackFromTheTrash(_ source: TestSource) async throws {
    let fixture = try await begin(source, "a.txt")
    let uuid = try fixture.observed.uuid("a.txt")
    for number in 0..<40 { try fixture.root.write("f\(number)") }
    try save("a.txt", in: fixture)
    #expect(try await comesTrue { fixture.told().contains("modified a.txt") })
    let trashed = try await fixture.observer.trashItem(with: uuid, allowingHomeTrash: true)
    #expect(try await fixture.observer.restoreItem(#require(trashed.trashedItem)).uuid == uuid)
    try await fixture.observed.expectAgreement()
  }

  /// A copy of the item in the trash has come to its path, and is the document that has returned.
  @Test(arguments: TestSource.toTest) func aRestoredItemIsTheOneThatIsReturned(_ source: TestSource) async throws {
    let fixture = try await begin(source, "a.txt")
    let uuid = try fixture.observed.uuid("a.txt")
    let trashed = try await fixture.observer.trashItem(with: uuid, allowingHomeTrash: true)
    let item = try #require(trashed.trashedItem)
    let path = fixture.path("a.txt").string
    try await onThread { try Command.run("cp", "-a", item.path.string, path) }
    try await fixture.observed.settle()
    #expect(try fixture.observed.uuid("a.txt") == uuid)
    let restored = try await fixture.observer.restoreItem(item, naming: .copy)
    #expect(restored.path != fixture.path("a.txt") && restored.uuid != uuid)
    #expect(fixture.observer[restored.path]?.uuid == restored.uuid)
    try await fixture.observed.expectAgreement()
  }

  /// Another program renames the document away and back, faster than it can be looked for.
  @Test func aDocumentThatIsAwayForAMomentIsFound() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt")
    let (observer, root, uuid) = (fixture.observer, fixture.root, try fixture.observed.uuid("a.txt"))
    try await repeating {
      try root.rename("a.txt", "b.txt")
      try root.rename("b.txt", "a.txt")
    } during: {
      for _ in 0..<100 {
        do throws(FileSystemObserverError) {
          _ = try await observer.contents(ofItemWith: uuid)
        } catch {
          #expect(error.code == .itemIsBusy, "\(error)")
        }
      }
    }
    try await fixture.observed.expectAgreement()
  }
}
