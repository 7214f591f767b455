import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import Synchronization
import SystemPackage
import TestTraits
import Testing

/// An observed folder, and a queue that is looked at without any waiting.
struct OperationFixture {
  let observed: ObservedFolder
  let queue: FileSystemObserver.EventQueue
  var root: Folder { observed.root }
  var observer: FileSystemObserver { observed.observer }

  init(options: FileSystemObserver.Configuration = .init(), prepare: (TestFolder) throws -> Void) async throws {
    observed = try await ObservedFolder.begin(options: options, prepare: prepare)
    queue = try observed.observer.makeEventQueue(startingWith: .now)
  }

  /// A folder `d`, and two documents, `letter` and `other`, that say what they are.
  static func ofDocuments() async throws -> OperationFixture {
    let fixture = try await OperationFixture { folder in
      try folder.watched.mkdir("d")
      for name in ["letter", "other"] { try folder.watched.write(name, "of \(name)") }
    }
    _ = fixture.told()
    return fixture
  }

  func path(_ name: String) -> FilePath { FilePath(root[name]) }

  /// A folder `d`, and files with these names.
  static func ofFiles(_ names: String...) async throws -> OperationFixture {
    let fixture = try await OperationFixture { folder in
      try folder.watched.mkdir("d")
      for name in names { try folder.watched.write(name) }
    }
    _ = fixture.told()
    return fixture
  }

  /// The names in the folder, in order.
  func names() throws -> [String] { try Directory.list(root.path).map(\.name).sorted() }

  /// Calls the synchronous operations, also in an asynchronous test.
  @discardableResult
  func now<Result>(_ body: (FileSystemObserver) throws -> Result) rethrows -> Result { try body(observer) }

  /// The changes that wait in the queue, with a mark at those of this process.
  func told() -> [String] {
    var lines: [String] = []
    queue.drain { event in
      guard case .didChange(let changes) = event else { return }
      lines += changes.map { ($0.origin == .thisProcess ? "own " : "") + observed.describe($0) }
    }
    return lines.filter { !$0.contains("cookie-") }
  }
}

