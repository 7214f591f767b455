import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

/// Files that are known before they have a tag.
extension ObservedFolder {
  /// The UUID that the observer knows a file by, whether it has a tag or not.
  func knownUUID(_ name: String) throws -> UUID {
    try #require(observer.uuid(forItemAt: FilePath(root[name])), "\(name)")
  }

  /// Awaits that a file bears the UUID as its tag.
  func expectTag(_ uuid: UUID, _ name: String) async throws {
    let deadline = Moment.now + .seconds(60)
    while try root.tag(name) == nil, Moment.now < deadline { try await settle() }
    #expect(try root.tag(name) == uuid, "\(name)")
    #expect(try knownUUID(name) == uuid, "\(name)")
  }
}
