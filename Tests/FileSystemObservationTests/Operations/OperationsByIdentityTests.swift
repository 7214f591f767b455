import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import Synchronization
import SystemPackage
import TestTraits
import Testing

/// Operations on items by their UUIDs, while another program renames or moves them.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
struct OperationsByIdentityTests {
  private let fixture: OperationFixture
  private let letter: UUID
  private let other: UUID
  private var root: Folder { fixture.root }
  private var observer: FileSystemObserver { fixture.observer }

  init() async throws {
    fixture = try await .ofDocuments()
    letter = try fixture.observed.uuid("letter")
    other = try fixture.observed.uuid("other")
  }

  private func text(_ name: String) throws -> String { String(decoding: try root.read(name), as: UTF8.self) }

  /// A link has no tag: the UUID by which it is known is of its inode.
  @Test func aSymbolicLinkIsDuplicated() async throws {
    try root.symlink("letter", "link")
    await observer.synchronize()
    let link = try #require(observer.uuid(forItemAt: fixture.path("link")))
    let first = try fixture.now { try $0.duplicateItem(at: fixture.path("link")) }
    let second = try await observer.duplicateItem(with: link)
    #expect(first.item.kind == .symlink && second.item.kind == .symlink)
    #expect(Set([first.uuid, second.uuid, link]).count == 3)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: second.path.string) == "letter")
    try await fixture.observed.expectAgreement()
  }

  /// The letter is renamed just before each operation, and the other document takes its name.
  private func moveAway() throws {
    try root.rename("letter", "d/moved")
    try root.rename("other", "letter")
  }

  @Test func aRenameFollowsTheItem() async throws {
    try moveAway()
    let renamed = try await observer.renameItem(with: letter, to: "to Ada")
    #expect(renamed.uuid == letter && renamed.path == fixture.path("d/to Ada"))
    #expect(try text("d/to Ada") == "of letter" && text("letter") == "of other")
    #expect(fixture.told().last == "own renamed d/moved -> d/to Ada")
    try await fixture.observed.expectAgreement()
  }

  @Test func aMoveFollowsTheItem() async throws {
    try moveAway()
    let moved = try await observer.moveItem(with: letter, to: fixture.path("back"))
    #expect(moved.uuid == letter && moved.path == fixture.path("back"))
    #expect(try fixture.names() == ["back", "d", "letter"] && text("letter") == "of other")
    try await fixture.observed.expectAgreement()
  }

  @Test func aCopyIsOfTheItem() async throws {
    try moveAway()
    let copy = try await observer.duplicateItem(with: letter, to: fixture.path("copy"))
    #expect(try copy.uuid != letter && text("copy") == "of letter")
    #expect(fixture.told().suffix(2) == ["own duplicated d/moved => copy", "own copyFinished copy"])
    try await fixture.observed.expectAgreement()
  }

  @Test func theItemIsRemoved() async throws {
    try moveAway()
    let removed = try await observer.removeItem(with: letter)
    #expect(removed.uuid == letter && removed.path == fixture.path("d/moved"))
    #expect(try fixture.names() == ["d", "letter"] && !root.exists("d/moved") && text("letter") == "of other")
    try await fixture.observed.expectAgreement()
  }

