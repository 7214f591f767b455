import FileSystemObservation
import FileTestSupport
import Foundation
import ObservationCompatibility
import SystemPackage
import Testing

/// The seven events of one object, on real files.
@Suite(.timeLimit(.minutes(10))) struct FileSystemObjectMonitorTests {
  private let folder: ScratchFolder
  private let log = Log<String>()
  private let queue = OperationQueue()

  init() throws {
    folder = try ScratchFolder()
    queue.maxConcurrentOperationCount = 1
    try PlainFiles.write("12345".utf8, to: folder.path("a.txt"))
  }

  private static func url(_ path: FilePath) -> URL { URL(filePath: path.string) }

  /// An event in two words.
  private static func words(_ event: FileSystemObjectMonitor.Event) -> String {
    switch event {
    case .accessWasRevoked(let url): "revoked \(url.lastPathComponent)"
    case .dataDidChange(let url): "data \(url.lastPathComponent)"
    case .linkCountDidChange(let url): "links \(url.lastPathComponent)"
    case .metadataDidChange(let url): "metadata \(url.lastPathComponent)"
    case .sizeDidChange(let url): "size \(url.lastPathComponent)"
    case .wasDeleted(let url): "deleted \(url.lastPathComponent)"
    case .wasRenamed(let old, let new): "renamed \(old.lastPathComponent) \(new.lastPathComponent)"
    @unknown default: "other"
    }
  }

  private func monitor(
    _ name: String, _ options: FileSystemObjectMonitor.Options = .all
  ) -> FileSystemObjectMonitor {
    let monitor = FileSystemObjectMonitor(
      fileURL: Self.url(folder.path(name)), options: options, queue: queue
    ) { [log] event in log.append(Self.words(event)) }
    monitor.startMonitoring()
    #expect(monitor.failure == nil)
    return monitor
  }

  private func write(_ text: String, to name: String) throws { try PlainFiles.write(text.utf8, to: folder.path(name)) }
}

// MARK: - Events

extension FileSystemObjectMonitorTests {
  @Test func whatIsWrittenChangesDataAndPerhapsSize() async throws {
    let monitor = monitor("a.txt")
    try write("54321", to: "a.txt")
    #expect(await log.gets("data a.txt"))
    #expect(log.entries == ["data a.txt"])
    try write("1234567", to: "a.txt")
    #expect(await log.gets("size a.txt"))
    #expect(log.entries == ["data a.txt", "data a.txt", "size a.txt"])
    monitor.stopMonitoring()
  }

  @Test func permissionsAndAttributesAreMetadata() async throws {
    let monitor = monitor("a.txt")
    try PlainFiles.setPermissions(0o600, of: folder.path("a.txt"))
    #expect(await log.gets("metadata a.txt"))
    try PlainFiles.setAttribute("user.xdg.tags", of: folder.path("a.txt"), to: Array("holiday".utf8))
    #expect(await log.become { $0 == ["metadata a.txt", "metadata a.txt"] })
    monitor.stopMonitoring()
  }

  @Test func aFurtherNameCounts() async throws {
    let monitor = monitor("a.txt")
    try PlainFiles.makeLink(at: folder.path("b.txt"), to: folder.path("a.txt"))
    #expect(await log.gets("links a.txt"))
    try PlainFiles.remove(folder.path("b.txt"))
    #expect(await log.become { $0 == ["links a.txt", "links a.txt"] })
    #expect(monitor.fileURL.lastPathComponent == "a.txt")
  }

  @Test func aRenameIsFollowed() async throws {
    let monitor = monitor("a.txt")
    try PlainFiles.rename(folder.path("a.txt"), to: folder.path("b.txt"))
    #expect(await log.gets("renamed a.txt b.txt"))
    #expect(monitor.fileURL == Self.url(folder.path("b.txt")))
    try write("longer than before", to: "b.txt")
    #expect(await log.gets("size b.txt"))
    #expect(log.entries == ["renamed a.txt b.txt", "data b.txt", "size b.txt"])
  }

