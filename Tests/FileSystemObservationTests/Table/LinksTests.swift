import FileSystemObservation
import ObservationTestSupport
import TestTraits
import Testing

@Suite(.light, .undisturbed) struct LinksTests {
  @Test func aFileGetsAFurtherNameAndLosesIt() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["linked b.txt"]) { try $0.link("a.txt", "b.txt") }
    #expect(try observed.uuids("a.txt", "b.txt") == before + before)
    try await observed.saysExactly(["unlinked b.txt"]) { try $0.unlink("b.txt") }
    #expect(try observed.uuids("a.txt") == before)
  }

  @Test func theOldestNameLeftStandsForTheFile() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.mkdir("sub")
      try $0.watched.write("a.txt")
    }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["linked b.txt"]) { try $0.link("a.txt", "b.txt") }
    try await observed.saysExactly(["linked sub/c.txt"]) { try $0.link("a.txt", "sub/c.txt") }
    try await observed.saysExactly(["unlinked a.txt", "renamed a.txt -> b.txt"]) { try $0.unlink("a.txt") }
    #expect(observed.observer.path(forItemWith: before[0])?.string == observed.root["b.txt"])
    try await observed.saysExactly(["unlinked b.txt", "moved b.txt -> sub/c.txt"]) { try $0.unlink("b.txt") }
    #expect(try observed.uuids("sub/c.txt") == before)
    try await observed.saysExactly(["deleted(removed) sub/c.txt"]) { try $0.unlink("sub/c.txt") }
  }

  @Test func oneNameOfSeveralIsRenamed() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.mkdir("sub")
      try $0.watched.write("a.txt")
      try $0.watched.link("a.txt", "b.txt")
    }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["renamed b.txt -> c.txt"]) { try $0.rename("b.txt", "c.txt") }
    try await observed.saysExactly(["moved a.txt -> sub/a.txt"]) { try $0.rename("a.txt", "sub/a.txt") }
    #expect(try observed.uuids("sub/a.txt", "c.txt") == before + before)
  }

  /// rename(2) of one name of a file onto another does nothing at all.
  @Test func aNameIsRenamedOntoAnotherOfTheSameFile() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.link("a.txt", "b.txt")
    }
    try await observed.saysExactly([]) { try $0.rename("a.txt", "b.txt") }
  }

  @Test func linksThatTheScanFindsAreOneIdentity() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.link("a.txt", "b.txt")
    }
    #expect(try Set(observed.uuids("a.txt", "b.txt")).count == 1)
    #expect(observed.said(from: 0).filter { $0.hasPrefix("linked") }.count == 1)
  }

  /// A name from outside and one inside are one file; the one outside is none of ours.
  @Test func aLinkToAFileOutsideIsANewFile() async throws {
    let observed = try await ObservedFolder.begin { try $0.outside.write("a.txt") }
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) {
      try $0.link(observed.outside["a.txt"], "a.txt")
    }
  }

  @Test func aLinkedDocumentIsWrittenInPlace() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.link("a.txt", "b.txt")
    }
    let mark = observed.recorder.position
    try observed.root.append("b.txt")
    try await observed.settle()
    let changes = observed.changes(from: mark)
    #expect(changes.map(\.kind) == [.modified])
    #expect(try changes.map(\.uuid) == observed.uuids("a.txt"))
  }
}
