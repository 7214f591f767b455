import FileSystemObservation
import ObservationTestSupport
import TestTraits
import Testing

/// A program saves its document and ends: the document has its tag when observation has stopped.
@Suite(.light, .undisturbed, .enabled(if: Ability.tags.isPossible && TestSource.named != .polling))
struct SaveBeforeStopTests {
  private func keepsTag(
    sourceLocation: SourceLocation = #_sourceLocation, when save: (Folder) throws -> Void
  ) async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("doc.txt", "first version") }
    let before = try observed.uuid("doc.txt")
    try save(observed.root)
    await observed.observer.stop()
    #expect(try observed.root.tag("doc.txt") == before, sourceLocation: sourceLocation)
    let again = ObservedFolder(observed.folder)
    try await again.start()
    #expect(try again.uuid("doc.txt") == before, sourceLocation: sourceLocation)
  }

  @Test func renamedOver() async throws {
    try await keepsTag { try $0.saveByReplacement("doc.txt", keepingTag: false) }
  }

  @Test func removedAndWritten() async throws {
    try await keepsTag { root in
      try root.unlink("doc.txt")
      try root.write("doc.txt", "second version")
    }
  }

  @Test func renamedToABackupThatIsRemoved() async throws {
    try await keepsTag { root in
      try root.rename("doc.txt", "doc.txt~")
      try root.write("doc.txt", "second version")
      try root.unlink("doc.txt~")
    }
  }

  @Test func renamedToABackupThatStays() async throws {
    try await keepsTag { root in
      try root.rename("doc.txt", "doc.txt~")
      try root.write("doc.txt", "second version")
    }
  }

  @Test func exchanged() async throws {
    try await keepsTag { root in
      try root.write("doc.txt.new", "second version")
      try root.exchange("doc.txt.new", "doc.txt")
      try root.unlink("doc.txt.new")
    }
  }

  /// Another document in the place of one is no version of it.
  @Test func anotherDocumentKeepsItsOwn() async throws {
    let observed = try await ObservedFolder.begin { root in
      try root.watched.write("doc.txt")
      try root.watched.write("other.txt")
    }
    let other = try observed.uuid("other.txt")
    try observed.root.rename("other.txt", "doc.txt")
    await observed.observer.stop()
    #expect(try observed.root.tag("doc.txt") == other)
  }
}
