import FileSystemObservation
import Foundation
import ObservationTestSupport
import SystemPackage
import Testing

/// The identities of files without an observer.
@Suite struct FileSystemIdentityTests {
  private let test: TestFolder
  private let identity: FileSystemIdentity

  init() throws {
    test = try TestFolder("identity")
    identity = try FileSystemIdentity()
  }

  private func path(_ name: String) -> FilePath { FilePath(test.watched[name]) }

  private func code(_ body: () throws -> Void) -> FileSystemObserverError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? FileSystemObserverError)?.code
    }
  }

  @Test func whatIsClaimedIsWhatWasComputed() throws {
    try test.watched.write("a")
    let computed = try identity.uuid(ofItemAt: path("a"))
    #expect(computed.kind == .inode)
    let claimed = try identity.claim(forItemAt: path("a"))
    #expect(claimed == FileSystemIdentity.Value(uuid: computed.uuid, kind: .tag))
    #expect(try identity.claim(forItemAt: URL(filePath: test.watched["a"])) == claimed)
    #expect(try identity.uuid(ofItemAt: URL(filePath: test.watched["a"])) == claimed)
  }

  @Test func aUUIDIsSetOverWhateverIsThere() throws {
    try test.watched.write("a")
    let (first, second) = (UUID(), UUID())
    try identity.setUUID(first, forItemAt: path("a"))
    #expect(try identity.uuid(ofItemAt: path("a")).uuid == first)
    try identity.setUUID(second, forItemAt: path("a"))
    #expect(try identity.claim(forItemAt: path("a")).uuid == second)
    #expect(try identity.removeTag(fromItemAt: path("a")))
    #expect(try !identity.removeTag(fromItemAt: path("a")))
    #expect(try identity.uuid(ofItemAt: path("a")).kind == .inode)
  }

  /// A link on the way is followed, a link at the end is an item of its own.
  @Test func linksAreFollowedOnTheWayOnly() throws {
    try test.watched.folder("folder").makeDirectory()
    try test.watched.write("folder/a")
    try test.watched.symlink("folder", "way")
    try test.watched.symlink("folder/a", "end")
    let uuid = try identity.claim(forItemAt: path("way/a")).uuid
    #expect(try identity.uuid(ofItemAt: path("folder/a")).uuid == uuid)
    #expect(try identity.uuid(ofItemAt: path("end")).kind == .inode)
    #expect(code { _ = try identity.claim(forItemAt: path("end")) } == .notAFile)
    #expect(try !identity.removeTag(fromItemAt: path("end")))
  }

  @Test func whatHasNoIdentityIsRefused() throws {
    unsafe mkfifo(test.watched["fifo"], 0o600)
    #expect(code { _ = try identity.uuid(ofItemAt: path("fifo")) } == .notAFile)
    #expect(code { _ = try identity.claim(forItemAt: path("fifo")) } == .notAFile)
    #expect(code { try identity.setUUID(UUID(), forItemAt: path("fifo")) } == .notAFile)
    #expect(code { _ = try identity.removeTag(fromItemAt: path("fifo")) } == .notAFile)
    #expect(
      code { _ = try identity.uuid(ofItemAt: path("none")) }
        == .fileOperationFailed)
    #expect(code { _ = try FileSystemIdentity(tagName: "x") } == .invalidArgument)
  }

  @Test func theTagsOfATreeAreRemoved() throws {
    try test.watched.folder("sub").makeDirectory()
    try test.watched.write("sub/a")
    for name in ["sub", "sub/a"] { _ = try identity.claim(forItemAt: path(name)) }
    var failures = 0
    #expect(try identity.removeTags(below: FilePath(test.watched.path)) { _, _ in failures += 1 } == 2)
    #expect(try identity.removeTags(below: URL(filePath: test.watched.path)) == 0)
    #expect(failures == 0)
    #expect(
      code { try identity.removeTags(below: path("none")) } == .rootNotFound)
  }

  @Test func appsWithTagsOfTheirOwnDoNotMeet() throws {
    try test.watched.write("a")
    let other = try FileSystemIdentity(tagName: "user.other.uuid")
    try other.setUUID(UUID(), forItemAt: path("a"))
    #expect(try identity.uuid(ofItemAt: path("a")).kind == .inode)
    #expect(identity != other)
  }
}