  @Test func theItemGoesToTheTrash() async throws {
    try moveAway()
    let trashed = try await observer.trashItem(with: letter, allowingHomeTrash: true)
    #expect(trashed.uuid == letter && trashed.trashedItem?.originalPath == fixture.path("d/moved"))
    #expect(try text("letter") == "of other")
    try await observer.restoreItem(#require(trashed.trashedItem))
    #expect(observer.path(forItemWith: letter) == fixture.path("d/moved"))
    try await fixture.observed.expectAgreement()
  }

  /// What an app needs to undo a step that it has made where another program had moved the item.
  @Test func anOperationSaysWhereTheItemWasAndOfWhatACopyIsOne() async throws {
    try moveAway()
    let renamed = try await observer.renameItem(with: letter, to: "to Ada")
    #expect(renamed.previousPath == fixture.path("d/moved") && renamed.original == nil)
    let copy = try await observer.duplicateItem(with: letter)
    #expect(copy.original == letter && copy.previousPath == nil)
    let undone = try await observer.moveItem(with: letter, to: #require(renamed.previousPath))
    #expect(undone.path == fixture.path("d/moved") && undone.previousPath == fixture.path("d/to Ada"))
    let trashed = try await observer.trashItem(with: copy.uuid, allowingHomeTrash: true)
    #expect(trashed.previousPath == nil && trashed.original == nil)
    let item = try #require(trashed.trashedItem)
    try await observer.restoreItem(item)
    let error = await #expect(throws: FileSystemObserverError.self) { try await observer.restoreItem(item) }
    #expect(error?.errno == .noSuchFileOrDirectory && error?.message.contains("no longer in the trash") == true)
    try await fixture.observed.expectAgreement()
  }

  @Test func foldersAndSymbolicLinks() async throws {
    try root.symlink("letter", "link")
    try await fixture.observed.settle()
    let folder = try fixture.observed.uuid("d")
    let link = try #require(observer[fixture.path("link")]).uuid
    try root.rename("d", "e")
    try root.rename("link", "e/link")
    #expect(try await observer.renameItem(with: folder, to: "f").path == fixture.path("f"))
    #expect(try await observer.moveItem(with: link, to: fixture.path("link")).path == fixture.path("link"))
    try await observer.removeItem(with: link)
    try await observer.removeItem(with: folder)
    #expect(try fixture.names() == ["letter", "other"])
    try await fixture.observed.expectAgreement()
  }

  @Test func anItemThatIsGone() async throws {
    try root.unlink("letter")
    try root.rename("other", "letter")
    let error = await #expect(throws: FileSystemObserverError.self) { try await observer.removeItem(with: letter) }
    #expect(error?.code == .outsideTree && error?.message.contains(letter.uuidString) == true)
    #expect(try text("letter") == "of other")
    let unknown = await #expect(throws: FileSystemObserverError.self) { try await observer.trashItem(with: UUID()) }
    #expect(unknown?.code == .outsideTree)
  }

  @Test func aNameThatIsTakenOrImpossible() async throws {
    let taken = await #expect(throws: FileSystemObserverError.self) {
      try await observer.renameItem(with: letter, to: "other")
    }
    #expect(taken?.errno == .fileExists)
    let malformed = await #expect(throws: FileSystemObserverError.self) {
      try await observer.renameItem(with: letter, to: "a/b")
    }
    #expect(malformed?.code == .invalidArgument)
    let missing = await #expect(throws: FileSystemObserverError.self) {
      try await observer.moveItem(with: letter, to: fixture.path("nowhere/letter"))
    }
    #expect(missing?.errno == .noSuchFileOrDirectory && missing?.message.contains("nowhere") == true)
    #expect(try text("letter") == "of letter" && fixture.told() == [])
  }

  private func place(of uuid: UUID) async throws -> String {
    fixture.observed.relative(try await observer.contents(ofItemWith: uuid).path)
  }

  /// Two documents change places during each operation.
  @Test func noOtherDocumentIsRenamed() async throws {
    let root = root
    for round in 0..<50 {
      async let exchange: Void = onThread { try root.exchange("letter", "other") }
      let renamed = try await observer.renameItem(with: letter, to: "number \(round)")
      #expect(renamed.uuid == letter)
      // The exchange may have failed, as its name was gone.
      _ = try? await exchange
      let (mine, others) = (try await place(of: letter), try await place(of: other))
      #expect(try text(mine) == "of letter" && text(others) == "of other")
      try root.rename(mine, "kept")
      if others != "other" { try root.rename(others, "other") }
      try root.rename("kept", "letter")
    }
    try await fixture.observed.expectAgreement()
  }
}

