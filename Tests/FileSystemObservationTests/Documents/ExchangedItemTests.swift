import Dispatch
import FileIdentity
import FileTestSupport
import LinuxFileSystem
import ObservationTestSupport
import Synchronization
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Another program exchanges the expected item with another all the time, also between an operation's last look and its
/// effect.
@Suite(.busy, .enabled(if: Ability.exchange.isPossible, "names cannot be exchanged here"))
struct ExchangedItemTests {
  typealias Call = @Sendable (DocumentOperations, ScratchFolder) throws -> FilePath?

  /// Each returns where the expected item is afterwards.
  private static let calls: [(String, Call)] = [
    (
      "remove",
      { operations, folder in
        _ = try operations.remove(folder.path("a"))
        return nil
      }
    ),
    (
      "move",
      { operations, folder in
        _ = try operations.move(folder.path("a"), to: folder.path("moved"))
        return folder.path("moved")
      }
    ),
    (
      "replace",
      { operations, folder in
        try PlainFiles.write([], to: folder.path("there"))
        _ = try operations.move(folder.path("a"), to: folder.path("there"), overwrites: true)
        return folder.path("there")
      }
    ),
    (
      "trash",
      { operations, folder in
        try operations.trash(folder.path("a"), places: TrashPlaces(home: folder.path("home"))).trashedItem?.path
      }
    ),
  ]
  private static let uuids = [UUIDBits(high: 4, low: 1), UUIDBits(high: 4, low: 2)]
  private static let rounds = 25

  @Test(arguments: calls.indices) func anotherFileIsLeftAlone(_ index: Int) throws {
    try expectOtherLeftAlone(rounds: Self.rounds, Self.calls[index].1) { path, uuid in
      try PlainFiles.write(Array("\(uuid)".utf8), to: path)
    }
  }

  @Test(arguments: calls.indices.filter { calls[$0].0 != "replace" })
  func anotherFolderIsLeftAlone(_ index: Int) throws {
    try expectOtherLeftAlone(rounds: Self.rounds, Self.calls[index].1) { path, uuid in
      try PlainFiles.makeFolder(at: path)
      try PlainFiles.write(Array("\(uuid)".utf8), to: path.appending("text"))
    }
  }

  @Test func anotherFolderIsNotReplaced() throws {
    let replace: Call = { operations, folder in
      _ = try operations.replaceContents(ofFolder: folder.path("a"), uuid: nil) { path in
        try PlainFiles.write(Array("new".utf8), to: path.appending("text"))
      }
      return nil
    }
    try expectOtherLeftAlone(rounds: Self.rounds, replace) { path, uuid in
      try PlainFiles.makeFolder(at: path)
      try PlainFiles.write(Array("\(uuid)".utf8), to: path.appending("text"))
    }
  }

  /// A rename gives an item another inode number on some file systems: its tag tells that it is the same.
  @Test func anItemWithAnotherInodeNumberIsKnownByItsTag() throws {
    let fixture = try DocumentFixture()
    let place = try DocumentPlace(fixture.path, for: .remove(fixture.path))
    var former = try place.status()
    former.inode += 1
    for (uuid, isSame) in [(DocumentFixture.uuid, true), (Self.uuids[0], false)] {
      let expected = ExpectedItem(uuid: uuid, key: FileKey(former))
      // That of an expected item counts: the other one may have been read when another item had the name.
      let expecting = DocumentOperations(tag: FileTag(), expecting: expected)
      for (operations, known) in [(DocumentOperations(tag: FileTag()), uuid), (expecting, Self.uuids[1])] {
        let item = OperationOutcome.Item(status: former, uuid: known, isTagged: true)
        if isSame {
          #expect(throws: Never.self) { try operations.requireSame(item, at: place) }
        } else {
          #expect(throws: Errno.staleNFSFileHandle) { try operations.requireSame(item, at: place) }
        }
      }
    }
  }

  /// Calls an operation with the first of two items while they are exchanged.
  private func expectOtherLeftAlone(
    rounds: Int, _ call: Call, _ make: (FilePath, UUIDBits) throws -> Void
  ) throws {
    for _ in 0..<rounds {
      let folder = try ScratchFolder()
      let places = [folder.path("a"), folder.path("b")]
      for (path, uuid) in zip(places, Self.uuids) {
        try make(path, uuid)
        try PlainFiles.setAttribute(FileTag.defaultName, of: path, to: Array(uuid.description.utf8))
      }
      let key = FileKey(try FileStatus.of(path: places[0], followingLink: false))
      let operations = DocumentOperations(tag: FileTag(), expecting: ExpectedItem(uuid: Self.uuids[0], key: key))
      let result = try whileExchanging(places) { Result { try call(operations, folder) } }
      if case .success(let path?) = result { #expect(try text(at: path) == "\(Self.uuids[0])") }
      try expectNothingLost(places, in: folder, result)
    }
  }

  /// The other item is there in any case, and after an error the expected one, too.
  ///
  /// Who moves a new folder away in the middle finds one of the others under the hidden name that the error has.
  private func expectNothingLost(
    _ places: [FilePath], in folder: ScratchFolder, _ result: Result<FilePath?, any Error>
  ) throws {
    let hidden = folder.names().filter { $0.hasPrefix(".fsobserver-") }
    let left = try (places + hidden.map { folder.path($0) }).compactMap { try text(at: $0) }
    #expect(left.contains("\(Self.uuids[1])"), "\(result), \(folder.names())")
    guard case .failure(let error) = result else { return #expect(hidden == []) }
    #expect(left.contains("\(Self.uuids[0])"), "\(error), \(folder.names())")
    for name in hidden { #expect("\(error)".contains(name) && name.hasSuffix(".save"), "\(error)") }
  }

  private func text(at path: FilePath) throws -> String? {
    guard let status = try? FileStatus.of(path: path, followingLink: false) else { return nil }
    let file = status.kind == .directory ? path.appending("text") : path
    return String(decoding: try PlainFiles.read(file), as: UTF8.self)
  }

  private func whileExchanging<Success>(_ places: [FilePath], _ body: () -> Success) throws -> Success {
    let isOver = Atomic(false)
    let hasStarted = DispatchSemaphore(value: 0)
    let directory = try OwnedDescriptor.openDirectory(at: places[0].removingLastComponent(), for: .search)
    let names = try places.map { FileName(try #require($0.lastComponent)) }
    let other = try NativeThread(name: "other") {
      while !isOver.load(ordering: .acquiring) {
        names[0].withView { first in
          names[1].withView { second in
            try? DirectoryChange.exchange(first, in: directory, with: second, in: directory)
          }
        }
        hasStarted.signal()
      }
    }
    hasStarted.wait()
    defer { other.join() }
    defer { isOver.store(true, ordering: .releasing) }
    return body()
  }
}
