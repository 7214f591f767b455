import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Saves of the app among those of other programs.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct OwnSavesTests {
  private static let rounds = Environment["FSO_SAVES"].flatMap { Int($0) } ?? 300
  private static let documents = 10

  /// The app and another program save different documents at the same time; each change says whose it is.
  @Test(.undisturbed) func noneIsMistakenForAnothers() async throws {
    let fixture = try await OperationFixture { folder in
      for number in 0..<Self.documents {
        for owner in ["ours", "theirs"] { try folder.watched.write("\(owner) \(number).txt") }
      }
    }
    let root = fixture.root
    async let others: Void = onThread {
      for round in 0..<Self.rounds {
        let name = "theirs \(round % Self.documents).txt"
        try root.write(".next", "theirs, round \(round)")
        try root.rename(".next", name)
      }
    }
    for round in 0..<Self.rounds {
      let path = fixture.path("ours \(round % Self.documents).txt")
      let operation = try fixture.now { try $0.replaceContents(of: path, with: "ours, round \(round)".utf8) }
      #expect(operation.item.size == Int64("ours, round \(round)".utf8.count))
    }
    try await others
    try await fixture.observed.settle()
    let saves = fixture.observed.changes(from: 0).filter { $0.kind == .modified }
    let ours = saves.filter { fixture.observed.relative($0.path).hasPrefix("ours") }
    let theirs = saves.filter { fixture.observed.relative($0.path).hasPrefix("theirs") }
    #expect(ours.count == Self.rounds)
    #expect(ours.allSatisfy { $0.origin == .thisProcess })
    #expect(!theirs.isEmpty && theirs.allSatisfy { $0.origin == .other })
    #expect(Set(theirs.map(\.path)).count == Self.documents)
    try await fixture.observed.expectAgreement()
  }
}
