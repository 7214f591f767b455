import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Operations of several tasks at the same time, by UUID, each on documents of its own.
@Suite(.busy, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
struct ConcurrentOperationsTests {
  private static let seeds = UInt64(1)...(Environment["FSO_LIST_SEEDS"].flatMap { UInt64($0) } ?? 2)
  private static let folders = ["app", "other", "still"]
  private static let tasks = 0..<4
  private static let rounds = 0..<20

  private func begin(_ source: TestSource) async throws -> OperationFixture {
    try await OperationFixture(options: source.applied(to: .init())) { folder in
      for name in Self.folders {
        try folder.watched.mkdir(name)
        for task in Self.tasks { try folder.watched.write("\(name)/\(task)", "0") }
      }
    }
  }

  private func workers(_ fixture: OperationFixture, seed: UInt64) throws -> [Worker] {
    try Self.tasks.map { task in
      Worker(
        observer: fixture.observer, root: FilePath(fixture.root.path), number: task,
        random: SplitMix64(seed: seed &* 100 &+ UInt64(task)),
        documents: try Self.folders.map { .init(uuid: try fixture.observed.uuid("\($0)/\(task)")) })
    }
  }

  /// None of them fails, though the folders of the documents are renamed all the time, one by the app and one by another
  /// program, and each is announced as the app's.
  @Test(.undisturbed, arguments: TestSource.toTest, seeds)
  func noneFailsBecauseOfOthers(_ source: TestSource, _ seed: UInt64) async throws {
    let fixture = try await begin(source)
    let workers = try workers(fixture, seed: seed)
    let (observer, root, folder) = (fixture.observer, fixture.root, try fixture.observed.uuid("app"))
    let documents = try await withThrowingTaskGroup { group in
      for var worker in workers {
        group.addTask {
          for _ in Self.rounds { try await worker.act() }
          return worker.documents
        }
      }
      group.addTask {
        for number in Self.rounds { try await observer.renameItem(with: folder, to: "app \(number)") }
        return []
      }
      group.addTask {
        var name = "other"
        for number in Self.rounds {
          try root.rename(name, "other \(number)")
          name = "other \(number)"
        }
        return []
      }
      return try await group.reduce(into: [Worker.Document]()) { $0 += $1 }
    }
    try await expectContents(of: documents, fixture)
    let others = fixture.observed.changes(from: 0).filter { $0.origin == .other && $0.kind != .renamed }
    // Who looks again and again may find a save a second time, and take it for another's.
    if source != .polling { #expect(others.map(fixture.observed.describe) == []) }
  }

  private func expectContents(of documents: [Worker.Document], _ fixture: OperationFixture) async throws {
    for document in documents {
      let path = try #require(fixture.observer.path(forItemWith: document.uuid))
      #expect(String(decoding: try PlainFiles.read(path), as: UTF8.self) == "\(document.saves)")
    }
    try await fixture.observed.expectAgreement()
  }
}

/// A task of an app, which works on its documents.
private struct Worker {
  struct Document {
    let uuid: UUID
    /// The number in its contents.
    var saves = 0
  }

  let observer: FileSystemObserver
  let root: FilePath
  let number: Int
  var random: SplitMix64
  var documents: [Document]
  private var serial = 0

  init(observer: FileSystemObserver, root: FilePath, number: Int, random: SplitMix64, documents: [Document]) {
    (self.observer, self.root, self.number) = (observer, root, number)
    (self.random, self.documents) = (random, documents)
  }

  private static let actions = ["rename", "move", "save", "copy", "trash", "create"]

  mutating func act() async throws {
    guard let index = documents.indices.randomElement(using: &random) else { return }
    let uuid = documents[index].uuid
    switch Self.actions.randomElement(using: &random) {
    case "rename": #expect(try await observer.renameItem(with: uuid, to: name()).uuid == uuid)
    case "move": #expect(try await observer.moveItem(with: uuid, to: place()).uuid == uuid)
    case "save":
      documents[index].saves += 1
      #expect(try await observer.replaceContents(ofItemWith: uuid, with: "\(documents[index].saves)".utf8).uuid == uuid)
    case "copy":
      let copy = try await observer.duplicateItem(with: uuid)
      #expect(copy.original == uuid && copy.uuid != uuid)
      try await observer.removeItem(with: copy.uuid)
    case "trash":
      let trashed = try await observer.trashItem(with: uuid, allowingHomeTrash: true)
      #expect(trashed.uuid == uuid)
      let item = try #require(trashed.trashedItem)
      #expect(try await observer.restoreItem(item, to: place()).uuid == uuid)
    default:
      let path = root.appending("new/\(name())/\(name())")
      try await observer.createDirectory(at: path, withIntermediateDirectories: true)
      documents.append(Document(uuid: try await observer.createFile(at: path.appending("d"), contents: "0".utf8).uuid))
    }
  }

  private mutating func name() -> String {
    serial += 1
    return "\(number)-\(serial)"
  }

  private mutating func place() -> FilePath {
    root.appending(random.chance(1, of: 2) ? "still" : "").appending(name() + ".moved")
  }
}
