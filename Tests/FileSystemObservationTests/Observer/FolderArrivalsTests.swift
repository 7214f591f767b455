import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Whoever asks is told once of each folder that arrives, when all that came with it is complete.
@Suite(.light) struct FolderArrivalsTests {
  private static let quiet = Duration.milliseconds(400)

  private let observed: ObservedFolder
  /// The changes that a listener gets who asks for folders.
  private let told: Recorder

  init() async throws {
    var configuration = FileSystemObserver.Configuration()
    configuration.quietPeriod = Self.quiet
    observed = try await ObservedFolder.begin(options: configuration) { folder in
      try folder.watched.makeDirectories("here/before")
      try folder.watched.write("here/a.txt")
    }
    await observed.observer.synchronize()
    told = Recorder(observed.observer, including: .folderArrivals)
  }

  private var root: Folder { observed.root }

  /// The folders that were announced as complete, in order, and what else was announced of them.
  private func complete(from mark: Int = 0) -> [String] {
    told.changes(from: mark).filter { $0.kind == .copyFinished && $0.item.kind == .directory }
      .map { observed.relative($0.path) }
  }

  @discardableResult
  private func awaitFolder(_ name: String, from mark: Int = 0) async throws -> FileSystemChange {
    let path = FilePath(root[name])
    return try await told.awaitChange("\(name) to be complete", from: mark) {
      $0.kind == .copyFinished && $0.item.kind == .directory && $0.path == path
    }
  }

  /// Awaits a folder that arrives last: those before it would have been announced by then.
  private func settle() async throws {
    try root.mkdir("last")
    try await awaitFolder("last")
    try root.rmdir("last")
  }

  /// Everything below a folder is announced, and complete, before the folder is.
  private func expectInOrder(_ folder: String, _ count: Int, _ location: SourceLocation = #_sourceLocation) {
    let prefix = FilePath(root[folder])
    let changes = told.changes().filter { $0.path.starts(with: prefix) && $0.kind == .copyFinished }
    let files = changes.filter { $0.item.kind == .file }
    #expect(files.count == count, sourceLocation: location)
    #expect(changes.last?.path == prefix, "\(changes.suffix(3))", sourceLocation: location)
    for (index, change) in changes.enumerated() where change.item.kind == .directory {
      #expect(
        !changes[index...].dropFirst().contains { $0.path.starts(with: change.path) }, "\(change)",
        sourceLocation: location)
    }
  }

  /// 200 files in 20 folders, two levels deep.
  private func makeTree(in folder: Folder, _ name: String) throws {
    for outer in 0..<4 {
      for inner in 0..<4 {
        try folder.makeDirectories("\(name)/\(outer)/\(inner)")
        for file in 0..<10 { try folder.write("\(name)/\(outer)/\(inner)/\(file).jpg") }
      }
      for file in 0..<10 { try folder.write("\(name)/\(outer)/\(file).jpg") }
    }
  }
}

// MARK: - Ways in which folders arrive

extension FolderArrivalsTests {
  @Test func aTreeIsCopied() async throws {
    try makeTree(in: observed.outside, "photos")
    try Command.run("cp", "-r", observed.outside["photos"], root["photos"])
    try await awaitFolder("photos")
    #expect(complete().count == 21 && Set(complete()).count == 21)
    expectInOrder("photos", 200)
    try await settle()
    #expect(complete().filter { $0 != "last" }.count == 21)
  }

  @Test func aTreeIsMovedIn() async throws {
    try makeTree(in: observed.outside, "photos")
    try root.rename(observed.outside["photos"], "photos")
    try await awaitFolder("photos")
    #expect(complete().count == 21 && Set(complete()).count == 21)
    expectInOrder("photos", 200)
  }

  @Test func anArchiveIsUnpacked() async throws {
    try makeTree(in: observed.outside, "photos")
    try Command.run("tar", "-C", observed.outside.path, "-cf", observed.outside["photos.tar"], "photos")
    try Command.run("tar", "-C", root.path, "-xf", observed.outside["photos.tar"])
    try await awaitFolder("photos")
    #expect(complete().count == 21 && Set(complete()).count == 21)
    expectInOrder("photos", 200)
  }

  @Test func anEmptyFolderIsMade() async throws {
    try root.mkdir("here/new")
    let change = try await awaitFolder("here/new")
    #expect(change.item.childCount == 0)
    #expect(complete() == ["here/new"])
    #expect(change.item == observed.observer[change.uuid])
  }

  @Test func twoFoldersArriveAtOnce() async throws {
    for name in ["x", "y"] { try makeTree(in: observed.outside, name) }
    async let first: Void = onThread { try Command.run("cp", "-r", observed.outside["x"], root["x"]) }
    async let second: Void = onThread { try Command.run("cp", "-r", observed.outside["y"], root["y"]) }
    _ = try await (first, second)
    for name in ["x", "y"] {
      try await awaitFolder(name)
      expectInOrder(name, 200)
    }
    #expect(complete().count == 42)
  }
}

// MARK: - When they are complete

