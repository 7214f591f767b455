#if Store
import FileSystemObservation
import FoundationEssentials
import ObservationStore
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

extension MountingTests {
  /// Stores and trees on file systems that take no writes: what can be said is said, and observation goes on.
  @Suite(.undisturbed, .enabled(if: MemoryMount.isPossible, "only root may mount"))
  struct UnwritableStoreTests {
    private let folder: TestFolder
    private let mount: MemoryMount

    init() throws {
      folder = try TestFolder("unwritable")
      mount = try MemoryMount(size: 400)
      try folder.watched.write("letter.odt")
    }

    /// What an observer with a store on the mount reports, after a document was renamed.
    private func diagnostics(
      storeAt path: FilePath,
      then body: (FileSystemObserver, inout FileSystemObserver.Events.Iterator) async throws -> Void
    ) async throws -> [FileSystemObserver.Diagnostic] {
      let observer = FileSystemObserver(
        FileSystemObserver.Configuration(directory: FilePath(folder.watched.path)),
        store: try ObservationStore(at: path))
      var events = observer.events(startingWith: .now).makeAsyncIterator()
      var all = observer.events(startingWith: .now).makeAsyncIterator()
      try await observer.start()
      try await body(observer, &events)
      await observer.synchronize()
      await observer.stop()
      var diagnostics: [FileSystemObserver.Diagnostic] = []
      while let event = try await all.next() {
        if case .diagnostic(let diagnostic) = event { diagnostics.append(diagnostic) }
      }
      return diagnostics
    }

    /// Awaits an event.
    private func next(
      _ events: inout FileSystemObserver.Events.Iterator, where isWanted: (FileSystemObserver.Event) -> Bool
    ) async throws {
      while let event = try await events.next() { if isWanted(event) { return } }
    }

    private func isRename(_ event: FileSystemObserver.Event) -> Bool {
      if case .didChange(let set) = event { set.contains { $0.kind == .renamed } } else { false }
    }

    /// What was written to the removed file was lost with it, and nobody was told.
    @Test(arguments: ["rm", "mv"]) func aStoreThatIsGoneIsReported(_ command: String) async throws {
      let path = mount.path.appending("state/store")
      let problems = try await diagnostics(storeAt: path) { observer, events in
        try await next(&events) { if case .didCompleteFullScan = $0 { true } else { false } }
        let wasStored = await observer.synchronizeStore()
        #expect(wasStored)
        try Command.run(arguments: [command, path.string] + (command == "mv" ? [path.string + " old"] : []))
        // Nothing has happened since, but what was stored is gone.
        let isStillStored = await observer.synchronizeStore()
        try folder.watched.rename("letter.odt", "renamed.odt")
        let isStored = await observer.synchronizeStore()
        #expect(!isStillStored && !isStored)
      }
      #expect(problems.map(\.code) == [.storeUnavailable])
      #expect(problems.first?.message.contains("removed or replaced") == true)
    }

    @Test func aReadOnlyDiskIsReported() async throws {
      try mount.setReadOnly(true)
      let problems = try await diagnostics(storeAt: mount.path.appending("state/store")) { _, events in
        try await next(&events) { if case .didCompleteFullScan = $0 { true } else { false } }
        try folder.watched.rename("letter.odt", "renamed.odt")
        try await next(&events, where: isRename)
      }
      #expect(problems.map(\.code) == [.storeUnavailable])
      #expect(problems.first?.message.contains("read-only") == true)
    }

    /// Later it is written with all that it lacks.
    @Test func aDiskThatIsFullForAWhileIsReported() async throws {
      let path = mount.path.appending("store")
      let disk = Folder(mount.path.string)
      let problems = try await diagnostics(storeAt: path) { _, events in
        try await next(&events) { if case .didCompleteFullScan = $0 { true } else { false } }
        let filler = try disk.open("filler", .create)
        #expect(throws: Errno.noSpace) { while true { try filler.write([UInt8](repeating: 1, count: 4_096)) } }
        for number in 0..<200 { try folder.watched.write("\(number) \(String(repeating: "n", count: 200))") }
        try folder.watched.rename("letter.odt", "renamed.odt")
        try await next(&events) { if case .diagnostic = $0 { true } else { false } }
        try disk.unlink("filler")
        filler.close()
        try await next(&events) { if case .diagnostic = $0 { true } else { false } }
      }
      #expect(problems.map(\.code) == [.storeUnavailable, .storeUnavailable])
      #expect(problems.last?.message.contains("has everything") == true)
      #expect(try ObservationStore(at: path).snapshot()[FilePath(folder.watched["renamed.odt"])] != nil)
    }

    @Test func aDiskWithoutRoomForAStoreIsReported() async throws {
      let filler = try Folder(mount.path.string).open("filler", .create)
      #expect(throws: Errno.noSpace) { while true { try filler.write([UInt8](repeating: 1, count: 4_096)) } }
      let problems = try await diagnostics(storeAt: mount.path.appending("store")) { _, events in
        try await next(&events) { if case .didCompleteFullScan = $0 { true } else { false } }
        try folder.watched.rename("letter.odt", "renamed.odt")
        try await next(&events, where: isRename)
      }
      #expect(problems.map(\.code) == [.storeUnavailable])
      #expect(problems.first?.message.contains("no space") == true)
    }

    /// The same holds for NFS and CIFS: a file system that may never answer is not even asked.
    @Test(.enabled(if: HangingMount.isPossible, "FUSE cannot be mounted here"))
    func aFileSystemOfAnotherProgramIsReportedAndNotAsked() async throws {
      let point = folder.outside["fuse"]
      try folder.outside.mkdir("fuse")
      let fuse = try HangingMount(at: point, hanging: .everything)
      let problems = try await diagnostics(storeAt: FilePath(point).appending("d/store")) { _, events in
        try await next(&events) { if case .didCompleteFullScan = $0 { true } else { false } }
        try folder.watched.rename("letter.odt", "renamed.odt")
        try await next(&events, where: isRename)
      }
      #expect(problems.first?.code == .storeUnavailable && problems.first?.message.contains("another host") == true)
      #expect(fuse.waiting == 0)
      fuse.release()
    }

    @Test func aTreeThatBecameReadOnlyGoesOn() async throws {
      let tree = try OfflineTree("readonly", observing: mount.path)
      let root = Folder(mount.path.string)
      for name in ["letter", "saved", "same"] { try root.write(name) }
      let before = try await tree.run().snapshot
      try root.rename("letter", "renamed")
      try root.append("saved")
      try root.write("new")
      try mount.setReadOnly(true)
      let run = try await tree.run()
      #expect(
        run.sets.joined().map(\.kind.rawValue).sorted() == ["copyFinished", "discovered", "modified", "renamed"])
      #expect(Set(before.map(\.uuid)).isSubset(of: run.snapshot.map(\.uuid)))
      #expect(try await tree.run().sets.isEmpty)
    }
  }
}
#endif
