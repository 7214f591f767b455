import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@Suite(.light, .undisturbed) struct NamesTests {
  @Test func aFileGetsAnotherName() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["renamed a.txt -> b.txt"]) { try $0.rename("a.txt", "b.txt") }
    #expect(try observed.uuids("b.txt") == before)
  }

  @Test func aFileGetsAnotherFolder() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.mkdir("sub")
    }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["moved a.txt -> sub/a.txt"]) { try $0.rename("a.txt", "sub/a.txt") }
    try await observed.saysExactly(["moved sub/a.txt -> b.txt"]) { try $0.rename("sub/a.txt", "b.txt") }
    #expect(try observed.uuids("b.txt") == before)
  }

  @Test func aFileIsRenamedAndRenamedBackLater() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["renamed a.txt -> b.txt"]) { try $0.rename("a.txt", "b.txt") }
    try await observed.saysExactly(["renamed b.txt -> a.txt"]) { try $0.rename("b.txt", "a.txt") }
    #expect(try observed.uuids("a.txt") == before)
  }

  @Test func aSymbolicLinkIsRenamed() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.symlink("/nowhere", "a") }
    try await observed.saysExactly(["renamed a -> b"]) { try $0.rename("a", "b") }
  }

  @Test func aNameNeedNotBeUTF8() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    let mark = observed.recorder.position
    let strange = try #require(FilePath.Component(platformString: [0x62, -1, -2, 0x63, 0]))
    let path = FilePath(observed.root.path).appending(strange)
    try Command.run(
      "sh", "-c", "mv \"$0\" \"$1\"/\"$(printf 'b\\377\\376c')\"", observed.root["a.txt"], observed.root.path)
    try await observed.settle()
    let changes = observed.changes(from: mark)
    #expect(changes.map(\.kind) == [.renamed])
    #expect(changes.first?.path == path)
    #expect(observed.observer.uuid(forItemAt: path) == before[0])
    #expect(observed.observer.path(forItemWith: before[0]) == path)
  }

  @Test func twoDocumentsExchangeNames() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt", "one")
      try $0.watched.write("b.txt", "two")
    }
    let before = try observed.uuids("a.txt", "b.txt")
    let mark = observed.recorder.position
    try await observed.saysExactly(["renamed a.txt -> b.txt", "renamed b.txt -> a.txt"], order: .any) {
      try $0.exchange("a.txt", "b.txt")
    }
    #expect(try observed.uuids("b.txt", "a.txt") == before)
    let sets = observed.recorder.entries[mark...].filter { $0.changes.contains { $0.kind == .renamed } }
    #expect(sets.count == 1, "both in one change set")
  }

  @Test func twoDocumentsExchangeFolders() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.makeDirectories("x")
      try $0.watched.write("a.txt", "one")
      try $0.watched.write("x/b.txt", "two")
    }
    let before = try observed.uuids("a.txt", "x/b.txt")
    try await observed.saysExactly(["moved a.txt -> x/b.txt", "moved x/b.txt -> a.txt"], order: .any) {
      try $0.exchange("a.txt", "x/b.txt")
    }
    #expect(try observed.uuids("x/b.txt", "a.txt") == before)
  }

  @Test func twoDocumentsChangePlacesByAThirdName() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt", "one")
      try $0.watched.write("b.txt", "two")
    }
    let before = try observed.uuids("a.txt", "b.txt")
    let mark = observed.recorder.position
    try observed.root.rename("a.txt", "t")
    try observed.root.rename("b.txt", "a.txt")
    try observed.root.rename("t", "b.txt")
    try await observed.settle()
    #expect(Set(observed.changes(from: mark).map(\.kind)) == [.renamed])
    try await observed.expectAgreement()
    #expect(try observed.uuids("b.txt", "a.txt") == before)
  }

  @Test func aDocumentIsMovedOverAnother() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt", "one")
      try $0.watched.write("b.txt", "two")
    }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["deleted(replaced) b.txt", "renamed a.txt -> b.txt"]) {
      try $0.rename("a.txt", "b.txt")
    }
    #expect(try observed.uuids("b.txt") == before)
  }

  @Test func aDocumentIsMovedOverAnotherElsewhere() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.makeDirectories("x")
      try $0.watched.write("a.txt", "one")
      try $0.watched.write("x/a.txt", "two")
    }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["deleted(replaced) x/a.txt", "moved a.txt -> x/a.txt"]) {
      try $0.rename("a.txt", "x/a.txt")
    }
    #expect(try observed.uuids("x/a.txt") == before)
  }

  @Test func aVisibleNameBecomesHiddenAndVisibleAgain() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["deleted(movedOut) a.txt"]) { try $0.rename("a.txt", ".a.txt") }
    try await observed.saysExactly(["discovered(returned) a.txt", "copyFinished a.txt"]) {
      try $0.rename(".a.txt", "a.txt")
    }
    #expect(try observed.uuids("a.txt") == before)
  }

  @Test func aNameBecomesExcludedAndWantedAgain() async throws {
    let folder = try TestFolder()
    try folder.watched.write("a.txt")
    let observed = ObservedFolder(folder, excluding: { $0.hasSuffix(".skip") })
    observed.observer.excludedItems = ["*.skip"]
    try await observed.start()
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["deleted(movedOut) a.txt"]) { try $0.rename("a.txt", "a.skip") }
    try await observed.saysExactly(["discovered(returned) a.txt", "copyFinished a.txt"]) {
      try $0.rename("a.skip", "a.txt")
    }
    #expect(try observed.uuids("a.txt") == before)
  }

  /// An open descriptor follows the file, and so does the observer.
  @Test func aFileIsRenamedWhileItIsWritten() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["renamed a.txt -> b.txt", "modified b.txt"]) { root in
      let file = try root.open("a.txt", .append)
      try file.write("one")
      try root.rename("a.txt", "b.txt")
      try file.write("two")
    }
    #expect(try observed.uuids("b.txt") == before)
  }
}