extension FolderArrivalsTests {
  /// A program that copies with short pauses is one copy.
  @Test(.undisturbed) func aCopyWithShortPausesIsToldOnceAtItsEnd() async throws {
    try root.mkdir("slow")
    // On a thread of its own: other tests may keep all others waiting.
    try await onThread {
      for number in 0..<8 {
        try root.write("slow/\(number)")
        usleep(200_000)
      }
    }
    try await awaitFolder("slow")
    expectInOrder("slow", 8)
    try await settle()
    #expect(complete() == ["slow", "last"])
  }

  /// After a long pause the folder is complete, and what comes later is told for itself.
  @Test func aCopyThatGoesOnLaterIsNotToldAgain() async throws {
    try root.mkdir("slow")
    try root.write("slow/1")
    try await awaitFolder("slow")
    try root.mkdir("slow/sub")
    try root.write("slow/2")
    try await awaitFolder("slow/sub")
    try await settle()
    #expect(complete() == ["slow", "slow/sub", "last"])
  }

  /// A file that somebody still writes keeps its folder, and those above it, and no other.
  @Test func aFileThatIsWrittenForLongIsWaitedFor() async throws {
    try #require(Ability.detectsWriters)
    try root.makeDirectories("d/e/f")
    let file = try root.open("d/e/film.mp4", .create)
    try file.write("beginning")
    try await told.awaitChange("the copying") { $0.kind == .discovered && $0.item.isCopying }
    try await awaitFolder("d/e/f")
    try await settle()
    #expect(complete() == ["d/e/f", "last"])
    try file.write("end")
    file.close()
    try await awaitFolder("d")
    #expect(complete() == ["d/e/f", "last", "d/e", "d"])
    expectInOrder("d", 1)
  }

  /// A file that comes and goes without ever being told does not hold its folder for ever.
  @Test func aTemporaryFileDoesNotHoldTheFolder() async throws {
    try root.mkdir("d")
    let file = try root.open("d/x.tmp", .create)
    try file.write("beginning")
    try await told.awaitChange("d to be discovered") { $0.kind == .discovered && $0.item.kind == .directory }
    try root.unlink("d/x.tmp")
    file.close()
    try await awaitFolder("d")
    #expect(complete() == ["d"])
  }

  @Test func aFolderThatIsRenamedAndMovedIsToldAtItsNewPath() async throws {
    try root.makeDirectories("d/e")
    let file = try root.open("d/e/film.mp4", .create)
    try file.write("beginning")
    try await told.awaitChange("the copying") { $0.kind == .discovered && $0.item.isCopying }
    try root.rename("d", "f")
    try root.rename("f/e", "here/e")
    file.close()
    try await awaitFolder("here/e")
    try await awaitFolder("f")
    try await settle()
    #expect(Set(complete()) == ["here/e", "f", "last"])
  }

  @Test func aFolderThatIsRemovedIsForgotten() async throws {
    try root.makeDirectories("d/e")
    let file = try root.open("d/e/film.mp4", .create)
    try file.write("beginning")
    try await told.awaitChange("the copying") { $0.kind == .discovered && $0.item.isCopying }
    root.folder("d").removeTree()
    file.close()
    try await settle()
    #expect(complete() == ["last"])
  }
}

// MARK: - What has not arrived

extension FolderArrivalsTests {
  @Test func whatTheFirstScanFindsHasNotArrived() async throws {
    await observed.observer.stop()
    try await observed.observer.start()
    await observed.observer.synchronize()
    try root.rename("here/before", "before")
    try root.write("here/b.txt")
    try await settle()
    #expect(complete() == ["last"])
  }

  @Test func whatANewFilterAdmitsHasNotArrived() async throws {
    var configuration = observed.observer.configuration
    configuration.excludedPatterns = ["/other"]
    try observed.observer.reconfigure(configuration)
    try root.makeDirectories("other/inside")
    try await settle()
    configuration.excludedPatterns = []
    try observed.observer.reconfigure(configuration)
    await observed.observer.synchronize()
    #expect(observed.observer[FilePath(root["other/inside"])] != nil)
    try root.mkdir("other/new")
    try await awaitFolder("other/new")
    #expect(complete() == ["last", "other/new"])
  }

  @Test func whoeverDoesNotAskIsNotTold() async throws {
    let folder = try #require(observed.observer[FilePath(root["here"])]?.uuid)
    let part = Recorder(observed.observer, of: .subtree(folder), including: .folderArrivals)
    let mark = observed.recorder.position
    try root.mkdir("here/new")
    try root.mkdir("there")
    try await awaitFolder("there")
    await observed.observer.synchronize()
    #expect(observed.recorder.changes(from: mark).allSatisfy { $0.kind == .discovered })
    #expect(
      part.changes().map { "\($0.kind) \(observed.relative($0.path))" } == [
        "discovered here/new", "copyFinished here/new",
      ])
  }

  @Test func aTreeThatIsReplayedIsTheSame() async throws {
    let queue = try observed.observer.makeEventQueue(including: .folderArrivals)
    var tree = FileSystemTree(directory: observed.observer.directory)
    try makeTree(in: root, "photos")
    try await awaitFolder("photos")
    await observed.observer.synchronize()
    queue.drain { tree.apply($0) }
    #expect(tree == FileSystemTree(observed.observer.snapshot()))
  }
}
