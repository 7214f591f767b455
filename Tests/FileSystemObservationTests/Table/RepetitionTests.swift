import FileSystemObservation
import ObservationTestSupport
import TestTraits
import Testing

/// The same names again and again, faster than anyone reads; and files that have lost their names.
@Suite(.light, .undisturbed) struct RepetitionTests {
  @Test func renamedToAndFro() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    for round in 0..<20 {
      for _ in 0..<round {
        try observed.root.rename("a.txt", "b.txt")
        try observed.root.rename("b.txt", "a.txt")
      }
      try observed.root.rename("a.txt", "b.txt")
      try await observed.expectAgreement()
      #expect(try observed.uuids("b.txt") == before, "\(round)")
      try observed.root.rename("b.txt", "a.txt")
    }
    try await observed.expectAgreement()
    #expect(try observed.uuids("a.txt") == before)
    #expect(observed.changes(from: 0).allSatisfy { [.discovered, .renamed].contains($0.kind) })
  }

  @Test func exchangedToAndFro() async throws {
    let observed = try await ObservedFolder.begin { folder in
      try folder.watched.write("a.txt", "one")
      try folder.watched.write("b.txt", "two")
    }
    let before = try observed.uuids("a.txt", "b.txt")
    for times in [2, 3, 4, 5, 100, 101] {
      for _ in 0..<times { try observed.root.exchange("a.txt", "b.txt") }
      try await observed.expectAgreement()
      let isExchanged = try observed.root.read("a.txt") == Array("two".utf8)
      #expect(try observed.uuids("a.txt", "b.txt") == (isExchanged ? before.reversed() : before), "\(times)")
    }
  }

  @Test func linkedAndUnlinkedAgain() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    for times in [1, 2, 3, 50] {
      for _ in 0..<times {
        try observed.root.link("a.txt", "b.txt")
        try observed.root.unlink("b.txt")
      }
      try observed.root.link("a.txt", "b.txt")
      try await observed.expectAgreement()
      #expect(try observed.uuids("a.txt", "b.txt") == before + before, "\(times)")
      try observed.root.unlink("b.txt")
      try await observed.expectAgreement()
    }
  }

  /// The document is written anew under its name; the old file lives on in a program that goes on writing to it.
  @Test func aFileWithoutANameIsNotItsSuccessor() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    let old = try observed.root.open("a.txt", .append)
    try await observed.saysExactly(["modified a.txt"]) { root in
      try root.unlink("a.txt")
      try root.write("a.txt", "another")
    }
    try await observed.saysExactly([]) { _ in
      for _ in 0..<10 { try old.write("unseen") }
      old.close()
    }
    #expect(try observed.uuids("a.txt") == before)
  }

  /// Of what this process does itself, only the observer's own tags are no news.
  @Test func theAppsOwnChangesAreSeen() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    for _ in 0..<5 {
      try observed.root.removeTag("a.txt")
      try await observed.settle()
      #expect(try observed.uuids("a.txt") == before)
    }
  }
}
