import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// An observer that waits for its directory, and is started while there is none.
@Suite(.light) struct StartWhileAwayTests {
  private let folder: TestFolder
  private let observer: FileSystemObserver
  private let recorder: Recorder

  init() throws {
    folder = try TestFolder()
    var configuration = FileSystemObserver.Configuration(directory: FilePath(folder.watched["share/library"]))
    configuration.rootLossPolicy = .waitForReturn
    observer = FileSystemObserver(configuration)
    recorder = Recorder(observer)
  }

  private func awaitReport() async throws {
    try await recorder.await("the diagnostic") {
      if case .diagnostic(let diagnostic) = $0 { diagnostic.code == .rootLost } else { false }
    }
  }

  @Test func observationBeginsWhenTheDirectoryIsThere() async throws {
    try await observer.start()
    try await awaitReport()
    #expect(observer.isRunning)
    let error = #expect(throws: FileSystemObserverError.self) { try observer.start() }
    #expect(error?.code == .alreadyRunning)
    await observer.synchronize()
    #expect(observer.snapshot().isEmpty)
    try folder.watched.makeDirectories("new/library")
    try folder.watched.write("new/library/a.txt")
    try folder.watched.rename("new", "share")
    try await recorder.awaitScan()
    #expect(observer.snapshot().map(\.relativePath.string) == ["a.txt"])
    let mark = recorder.position
    try folder.watched.rename("share/library/a.txt", "share/library/b.txt")
    await observer.synchronize()
    #expect(recorder.changes(from: mark).map(\.kind) == [.renamed])
    await observer.stop()
  }

  /// Whoever listens only after the start is told, too.
  @Test func aListenerThatComesLaterIsTold() async throws {
    try await observer.start()
    var iterator = observer.events(startingWith: .now).makeAsyncIterator()
    let event = try await iterator.next()
    guard case .diagnostic(let diagnostic) = event else { return #expect(Bool(false), "\(String(describing: event))") }
    #expect(diagnostic.code == .rootLost && diagnostic.path == observer.directory)
    await observer.stop()
    let last = try await iterator.next()
    #expect(last == nil)
  }

  /// An app that believed that the document was deleted would close its window.
  @Test func anOperationOnAnItemSaysThatTheDirectoryIsAway() async throws {
    func code() async -> FileSystemObserverError.Code? {
      do throws(FileSystemObserverError) {
        try await observer.renameItem(with: UUID(), to: "b.txt")
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await code() == .notRunning)
    try await observer.start()
    #expect(await code() == .rootLost)
    try folder.watched.makeDirectories("share/library")
    try await recorder.awaitScan()
    #expect(await code() == .outsideTree)
    let mark = recorder.position
    try folder.watched.rename("share", "other")
    try await recorder.await("the loss", from: mark) {
      if case .diagnostic(let diagnostic) = $0 { diagnostic.code == .rootLost } else { false }
    }
    #expect(await code() == .rootLost)
    await observer.stop()
    #expect(await code() == .notRunning)
  }

  /// Below an empty mount point it would be hidden as soon as the file system is mounted.
  @Test func nothingIsMadeWhereTheDirectoryWouldBe() async throws {
    let root = observer.directory
    func expectRefusal(_ make: () throws(FileSystemObserverError) -> FileSystemObserver.Operation) {
      let error = #expect(throws: FileSystemObserverError.self) { try make() }
      #expect(error?.code == .rootLost, "\(String(describing: error))")
    }
    func expectRefusals() throws {
      try folder.outside.write("other.txt")
      let other = FilePath(folder.outside["other.txt"])
      expectRefusal { () throws(FileSystemObserverError) in try observer.createFile(at: root.appending("b.txt")) }
      expectRefusal { () throws(FileSystemObserverError) in
        try observer.createDirectory(at: root.appending("new/sub"), withIntermediateDirectories: true)
      }
      expectRefusal { () throws(FileSystemObserverError) in
        try observer.duplicateItem(at: other, to: root.appending("other.txt"))
      }
      expectRefusal { () throws(FileSystemObserverError) in
        try observer.moveItem(at: other, to: root.appending("other.txt"))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.outside.path) == ["other.txt"])
    }
    try await observer.start()
    try await awaitReport()
    expectRefusal { () throws(FileSystemObserverError) in
      try observer.createDirectory(at: root.appending("new"), withIntermediateDirectories: true)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.watched.path).isEmpty)
    try await observer.createFile(at: FilePath(folder.watched["beside.txt"]))
    try folder.watched.makeDirectories("share/library")
    try await recorder.awaitScan()
    try await observer.createFile(at: root.appending("a.txt"))
    let mark = recorder.position
    try folder.watched.rename("share/library", "share/away")
    try await recorder.await("the loss", from: mark) {
      if case .diagnostic(let diagnostic) = $0 { diagnostic.code == .rootLost } else { false }
    }
    expectRefusal { () throws(FileSystemObserverError) in
      try observer.createDirectory(at: root.appending("new"), withIntermediateDirectories: true)
    }
    try folder.watched.makeDirectories("share/library")
    try expectRefusals()
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.string).isEmpty)
    // A document that is there may be saved.
    try folder.watched.write("share/library/a.txt")
    try await observer.replaceContents(of: root.appending("a.txt"), with: Array("new".utf8))
    await observer.stop()
  }

  @Test func theWaitIsStopped() async throws {
    try await observer.start()
    try await awaitReport()
    await observer.stop()
    #expect(!observer.isRunning)
    try folder.watched.makeDirectories("share/library")
    // What has waited would begin, and refuse a second start.
    try await observer.start()
    try await recorder.awaitScan()
    let scans = recorder.entries.filter { if case .willBeginFullScan = $0.event { true } else { false } }
    #expect(scans.count == 1)
    await observer.stop()
  }

  @Test func observationEndsIfSomethingElseComes() async throws {
    try await observer.start()
    try await awaitReport()
    try folder.watched.mkdir("share")
    try folder.watched.write("share/library")
    let index = try await recorder.await("the end") { if case .didEnd = $0 { true } else { false } }
    guard case .didEnd(let error) = recorder.entries[index].event else { return }
    #expect(error.code == .rootNotDirectory)
    #expect(!observer.isRunning)
  }

  /// The path and the pattern are looked at before the wait.
  @Test func anUnusableConfigurationIsRefused() throws {
    var configuration = observer.configuration
    configuration.excludedPatterns = ["[a"]
    let observer = FileSystemObserver(configuration)
    let error = #expect(throws: FileSystemObserverError.self) { try observer.start() }
    #expect(error?.code == .invalidArgument)
    #expect(!observer.isRunning)
  }
}