/// Operations on several items by their UUIDs.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct BatchesByIdentityTests {
  private func uuids(_ fixture: OperationFixture) throws -> [UUID] {
    try ["a.txt", "b.txt", "c.txt"].map { try fixture.observed.uuid($0) }
  }

  @Test func aBatchStopsAtTheItemThatFails_andGoesOnAfterIt() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let uuids = try uuids(fixture)
    let batch = await fixture.observer.moveItems(with: uuids, into: fixture.path("d"))
    #expect(batch.completed.map(\.path) == [fixture.path("d/a.txt")] && batch.remaining == Array(uuids[1...]))
    #expect(batch.failure?.errno == .fileExists)
    // Meanwhile another program renames one of them.
    try fixture.root.rename("c.txt", "e.txt")
    let rest = await fixture.observer.moveItems(with: batch.remaining, into: fixture.path("d"), overwriting: true)
    #expect(rest.failure == nil && rest.remaining.isEmpty)
    #expect(rest.completed.map(\.path) == [fixture.path("d/b.txt"), fixture.path("d/e.txt")])
    #expect(
      uuids.map { fixture.observer.path(forItemWith: $0) } == ["a", "b", "e"].map { fixture.path("d/\($0).txt") })
    try await fixture.observed.expectAgreement()
  }

  @Test func aBatchThatContinuesNamesWhatFailed() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let uuids = try uuids(fixture)
    let unknown = UUID()
    let batch = await fixture.observer.moveItems(
      with: [unknown] + uuids.reversed(), into: fixture.path("d"), continuing: true)
    #expect(batch.completed.map(\.path) == ["d/c.txt", "d/a.txt"].map(fixture.path))
    #expect(batch.remaining == [unknown, uuids[1]] && batch.failures.map(\.item) == batch.remaining)
    #expect(batch.failures.map(\.error.code) == [.outsideTree, .fileOperationFailed])
    try await fixture.observed.expectAgreement()
  }

  @Test func copiesBesideTheItems() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let uuids = try uuids(fixture)
    try fixture.root.rename("b.txt", "d/moved.txt")
    let copies = await fixture.observer.duplicateItems(with: uuids)
    #expect(copies.completed.map(\.path) == ["a (copy).txt", "d/moved (copy).txt", "c (copy).txt"].map(fixture.path))
    let again = try await fixture.observer.duplicateItem(with: uuids[1], naming: .numbered)
    #expect(again.path == fixture.path("d/moved (2).txt"))
    let moved = try await fixture.observer.moveItem(
      with: uuids[0], to: fixture.path("c.txt"), naming: .init(word: "other"))
    #expect(moved.path == fixture.path("c (other).txt") && moved.uuid == uuids[0])
    try await fixture.observed.expectAgreement()
  }

  @Test func copiesAndRemovals() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let uuids = try uuids(fixture)
    let reports = Mutex<[FileSystemObserver.OperationProgress]>([])
    let control = FileSystemObserver.OperationControl(
      progress: { progress in reports.withLock { $0.append(progress) } })
    let copies = await fixture.observer.duplicateItems(
      with: [uuids[0], uuids[2]], into: fixture.path("d"), control: control)
    #expect(copies.completed.map(\.path) == [fixture.path("d/a.txt"), fixture.path("d/c.txt")])
    let (counts, fractions) = reports.withLock { ($0.map(\.items), $0.map(\.fraction)) }
    #expect(counts.last == 2 && counts == counts.sorted() && fractions.last == 1)
    let trashed = await fixture.observer.trashItems(with: [uuids[1]], allowingHomeTrash: true)
    #expect(trashed.completed.map(\.trashedItem?.originalPath) == [fixture.path("b.txt")])
    let removed = await fixture.observer.removeItems(with: uuids)
    #expect(removed.completed.count == 1 && removed.remaining == Array(uuids[1...]))
    #expect(removed.failure?.code == .outsideTree)
    _ = await fixture.observer.restoreItems(trashed.completed.compactMap(\.trashedItem))
    try await fixture.observed.expectAgreement()
  }

  @Test func aCancelledBatchNamesWhatRemains() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "c.txt", "d/b.txt")
    let uuids = try uuids(fixture)
    let done = Mutex(0)
    let control = FileSystemObserver.OperationControl(
      progress: { progress in done.withLock { $0 = progress.items } }, isCancelled: { done.withLock { $0 >= 1 } })
    let batch = await fixture.observer.removeItems(with: uuids, control: control)
    #expect(batch.completed.count == 1 && batch.remaining == Array(uuids[1...]))
    #expect(batch.failure?.code == .cancelled && batch.failure?.message.contains(uuids[1].uuidString) == true)
    let observer = fixture.observer
    let task = Task {
      // The task cancels itself, so that it is cancelled before the first item.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await observer.removeItems(with: batch.remaining)
    }
    #expect(await task.value.remaining == batch.remaining)
    try await fixture.observed.expectAgreement()
  }
}