  /// An editor writes a new file and renames it over the document.
  @Test func anAtomicSaveChangesDataAndIsFollowed() async throws {
    let monitor = monitor("a.txt")
    for text in ["first version", "second"] {
      try write(text, to: ".a.txt.swp")
      try PlainFiles.rename(folder.path(".a.txt.swp"), to: folder.path("a.txt"))
      let count = log.entries.count
      #expect(await log.become { $0.count == count + 2 })
    }
    try PlainFiles.rename(folder.path("a.txt"), to: folder.path("b.txt"))
    #expect(await log.gets("renamed a.txt b.txt"))
    #expect(
      log.entries == ["data a.txt", "size a.txt", "data a.txt", "size a.txt", "renamed a.txt b.txt"])
    #expect(monitor.fileURL.lastPathComponent == "b.txt")
  }

  @Test func aRemovalIsADeletionAndNothingElse() async throws {
    let monitor = monitor("a.txt")
    try PlainFiles.remove(folder.path("a.txt"))
    #expect(await log.gets("deleted a.txt"))
    #expect(log.entries == ["deleted a.txt"])
    monitor.stopMonitoring()
  }

  @Test func whatLeavesTheFolderIsDeletedAndMayComeBack() async throws {
    let elsewhere = try ScratchFolder()
    let monitor = monitor("a.txt")
    try PlainFiles.rename(folder.path("a.txt"), to: elsewhere.path("a.txt"))
    #expect(await log.gets("deleted a.txt"))
    try PlainFiles.rename(elsewhere.path("a.txt"), to: folder.path("b.txt"))
    #expect(await log.gets("data b.txt"))
    #expect(monitor.fileURL.lastPathComponent == "b.txt")
  }

  @Test func aFolderTellsOfItsEntries() async throws {
    try PlainFiles.makeFolder(at: folder.path("d"))
    let monitor = monitor("d")
    try write("text", to: "d/x.txt")
    #expect(await log.gets("data d"))
    #expect(log.entries == ["data d"])
    try PlainFiles.makeFolder(at: folder.path("d/e"))
    #expect(await log.gets("links d"))
    try PlainFiles.rename(folder.path("d"), to: folder.path("f"))
    #expect(await log.gets("renamed d f"))
    try PlainFiles.removeFolder(folder.path("f/e"))
    #expect(await log.gets("links f"))
    try PlainFiles.setPermissions(0o700, of: folder.path("f"))
    #expect(await log.gets("metadata f"))
    monitor.stopMonitoring()
  }

  @Test func aLinkIsAnObjectOfItsOwn() async throws {
    try PlainFiles.makeSymlink(at: folder.path("l"), to: "a.txt")
    let monitor = monitor("l")
    try write("longer than before", to: "a.txt")
    try PlainFiles.rename(folder.path("l"), to: folder.path("m"))
    #expect(await log.gets("renamed l m"))
    try PlainFiles.remove(folder.path("m"))
    #expect(await log.gets("deleted m"))
    #expect(log.entries == ["renamed l m", "deleted m"])
    monitor.stopMonitoring()
  }

  /// A hidden folder, and a hidden object.
  @Test func whatIsHiddenIsMonitored() async throws {
    try write("1", to: ".profile")
    let monitor = monitor(".profile")
    try write("12", to: ".profile")
    #expect(await log.gets("size .profile"))
    monitor.stopMonitoring()
  }
}

// MARK: - Monitors

extension FileSystemObjectMonitorTests {
  @Test func eachOptionIsOneBit() {
    let options: [FileSystemObjectMonitor.Options] = [
      .accessWasRevoked, .dataDidChange, .linkCountDidChange, .metadataDidChange, .sizeDidChange, .wasDeleted,
      .wasRenamed,
    ]
    #expect(Set(options.map(\.rawValue)).count == 7)
    #expect(options.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
    #expect(FileSystemObjectMonitor.Options(options) == .all)
  }