/// The operations of an observer, on real files: announced as this process's before they return.
@Suite(.light, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct OperationTests {
  private func begin() async throws -> OperationFixture {
    let fixture = try await OperationFixture { folder in
      for name in ["d", "d/e"] { try folder.watched.mkdir(name) }
      for name in ["a.txt", "b.txt", "d/e/c.txt"] { try folder.watched.write(name) }
    }
    _ = fixture.told()
    return fixture
  }

  /// Checks that nothing is announced later, and that the announcements give what is on the disk.
  private func expectQuiet(_ fixture: OperationFixture) async throws {
    try await fixture.observed.expectAgreement()
    #expect(fixture.told() == [])
  }

  @Test func aMoveKeepsTheIdentity() async throws {
    let fixture = try await begin()
    let uuid = try fixture.observed.uuid("a.txt")
    let operation = try fixture.now { try $0.moveItem(at: fixture.path("a.txt"), to: fixture.path("d/moved.txt")) }
    #expect(fixture.told() == ["own moved a.txt -> d/moved.txt"])
    #expect(operation.item.uuid == uuid)
    #expect(operation.item.path == fixture.path("d/moved.txt"))
    #expect(operation.item.parent == (try fixture.observed.uuid("d")))
    #expect(operation.version == (try fixture.observer.version(ofItemAt: fixture.path("d/moved.txt"))))
    try await expectQuiet(fixture)
  }

  @Test func aMoveOverwritesOnlyIfToldTo() async throws {
    let fixture = try await begin()
    let error = #expect(throws: FileSystemObserverError.self) {
      try fixture.now { try $0.moveItem(at: fixture.path("a.txt"), to: fixture.path("b.txt")) }
    }
    #expect(error?.errno == .fileExists)
    #expect(fixture.told() == [])
    try fixture.now { try $0.moveItem(at: fixture.path("a.txt"), to: fixture.path("b.txt"), overwriting: true) }
    #expect(Set(fixture.told()) == ["own deleted(replaced) b.txt", "own renamed a.txt -> b.txt"])
    try await expectQuiet(fixture)
  }

  @Test func aRename() async throws {
    let fixture = try await begin()
    try fixture.now { try $0.renameItem(at: fixture.path("d"), to: "folder") }
    #expect(fixture.told() == ["own renamed d -> folder"])
    for name in ["", ".", "..", "a/b"] {
      let error = #expect(throws: FileSystemObserverError.self) {
        try fixture.now { try $0.renameItem(at: fixture.path("a.txt"), to: name) }
      }
      #expect(error?.code == .invalidArgument)
    }
    try await expectQuiet(fixture)
  }

  @Test func aRemoval() async throws {
    let fixture = try await begin()
    let uuid = try fixture.observed.uuid("a.txt")
    let operation = try fixture.now { try $0.removeItem(at: fixture.path("a.txt")) }
    #expect(operation.item.uuid == uuid)
    #expect(fixture.told() == ["own deleted(removed) a.txt"])
    try fixture.now { try $0.removeItem(at: fixture.path("d")) }
    #expect(
      fixture.told() == ["own deleted(removed) d/e/c.txt", "own deleted(removed) d/e", "own deleted(removed) d"])
    #expect(try fixture.names() == ["b.txt"])
    try await expectQuiet(fixture)
  }

  @Test func aNewFileAndANewFolder() async throws {
    let fixture = try await begin()
    let file = try fixture.now { try $0.createFile(at: fixture.path("new.txt"), contents: Array("new".utf8)) }
    #expect(fixture.told() == ["own discovered new.txt", "own copyFinished new.txt"])
    #expect(file.item.size == 3)
    #expect(try fixture.root.tag("new.txt") == file.item.uuid)
    let folder = try fixture.now {
      try $0.createDirectory(at: fixture.path("x/y/z"), withIntermediateDirectories: true)
    }
    #expect(folder.item.path == fixture.path("x/y/z"))
    #expect(fixture.told() == ["own discovered x", "own discovered x/y", "own discovered x/y/z"])
    let error = #expect(throws: FileSystemObserverError.self) {
      try fixture.now { try $0.createFile(at: fixture.path("new.txt")) }
    }
    #expect(error?.errno == .fileExists)
    try await expectQuiet(fixture)
  }

  @Test func aCopyOfAFolder() async throws {
    let fixture = try await begin()
    let counts = Mutex<[Int]>([])
    let control = FileSystemObserver.OperationControl(progress: { progress in
      counts.withLock { $0.append(progress.items) }
    })
    let operation = try fixture.now {
      try $0.duplicateItem(
        at: fixture.path("d"), to: fixture.path("copy"), control: control)
    }
    #expect(
      fixture.told() == [
        "own duplicated d => copy", "own duplicated d/e => copy/e", "own duplicated d/e/c.txt => copy/e/c.txt",
        "own copyFinished copy/e/c.txt",
      ])
    #expect(operation.item.childCount == 1)
    #expect(operation.item.uuid == (try fixture.observed.uuid("copy")))
    #expect(counts.withLock { $0.last } == 3)
    try await expectQuiet(fixture)
  }

  @Test func aCancelledCopyLeavesNothing() async throws {
    let fixture = try await begin()
    let error = #expect(throws: FileSystemObserverError.self) {
      try fixture.now {
        try $0.duplicateItem(
          at: fixture.path("d"), to: fixture.path("copy"),
          control: FileSystemObserver.OperationControl(isCancelled: { true }))
      }
    }
    #expect(error?.code == .cancelled)
    #expect(try fixture.names() == ["a.txt", "b.txt", "d"])
    let observer = fixture.observer
    let (source, destination) = (fixture.path("d"), fixture.path("copy"))
    let task = Task {
      // The task cancels itself, so that it is cancelled before the copy begins.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await observer.duplicateItem(at: source, to: destination)
    }
    let result = await task.result
    #expect(throws: FileSystemObserverError.self) { try result.get() }
    try await expectQuiet(fixture)
  }

  @Test func aSaveWithAVersion() async throws {
    let fixture = try await begin()
    let path = fixture.path("a.txt")
    let uuid = try fixture.observed.uuid("a.txt")
    let version = try fixture.observer.version(ofItemAt: path)
    let operation = try fixture.now { try $0.replaceContents(of: path, with: "ours".utf8, ifUnchangedSince: version) }
    #expect(fixture.told() == ["own modified a.txt"])
    #expect(operation.item.size == 4 && operation.item.uuid == uuid)
    #expect(operation.version == (try fixture.observer.version(ofItemAt: path)))
    let error = #expect(throws: FileSystemObserverError.self) {
      try fixture.now { try $0.replaceContents(of: path, with: "again".utf8, ifUnchangedSince: version) }
    }
    #expect(error?.code == .contentsChanged)
    #expect(fixture.told() == [])
    try fixture.now {
      try $0.replaceContents(of: path, ifUnchangedSince: operation.version) { writer in
        try writer.write("piece ".utf8)
        try writer.write("by piece".utf8)
      }
    }
    #expect(fixture.told() == ["own modified a.txt"])
    #expect(fixture.observer[uuid]?.size == 14)
    try await expectQuiet(fixture)
  }

  @Test func whatIsMovedInAndOut() async throws {
    let fixture = try await begin()
    let outside = FilePath(fixture.observed.outside["a.txt"])
    let uuid = try fixture.observed.uuid("a.txt")
    try fixture.now { try $0.moveItem(at: fixture.path("a.txt"), to: outside) }
    #expect(fixture.told() == ["own deleted(movedOut) a.txt"])
    let back = try fixture.now { try $0.moveItem(at: outside, to: fixture.path("back.txt")) }
    #expect(fixture.told() == ["own discovered(returned) back.txt", "own copyFinished back.txt"])
    #expect(back.item.uuid == uuid)
    try await expectQuiet(fixture)
  }

  @Test func withoutARunningObserver() async throws {
    let fixture = try await begin()
    let uuid = try fixture.observed.uuid("a.txt")
    await fixture.observer.stop()
    let operation = try fixture.now { try $0.moveItem(at: fixture.path("a.txt"), to: fixture.path("moved.txt")) }
    #expect(operation.item.uuid == uuid && operation.item.name == "moved.txt")
    #expect(operation.cursor == nil)
    #expect(try fixture.root.tag("moved.txt") == uuid)
  }

  @Test func fromABlockAndFromATask() async throws {
    let fixture = try await begin()
    let (first, second, third) = (fixture.path("a.txt"), fixture.path("a2.txt"), fixture.path("a3.txt"))
    let token = fixture.observer.addNotificationBlock { observer, event in
      guard case .didChange(let changes) = event, changes.contains(where: { $0.path == second }) else { return }
      #expect(throws: Never.self) { try observer.moveItem(at: second, to: third) }
    }
    try await fixture.observer.moveItem(at: first, to: second)
    try await fixture.observed.recorder.awaitChange("the move of the block") { $0.path == third }
    withExtendedLifetime(token) {}
    #expect(fixture.told() == ["own renamed a.txt -> a2.txt", "own renamed a2.txt -> a3.txt"])
    try await expectQuiet(fixture)
  }

  @Test func aSymbolicLinkIsNotFollowed() async throws {
    let fixture = try await begin()
    try fixture.root.symlink("a.txt", "link")
    try await fixture.observed.settle()
    _ = fixture.told()
    try fixture.now { try $0.moveItem(at: fixture.path("link"), to: fixture.path("link2")) }
    #expect(fixture.told() == ["own renamed link -> link2"])
    let error = #expect(throws: FileSystemObserverError.self) {
      try fixture.now { try $0.replaceContents(of: fixture.path("link2"), with: "x".utf8) }
    }
    #expect(error?.code == .notAFile)
    try fixture.now { try $0.removeItem(at: fixture.path("link2")) }
    #expect(fixture.told() == ["own deleted(removed) link2"])
    #expect(fixture.root.exists("a.txt"))
    try await expectQuiet(fixture)
  }
}
