import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Operations that give an item a free name.
@Suite(.light) struct FreeNameTests {
  @Test func aDocumentIsDuplicatedBesideItself() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "d/b.txt")
    let copies = try fixture.now { observer in
      try (0..<3).map { _ in try observer.duplicateItem(at: fixture.path("a.txt")).path }
    }
    let names = ["a (copy).txt", "a (copy 2).txt", "a (copy 3).txt"]
    #expect(fixture.told() == names.flatMap { ["own duplicated a.txt => \($0)", "own copyFinished \($0)"] })
    #expect(copies == names.map(fixture.path))
    let folder = try await fixture.observer.duplicateItem(at: fixture.path("d"), naming: .init(word: "Kopie"))
    #expect(folder.path == fixture.path("d (Kopie)"))
    try await fixture.observed.expectAgreement()
  }

  @Test func whatIsMadeOrPutBackGetsAFreeName() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "b.txt", "d/a.txt")
    let made = try fixture.now { try $0.createFile(at: fixture.path("a.txt"), contents: [1], naming: .numbered) }
    #expect(made.path == fixture.path("a (2).txt") && made.item.size == 1)
    let folder = try await fixture.observer.createDirectory(at: fixture.path("d"), naming: .numbered)
    #expect(folder.path == fixture.path("d (2)"))
    let moved = try await fixture.observer.moveItem(
      at: fixture.path("d/a.txt"), to: fixture.path("a.txt"), naming: .numbered)
    #expect(moved.path == fixture.path("a (3).txt"))
    let trashed = try await fixture.observer.trashItem(at: fixture.path("b.txt"), allowingHomeTrash: true)
    try fixture.root.write("b.txt")
    await fixture.observer.synchronize()
    let item = try #require(trashed.trashedItem)
    #expect(await fixture.observer.restoreItems([item]).failure?.errno == .fileExists)
    let restored = await fixture.observer.restoreItems([item], naming: .numbered)
    #expect(restored.completed.map(\.path) == [fixture.path("b (2).txt")])
    #expect(restored.completed.map(\.uuid) == [trashed.uuid])
    try await fixture.observed.expectAgreement()
  }

  @Test func whatIsThereAlreadyIsNotRenamed() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt", "d/b.txt")
    let paths = ["d/b.txt", "a.txt"].map(fixture.path)
    for naming in [FileSystemObserver.ItemNaming.numbered, nil] {
      let batch = fixture.now { $0.moveItems(at: paths, into: fixture.path("d"), naming: naming) }
      #expect(batch.failure == nil || naming == nil)
      #expect(batch.completed.first?.path == paths[0])
    }
    #expect(fixture.told() == ["own moved a.txt -> d/a.txt"])
    try fixture.now { try $0.renameItem(at: fixture.path("d"), to: "d") }
    #expect(fixture.told() == [])
    try await fixture.observed.expectAgreement()
  }

  /// Another program takes each name when it has been found free.
  @Test func aNameThatIsTakenMeanwhileIsPassedOver() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt")
    let root = fixture.root
    async let others: Void = onThread {
      for number in 1...40 {
        let name = number == 1 ? "a (copy).txt" : "a (copy \(number)).txt"
        try? root.open(name, .create).write("of another")
      }
    }
    var copies: Set<String> = []
    for _ in 0..<20 { copies.insert(try await fixture.observer.duplicateItem(at: fixture.path("a.txt")).item.name) }
    try await others
    #expect(copies.count == 20)
    for copy in copies { #expect(try root.read(copy) == root.read("a.txt")) }
    try await fixture.observed.expectAgreement()
  }

  @Test func otherFailuresAreThrown() async throws {
    let fixture = try await OperationFixture.ofFiles("a.txt")
    let missing = #expect(throws: FileSystemObserverError.self) {
      try fixture.now { try $0.duplicateItem(at: fixture.path("missing"), naming: .copy) }
    }
    #expect(missing?.errno == .noSuchFileOrDirectory && missing?.path == fixture.path("missing"))
    let folder = #expect(throws: FileSystemObserverError.self) {
      try fixture.now { try $0.moveItem(at: fixture.path("a.txt"), to: fixture.path("x/a.txt"), naming: .numbered) }
    }
    #expect(folder?.errno == .noSuchFileOrDirectory && folder?.path == fixture.path("x/a.txt"))
    let relative = #expect(throws: FileSystemObserverError.self) {
      try fixture.now { try $0.createFile(at: "a.txt", naming: .numbered) }
    }
    #expect(relative?.code == .invalidArgument)
  }
}
