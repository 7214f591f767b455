import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

extension ObservedFolder {
  /// Whether what is said has an order that the test can know.
  enum Order {
    case asListed
    case any
  }

  /// Does something in the observed folder, and expects that exactly this is said of it, and that in the end replaying all change
  /// sets gives what is on disk, tags included.
  func saysExactly(
    _ expected: [String], order: Order = .asListed, sourceLocation: SourceLocation = #_sourceLocation,
    when act: (Folder) async throws -> Void
  ) async throws {
    let mark = recorder.position
    try await act(root)
    try await settle()
    let said = said(from: mark)
    switch order {
    case .asListed: #expect(said == expected, sourceLocation: sourceLocation)
    case .any: #expect(said.sorted() == expected.sorted(), sourceLocation: sourceLocation)
    }
    try await expectAgreement(sourceLocation: sourceLocation)
  }

  /// Expects that what was told is what is on disk, at the latest after a while.
  func expectAgreement(
    within time: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let differences = try await differencesInTheEnd(within: time)
    #expect(differences == [], sourceLocation: sourceLocation)
  }

  /// The UUIDs that the observer gives for names, which must be those in the tags.
  func uuids(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> [UUID] {
    try names.map { name in
      let tag = try uuid(name)
      #expect(observer.uuid(forItemAt: FilePath(root[name])) == tag, "\(name)", sourceLocation: sourceLocation)
      let isLinked = try root.status(name).linkCount > 1
      #expect(
        isLinked || observer.path(forItemWith: tag)?.string == root[name], "\(name)", sourceLocation: sourceLocation)
      return tag
    }
  }
}
