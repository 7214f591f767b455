import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@Suite(.light, .undisturbed) struct DirectoriesTests {
  private func tree() async throws -> ObservedFolder {
    try await ObservedFolder.begin {
      try $0.watched.makeDirectories("d/e/f")
      try $0.watched.mkdir("other")
      try $0.watched.write("d/1.txt")
      try $0.watched.write("d/e/2.txt")
      try $0.watched.write("d/e/f/3.txt")
    }
  }

  @Test func aFolderGetsAnotherName() async throws {
    let observed = try await tree()
    let before = try observed.uuids("d", "d/1.txt", "d/e", "d/e/2.txt", "d/e/f", "d/e/f/3.txt")
    try await observed.saysExactly(["renamed d -> D"]) { try $0.rename("d", "D") }
    #expect(try observed.uuids("D", "D/1.txt", "D/e", "D/e/2.txt", "D/e/f", "D/e/f/3.txt") == before)
  }

  @Test func aFolderGetsAnotherParent() async throws {
    let observed = try await tree()
    let before = try observed.uuids("d/e", "d/e/2.txt", "d/e/f/3.txt")
    try await observed.saysExactly(["moved d/e -> other/E"]) { try $0.rename("d/e", "other/E") }
    #expect(try observed.uuids("other/E", "other/E/2.txt", "other/E/f/3.txt") == before)
  }

  @Test func theChangeSetListsWhatMovedWithAFolder() async throws {
    let observed = try await tree()
    let mark = observed.recorder.position
    try observed.root.rename("d", "other/D")
    try await observed.settle()
    let sets = observed.recorder.entries[mark...].compactMap { entry -> (FileSystemChanges, FileSystemChange)? in
      guard case .didChange(let set) = entry.event else { return nil }
      return set.first { $0.kind == .moved }.map { (set, $0) }
    }
    let (set, change) = try #require(sets.first)
    let items = set.movesBelow(change)
    let moved = items.map { "\(observed.relative($0.previousPath ?? "")) -> \(observed.relative($0.path))" }
    #expect(
      moved.sorted() == [
        "d/1.txt -> other/D/1.txt", "d/e -> other/D/e", "d/e/2.txt -> other/D/e/2.txt", "d/e/f -> other/D/e/f",
        "d/e/f/3.txt -> other/D/e/f/3.txt",
      ])
    let position = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.path, $0) })
    for item in items {
      let parent = position[item.path.removingLastComponent()] ?? -1
      #expect(parent < position[item.path] ?? -1, "parents come before children")
      #expect(try observed.root.tag(item.path.string) == item.uuid)
    }
  }

  /// The watches go with a folder that is renamed, and what happens below it is told with its new path.
  @Test func whatHappensBelowAMovedFolderHasTheNewPath() async throws {
    let observed = try await tree()
    try await observed.saysExactly(["moved d -> other/D"]) { try $0.rename("d", "other/D") }
    try await observed.saysExactly(["renamed other/D/e/2.txt -> other/D/e/two.txt"]) {
      try $0.rename("other/D/e/2.txt", "other/D/e/two.txt")
    }
    try await observed.saysExactly(["discovered other/D/e/f/new.txt", "copyFinished other/D/e/f/new.txt"]) {
      try $0.write("other/D/e/f/new.txt")
    }
  }

  @Test func aFolderIsRenamedWithWhatHappensInItAtOnce() async throws {
    let observed = try await tree()
    let before = try observed.uuids("d", "d/1.txt", "d/e/2.txt")
    let mark = observed.recorder.position
    try observed.root.rename("d", "D")
    try observed.root.rename("D/1.txt", "D/e/one.txt")
    try observed.root.rename("D/e", "E")
    try observed.root.rename("E/2.txt", "D/two.txt")
    try await observed.settle()
    let kinds = Set(observed.changes(from: mark).map(\.kind))
    #expect(kinds.isSubset(of: [.renamed, .moved]))
    try await observed.expectAgreement()
    #expect(try observed.uuids("D", "E/one.txt", "D/two.txt") == before)
  }

  @Test func aFolderIsMovedOntoAnEmptyOne() async throws {
    let observed = try await tree()
    let before = try observed.uuids("d", "d/e/2.txt")
    try await observed.saysExactly(["deleted(replaced) other", "renamed d -> other"]) { try $0.rename("d", "other") }
    #expect(try observed.uuids("other", "other/e/2.txt") == before)
  }

  /// Rebuilding a folder is no end of it: the identity stays with the path.
  @Test func aFolderIsMadeAnewUnderItsName() async throws {
    let observed = try await tree()
    let before = try observed.uuids("other")
    try await observed.saysExactly([]) {
      try $0.rmdir("other")
      try $0.mkdir("other")
    }
    #expect(try observed.uuids("other") == before)
  }

  /// What is in it is compared by name.
  @Test func aFolderIsMadeAnewWithWhatIsInIt() async throws {
    let observed = try await tree()
    let before = try observed.uuids("d", "d/1.txt", "d/e", "d/e/2.txt")
    let wanted = [
      "modified d/1.txt", "modified d/e/2.txt", "deleted(removed) d/e/f", "deleted(removed) d/e/f/3.txt",
      "discovered d/new.txt", "copyFinished d/new.txt",
    ]
    try await observed.saysExactly(wanted, order: .any) { root in
      root.folder("d").removeTree()
      try root.makeDirectories("d/e")
      for name in ["d/1.txt", "d/e/2.txt", "d/new.txt"] { try root.write(name, "made anew") }
    }
    #expect(try observed.uuids("d", "d/1.txt", "d/e", "d/e/2.txt") == before)
  }

  /// A folder that brings an identity keeps it, for somebody may know it by that: it is no rebuilt one.
  @Test func aFolderWithATagOfItsOwnComesWhereOneWas() async throws {
    let observed = try await tree()
    let uuid = UUID()
    try observed.outside.mkdir("brought")
    try observed.outside.setTag("brought", uuid)
    try await observed.saysExactly(["deleted(removed) other", "discovered other"]) {
      try $0.rmdir("other")
      try observed.outside.rename("brought", $0["other"])
    }
    #expect(try observed.root.tag("other") == uuid)
    #expect(try observed.uuids("other") == [uuid])
  }

  @Test func twoFoldersExchangeNames() async throws {
    let observed = try await tree()
    try observed.root.write("other/4.txt")
    try await observed.settle()
    let before = try observed.uuids("d", "d/e/2.txt", "other", "other/4.txt")
    try await observed.saysExactly(["renamed d -> other", "renamed other -> d"], order: .any) {
      try $0.exchange("d", "other")
    }
    #expect(try observed.uuids("other", "other/e/2.txt", "d", "d/4.txt") == before)
  }

  @Test func aFolderAndAFileExchangeNames() async throws {
    let observed = try await tree()
    try observed.root.write("x.txt")
    try await observed.settle()
    let before = try observed.uuids("d", "d/e/2.txt", "x.txt")
    try await observed.saysExactly(["renamed d -> x.txt", "renamed x.txt -> d"], order: .any) {
      try $0.exchange("d", "x.txt")
    }
    #expect(try observed.uuids("x.txt", "x.txt/e/2.txt", "d") == before)
  }

  /// Polling finds the folder at its new name before it knows what is at the former one.
  @Test(arguments: TestSource.toTest) func anotherFolderIsMadeAtItsName(_ source: TestSource) async throws {
    let options = source.applied(to: FileSystemObserver.Configuration())
    let observed = try await ObservedFolder.begin(options: options) { folder in
      try folder.watched.mkdir("d")
      try folder.watched.write("d/a.txt")
    }
    let before = try observed.uuids("d", "d/a.txt")
    try await observed.saysExactly(["renamed d -> e", "discovered d"], order: .any) {
      try $0.rename("d", "e")
      try $0.mkdir("d")
    }
    #expect(try observed.uuids("e", "e/a.txt") == before)
  }

  @Test func aFolderBecomesHiddenAndVisibleAgain() async throws {
    let observed = try await tree()
    let before = try observed.uuids("d/e", "d/e/2.txt", "d/e/f/3.txt")
    let gone = ["d/e", "d/e/2.txt", "d/e/f", "d/e/f/3.txt"].map { "deleted(movedOut) \($0)" }
    try await observed.saysExactly(gone, order: .any) { try $0.rename("d/e", "d/.e") }
    let back = ["d/e", "d/e/2.txt", "d/e/f", "d/e/f/3.txt"].map { "discovered(returned) \($0)" }
    let finished = ["d/e/2.txt", "d/e/f/3.txt"].map { "copyFinished \($0)" }
    try await observed.saysExactly(back + finished, order: .any) { try $0.rename("d/.e", "d/e") }
    #expect(try observed.uuids("d/e", "d/e/2.txt", "d/e/f/3.txt") == before)
  }

  @Test func aFolderIsRemovedWithWhatIsInIt() async throws {
    let observed = try await tree()
    let all = ["d", "d/1.txt", "d/e", "d/e/2.txt", "d/e/f", "d/e/f/3.txt"]
    try await observed.saysExactly(all.map { "deleted(removed) \($0)" }, order: .any) { $0.folder("d").removeTree() }
  }

  @Test func levelsBelowTheIncludedOnesAreNotObserved() async throws {
    let folder = try TestFolder()
    try folder.watched.makeDirectories("d/e")
    try folder.watched.write("d/1.txt")
    try folder.watched.write("d/e/2.txt")
    let observed = ObservedFolder(folder, excluding: { $0.split(separator: "/").count > 2 })
    observed.observer.includedDirectoryLevels = 1
    try await observed.start()
    try await observed.saysExactly([]) { try $0.write("d/e/3.txt") }
    try await observed.saysExactly(["discovered d/4.txt", "copyFinished d/4.txt"]) { try $0.write("d/4.txt") }
    try await observed.saysExactly(["deleted(movedOut) d/1.txt"]) { try $0.rename("d/1.txt", "d/e/1.txt") }
    #expect(try observed.root.tag("d/e/2.txt") == nil)
  }
}
