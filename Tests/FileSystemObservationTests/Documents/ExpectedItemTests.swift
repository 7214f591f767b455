import FileIdentity
import FileSystemObservation
import FileTestSupport
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

/// Operations that are meant for one item, while another one may be at its path.
@Suite struct ExpectedItemTests {
  typealias Call = @Sendable (DocumentOperations, DocumentFixture) throws -> Void

  static let calls: [(String, Call)] = [
    ("read", { _ = try $0.contents(of: $1.path) }),
    ("replace", { _ = try $0.replaceContents(of: $1.path, with: "new".utf8, uuid: nil) }),
    ("rename", { _ = try $0.move($1.path, to: $1.folder.path("renamed")) }),
    ("duplicate", { _ = try $0.duplicate($1.path, to: $1.folder.path("copy")) }),
    ("trash", { _ = try $0.trash($1.path, places: TrashPlaces(home: $1.folder.path("home"))) }),
    ("remove", { _ = try $0.remove($1.path) }),
  ]

  private let fixture: DocumentFixture

  init() throws { fixture = try DocumentFixture() }

  private func operations(
    on uuid: UUIDBits, _ key: FileKey, beforeStep: DocumentOperations.StepHook? = nil
  ) -> DocumentOperations {
    DocumentOperations(
      tag: FileTag(), expecting: ExpectedItem(uuid: uuid, key: key), beforeStep: beforeStep)
  }

  private func key() throws -> FileKey { FileKey(try FileStatus.of(path: fixture.path, followingLink: false)) }

  @Test(arguments: calls.indices) func anotherItemIsLeftAlone(_ index: Int) throws {
    let (name, call) = Self.calls[index]
    let before = try fixture.snapshot()
    let other = operations(on: UUIDBits(high: 1, low: 2), try key())
    let error = #expect(throws: FileSystemObserverError.self, "\(name)") { try call(other, fixture) }
    #expect(error?.errno == .staleNFSFileHandle && error?.message.contains("nothing was changed") == true)
    #expect(try fixture.snapshot() == before)
    // The tag counts, and not the inode, which a save replaces.
    let former = FileKey(device: 1, inode: 2, born: 3)
    #expect(throws: Never.self, "\(name)") { try call(operations(on: DocumentFixture.uuid, former), fixture) }
  }

  @Test(arguments: calls.indices) func withoutATagTheInodeCounts(_ index: Int) throws {
    let (name, call) = Self.calls[index]
    try PlainFiles.removeAttribute(FileTag.defaultName, of: fixture.path)
    let key = try key()
    let other = FileKey(device: key.device, inode: key.inode + 1, born: key.born)
    let error = #expect(throws: FileSystemObserverError.self, "\(name)") {
      try call(operations(on: DocumentFixture.uuid, other), fixture)
    }
    #expect(error?.errno == .staleNFSFileHandle)
    #expect(throws: Never.self, "\(name)") { try call(operations(on: DocumentFixture.uuid, key), fixture) }
  }

  private static func exchange(_ path: FilePath, _ other: FilePath) throws {
    let between = FilePath("\(path.string).between")
    try PlainFiles.rename(path, to: between)
    try PlainFiles.rename(other, to: path)
    try PlainFiles.rename(between, to: other)
  }

  /// Another item takes the path after the first look, and before the operation takes effect.
  @Test(arguments: calls.indices.filter { !["read", "duplicate"].contains(calls[$0].0) })
  func whatComesAtTheLastMomentIsLeftAlone(_ index: Int) throws {
    let (name, call) = Self.calls[index]
    let (path, stranger) = (fixture.path, fixture.folder.path("stranger"))
    try PlainFiles.write(Array("of another".utf8), to: stranger)
    let operations = operations(on: DocumentFixture.uuid, try key()) { step in
      guard step == .publish else { return }
      #expect(throws: Never.self) { try Self.exchange(path, stranger) }
    }
    let error = #expect(throws: FileSystemObserverError.self, "\(name)") { try call(operations, fixture) }
    #expect(error?.errno == .staleNFSFileHandle)
    #expect(try PlainFiles.read(path) == Array("of another".utf8))
    #expect(try PlainFiles.read(stranger) == DocumentFixture.oldContents)
  }
}
