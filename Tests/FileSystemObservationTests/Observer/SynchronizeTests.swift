import FileSystemObservation
import ObservationTestSupport
import TestTraits
import Testing

/// When `synchronize()` returns, everything that was done before is announced.
@Suite(.light) struct SynchronizeTests {
  private func begin(_ source: TestSource) async throws -> ObservedFolder {
    let observed = try await ObservedFolder.begin(options: source.applied(to: .init())) {
      try $0.watched.makeDirectories("d/e")
      try $0.watched.write("d/a.txt")
      try $0.watched.write("b.txt")
    }
    await observed.observer.synchronize()
    return observed
  }

  @Test(arguments: TestSource.toTest)
  func whatWaitsForADecisionIsAnnounced(_ source: TestSource) async throws {
    let observed = try await begin(source)
    let mark = observed.recorder.position
    try observed.root.rename("d/a.txt", "a.txt")
    try observed.root.write("new.txt")
    try observed.root.unlink("b.txt")
    try observed.root.mkdir("folder")
    await observed.observer.synchronize()
    // All at once: nothing is awaited.
    let wanted = [
      "moved d/a.txt -> a.txt", "discovered new.txt", "copyFinished new.txt", "deleted(removed) b.txt",
      "discovered folder",
    ]
    #expect(observed.said(from: mark).sorted() == wanted.sorted())
    #expect(observed.differences() == [])
  }

  /// Of a save by replacement, a source that looks by itself sees only another inode at the name.
  @Test(arguments: TestSource.toTest)
  func savesByReplacementAreAnnounced(_ source: TestSource) async throws {
    let observed = try await begin(source)
    for save in 1...3 {
      let mark = observed.recorder.position
      try observed.root.write(".new", String(repeating: "v", count: 10 * save))
      try observed.root.rename(".new", "b.txt")
      await observed.observer.synchronize()
      #expect(observed.said(from: mark) == ["modified b.txt"])
      #expect(try observed.observer[observed.uuid("b.txt")]?.size == Int64(10 * save))
    }
  }

  @Test(arguments: TestSource.toTest)
  func foldersAreAwaitedIfAListenerAsksForThem(_ source: TestSource) async throws {
    let observed = try await begin(source)
    let told = Recorder(observed.observer, including: .folderArrivals)
    try observed.root.makeDirectories("new/sub")
    try observed.root.write("new/sub/a.txt")
    await observed.observer.synchronize()
    let complete = told.changes(from: 0).filter { $0.kind == .copyFinished }.map { observed.relative($0.path) }
    #expect(complete == ["new/sub/a.txt", "new/sub", "new"])
  }

  /// The shortest of ten waits: other tests may keep this one from going on.
  @Test(arguments: TestSource.toTest)
  func nothingIsWaitedForWhereNothingHappens(_ source: TestSource) async throws {
    let observed = try await begin(source)
    var shortest = Duration.seconds(3_600)
    for _ in 0..<10 {
      let start = Moment.now
      await observed.observer.synchronize()
      shortest = min(shortest, Moment.now - start)
    }
    // No window passes; but a source that looks by itself is waited for until it has looked.
    #expect(shortest < (source == .polling ? .seconds(6) : .milliseconds(400)))
  }

  @Test func theFirstScanIsWaitedFor() async throws {
    let folder = try TestFolder()
    for number in 0..<200 { try folder.watched.write("\(number)") }
    let observed = ObservedFolder(folder)
    try await observed.observer.start()
    await observed.observer.synchronize()
    #expect(observed.recorder.changes().count == 200)
    #expect(observed.recorder.scans.count == 1)
  }

  /// More than are written in one step.
  @Test func tagsAreWrittenIfTheyAreAskedFor() async throws {
    let observed = try await begin(.inotify)
    let names = (0..<3_000).map { "file-\($0)" }
    for name in names { try observed.root.write(name) }
    await observed.observer.synchronize(writingTags: true)
    let tags = try names.map { try observed.root.tag($0) }
    #expect(try tags == names.map { try observed.uuid($0) })
    #expect(!tags.contains(nil))
  }

  /// Whoever has a file open may keep it open for ever: both calls return while it is open.
  @Test(.timeLimit(.minutes(10))) func aFileThatStaysOpenIsNotWaitedFor() async throws {
    let observed = try await begin(.inotify)
    let file = try observed.root.open("open.txt", .create)
    try file.write("some")
    await observed.observer.synchronize()
    await observed.observer.synchronize()
    file.close()
    await observed.observer.synchronize()
    // A process that other tests start may hold the file open for a moment longer.
    #expect(try await observed.differencesInTheEnd() == [])
  }

  @Test func itEndsWithObservation() async throws {
    let observed = try await begin(.inotify)
    try observed.root.unlink("b.txt")
    async let barrier: Void = observed.observer.synchronize()
    await observed.observer.stop()
    await barrier
    await observed.observer.synchronize()
    #expect(!observed.observer.isRunning)
  }
}