  /// A rename is no deletion, whatever the original said.
  @Test func onlyTheOptionsAreAnnounced() async throws {
    let (deletions, renames) = (monitor("a.txt", [.wasDeleted]), monitor("a.txt", [.wasRenamed]))
    try write("longer than before", to: "a.txt")
    try PlainFiles.rename(folder.path("a.txt"), to: folder.path("b.txt"))
    // A file that is removed before its rename is announced has been deleted under its former name.
    #expect(await log.gets("renamed a.txt b.txt"))
    try PlainFiles.remove(folder.path("b.txt"))
    #expect(await log.gets("deleted b.txt"))
    #expect(log.entries == ["renamed a.txt b.txt", "deleted b.txt"])
    for monitor in [deletions, renames] { monitor.stopMonitoring() }
  }

  @Test func severalMonitorsOfOneFolderAreToldOfTheirOwn() async throws {
    try write("1", to: "b.txt")
    let monitors = [monitor("a.txt"), monitor("b.txt"), monitor("b.txt")]
    monitors[2].stopMonitoring()
    try write("12", to: "b.txt")
    #expect(await log.gets("size b.txt"))
    try write("1234", to: "a.txt")
    #expect(await log.gets("size a.txt"))
    #expect(log.entries == ["data b.txt", "size b.txt", "data a.txt", "size a.txt"])
    withExtendedLifetime(monitors) {}
  }

  @Test func aStoppedMonitorGoesOnWhenItIsStarted() async throws {
    let monitor = monitor("a.txt")
    try PlainFiles.rename(folder.path("a.txt"), to: folder.path("b.txt"))
    #expect(await log.gets("renamed a.txt b.txt"))
    monitor.stopMonitoring()
    try write("not told", to: "b.txt")
    monitor.startMonitoring()
    #expect(monitor.failure == nil && monitor.fileURL.lastPathComponent == "b.txt")
    try PlainFiles.remove(folder.path("b.txt"))
    #expect(await log.gets("deleted b.txt"))
  }

  @Test func theFolderIsFollowed() async throws {
    try PlainFiles.makeFolder(at: folder.path("d"))
    try write("1", to: "d/x.txt")
    let monitor = monitor("d/x.txt")
    try PlainFiles.rename(folder.path("d"), to: folder.path("e"))
    try write("12", to: "e/x.txt")
    #expect(await log.gets("size x.txt"))
    #expect(monitor.fileURL == Self.url(folder.path("e/x.txt")))
    #expect(log.entries == ["data x.txt", "size x.txt"])
  }

  /// As by `rm -r`.
  @Test func theFolderIsRemoved() async throws {
    try PlainFiles.makeFolder(at: folder.path("d"))
    try write("1", to: "d/x.txt")
    let monitor = monitor("d/x.txt")
    try FileManager.default.removeItem(atPath: folder.path("d").string)
    #expect(await log.gets("deleted x.txt"))
    #expect(log.entries == ["deleted x.txt"])
    monitor.stopMonitoring()
  }

  @Test func whatIsMissingIsAFailure() {
    for (name, code) in [("missing", FileSystemObserverError.Code.fileOperationFailed), ("no/a", .rootNotFound)] {
      let monitor = FileSystemObjectMonitor(fileURL: Self.url(folder.path(name))) { _ in }
      monitor.startMonitoring()
      #expect(monitor.isMonitoring && monitor.failure?.code == code)
    }
  }

  @Test func nothingIsWritten() async throws {
    let monitor = monitor("a.txt")
    try write("1234567", to: "a.txt")
    #expect(await log.gets("size a.txt"))
    let tag = FileSystemObserver.Configuration().tagName
    #expect(try PlainFiles.attribute(tag, of: folder.path("a.txt")) == nil)
    #expect(try PlainFiles.attribute(tag, of: folder.path) == nil)
    monitor.stopMonitoring()
  }

  @Test func theHandlerRunsOnTheMainQueueByDefault() async throws {
    let threads = Log<Bool>()
    let monitor = FileSystemObjectMonitor(fileURL: Self.url(folder.path("a.txt"))) { _ in
      threads.append(OperationQueue.current == .main)
    }
    monitor.startMonitoring()
    try PlainFiles.remove(folder.path("a.txt"))
    #expect(await threads.gets(true))
    #expect(threads.entries == [true])
    monitor.stopMonitoring()
  }
}
