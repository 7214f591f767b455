#if Store
import FileTestSupport
import Foundation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
import ObservationStore

extension MountingTests {
  /// Trees that are on another disk, as on a new computer: put back from a backup, or moved there by a program that
  /// keeps no attributes.
  @Suite(.undisturbed, .enabled(if: MemoryMount.isPossible, "only root may mount")) struct RestoredTreeTests {
    private static let names = ["letter.odt", "folder/inside.odt", "folder/deep/photo.jpg"]

    /// A tree whose store is known, and what was in it.
    private func observed() async throws -> (OfflineTree, FileSystemSnapshot) {
      let tree = try OfflineTree("restored")
      try tree.root.makeDirectories("folder/deep")
      for name in Self.names { try tree.root.write(name, "the contents of \(name)") }
      return (tree, try await tree.run().snapshot)
    }

    /// Has another file system take the place of a folder while a function is called.
    private func onAnotherDisk<Result>(_ folder: Folder, _ body: () async throws -> Result) async throws -> Result {
      try Command.run("mount", "-t", "tmpfs", "-o", "size=1m", "none", folder.path)
      defer { _ = try? Command.run("umount", "-l", folder.path) }
      return try await body()
    }

    /// Has the store as it was when a function has been called.
    private func keepingStore<Result>(of tree: OfflineTree, _ body: () async throws -> Result) async throws -> Result {
      let state = tree.folder.outside["state"]
      try Command.run("cp", "-a", state, state + "-kept")
      let result = try await body()
      try Command.run("rm", "-r", state)
      try Command.run("mv", state + "-kept", state)
      return result
    }

    private func ids(_ snapshot: FileSystemSnapshot) -> [String: UUID] {
      Dictionary(snapshot.map { ($0.relativePath.string, $0.uuid) }) { first, _ in first }
    }

    private func asides(_ tree: OfflineTree) throws -> [String] {
      let names = try FileManager.default.contentsOfDirectory(atPath: tree.folder.outside["state"])
      return names.filter { $0.contains("unusable") }
    }

    private func expectAnother(_ run: OfflineTree.Run, than before: FileSystemSnapshot) {
      #expect(run.diagnostics.map(\.code).contains(.storeUnavailable))
      #expect(run.sets.first?.isFirstScan == true)
      #expect(Set(run.snapshot.map(\.uuid)).isDisjoint(with: Set(before.map(\.uuid))))
    }

    // MARK: - At its path

    @Test(arguments: ["cp -r --preserve=timestamps", "cp -a"])
    func aTreeThatWasPutBackOnAnotherDiskGoesOn(_ command: String) async throws {
      let (tree, before) = try await observed()
      let copy = command.split(separator: " ").map(String.init)
      let backup = tree.folder.outside["backup"]
      try Command.run("cp", "-a", tree.root.path, backup)
      try await onAnotherDisk(tree.root) {
        try Command.run(arguments: copy + [backup + "/.", tree.root.path])
        try tree.root.append("letter.odt")
        try tree.root.write("new.odt")
        let run = try await tree.run()
        #expect(!run.diagnostics.map(\.code).contains(.storeUnavailable))
        #expect(run.sets.joined().map(\.kind.rawValue).sorted() == ["copyFinished", "discovered", "modified"])
        var known = ids(run.snapshot)
        #expect(known.removeValue(forKey: "new.odt") != nil)
        #expect(known == ids(before) && run.snapshot.first?.parent == before.first?.parent)
        // The tags are there again, so that nothing depends on places any more.
        try tree.root.rename("folder/inside.odt", "renamed.odt")
        let next = try await tree.run()
        #expect(next.sets.joined().map(\.kind) == [.moved] && next.diagnostics.isEmpty)
      }
    }

    /// Half of the documents tell that it is the tree; what has changed since is told by place.
    @Test func anOlderStateIsKnownByMostOfItsDocuments() async throws {
      let (tree, before) = try await observed()
      let backup = tree.folder.outside["backup"]
      try Command.run("cp", "-r", "--preserve=timestamps", tree.root.path, backup)
      for stale in [1, 2] {
        let run = try await keepingStore(of: tree) {
          try await onAnotherDisk(tree.root) {
            try Command.run("cp", "-r", "--preserve=timestamps", backup + "/.", tree.root.path)
            for name in Self.names.prefix(stale) { try tree.root.append(name) }
            return try await tree.run()
          }
        }
        if stale == 1 { #expect(ids(run.snapshot) == ids(before)) } else { expectAnother(run, than: before) }
      }
    }

    /// Of two disks that are mounted at one path in turns, each has its store, however much alike they are.
    @Test func eachOfTwoDisksHasItsStore() async throws {
      let (tree, before) = try await observed()
      let backup = tree.folder.outside["backup"]
      try Command.run("cp", "-r", "--preserve=timestamps", tree.root.path, backup)
      try await onAnotherDisk(tree.root) {
        try tree.root.write("other.odt")
        let other = try await tree.run()
        expectAnother(other, than: before)
        #expect(try asides(tree).count == 1)
        // It is like the first one now, and has a store of its own.
        try Command.run("cp", "-r", "--preserve=timestamps", backup + "/.", tree.root.path)
        let run = try await tree.run()
        #expect(run.sets.joined().count { $0.kind == .discovered } == before.count)
        #expect(Set(run.snapshot.map(\.uuid)).isDisjoint(with: Set(before.map(\.uuid))))
      }
      let back = try await tree.run()
      #expect(back.sets.isEmpty && back.diagnostics.isEmpty && ids(back.snapshot) == ids(before))
      #expect(try asides(tree).count == 1)
    }

    // MARK: - While they are put back

    /// The app is started too early, twice: before anything is there, and when there is little.
    @Test(arguments: ["cp -rp", "rsync -a", "tar"])
    func documentsThatArePutBackByAndByKeepTheirIdentities(_ program: String) async throws {
      let (tree, before) = try await observed()
      try tree.root.write("new.odt", "was there before")
      let all = try await tree.run().snapshot
      let (backup, root) = (tree.folder.outside["backup"], tree.root.path)
      try Command.run("cp", "-rp", root, backup)
      func putBack(_ names: String) throws {
        let command =
          program == "tar"
          ? "tar -cf - \(names) | tar -C \(root) -xf -" : "for n in \(names); do \(program) $n \(root)/; done"
        try Command.run("sh", "-c", "cd \(backup) && \(command)")
      }
      try await onAnotherDisk(tree.root) {
        let empty = try await tree.run(then: { try await Self.putBack("letter.odt", putBack, $0) })
        #expect(empty.diagnostics.map(\.code) == [.storeUnavailable])
        #expect(ids(empty.snapshot) == ids(all).filter { $0.key == "letter.odt" })
        let next = try await tree.run(then: { try await Self.putBack("folder", putBack, $0) })
        #expect(next.diagnostics.isEmpty && next.snapshot.count == before.count)
        let last = try await tree.run()
        #expect(last.sets.isEmpty)
        for name in Self.names { #expect(ids(last.snapshot)[name] == ids(before)[name], "\(name)") }
        // From then on, it has documents of its own.
        try tree.root.write("other.odt")
        _ = try await tree.run()
        try putBack("new.odt")
        #expect(try await ids(tree.run().snapshot)["new.odt"] != ids(all)["new.odt"])
      }
    }

    private static func putBack(
      _ names: String, _ body: (String) throws -> Void, _ observer: FileSystemObserver
    ) async throws {
      try body(names)
      await observer.synchronize()
    }

    /// A stick is not there at one start, and another empty one at the next.
    @Test func storesThatWerePutAsideOneAfterTheOtherAreAllKnown() async throws {
      let (tree, before) = try await observed()
      let backup = tree.folder.outside["backup"]
      try Command.run("cp", "-rp", tree.root.path, backup)
      try await onAnotherDisk(tree.root) {
        _ = try await tree.run()
        try await onAnotherDisk(tree.root) {
          _ = try await tree.run()
          #expect(try asides(tree).filter { !$0.contains("-wal") && !$0.contains("-shm") }.count == 2)
          try Command.run("cp", "-rp", backup + "/.", tree.root.path)
          let run = try await tree.run()
          for name in Self.names { #expect(ids(run.snapshot)[name] == ids(before)[name], "\(name)") }
        }
      }
    }

    @Test func whatIsThereAtTheFirstStartIsKnown() async throws {
      let (tree, before) = try await observed()
      let backup = tree.folder.outside["backup"]
      try Command.run("cp", "-rp", tree.root.path, backup)
      try await onAnotherDisk(tree.root) {
        try Command.run("cp", "-p", backup + "/letter.odt", tree.root.path)
        let run = try await tree.run()
        #expect(run.sets.first?.isFirstScan == true && run.sets.joined().map(\.kind.rawValue) == ["discovered"])
        #expect(ids(run.snapshot) == ids(before).filter { $0.key == "letter.odt" })
        try Command.run("cp", "-rp", backup + "/folder", tree.root.path)
        let next = try await tree.run()
        for name in Self.names { #expect(ids(next.snapshot)[name] == ids(before)[name], "\(name)") }
        // The tags are on the disk.
        try tree.root.rename("letter.odt", "renamed.odt")
        #expect(
          try FileSystemIdentity().uuid(ofItemAt: FilePath(tree.root["renamed.odt"])).uuid == ids(before)["letter.odt"])
      }
    }

    // MARK: - By the word of the app

    @Test func aTreeIsTakenOverIfTheAppSaysSo() async throws {
      let (tree, before) = try await observed()
      let copy = tree.folder.outside.folder("copy")
      // Without times, and beside the original: as git does it.
      try Command.run("cp", "-r", tree.root.path, copy.path)
      try Command.run("find", copy.path, "-type", "f", "-exec", "touch", "-d", "2020-01-01", "{}", "+")
      let run = try await tree.run(takingOver: true) { $0.directory = FilePath(copy.path) }
      #expect(!run.diagnostics.map(\.code).contains(.storeUnavailable))
      #expect(Set(run.sets.joined().map(\.kind)) == [.modified] && ids(run.snapshot) == ids(before))
      // From now on it is the folder of the store; the original is another.
      let next = try await tree.run { $0.directory = FilePath(copy.path) }
      #expect(next.sets.isEmpty && next.diagnostics.isEmpty && ids(next.snapshot) == ids(before))
      let original = try await tree.run()
      #expect(original.diagnostics.map(\.code) == [.storeUnavailable])
    }

    @Test func anEmptyFolderTakesNothingOver() async throws {
      let (tree, before) = try await observed()
      try await onAnotherDisk(tree.root) {
        let run = try await tree.run(takingOver: true)
        #expect(run.diagnostics.map(\.code) == [.storeUnavailable] && run.snapshot.isEmpty)
      }
      let back = try await tree.run()
      #expect(back.sets.isEmpty && ids(back.snapshot) == ids(before))
    }

    /// The first start has given them new tags, and put the store aside.
    @Test func documentsWithOtherTagsAreTakenOver() async throws {
      let (tree, before) = try await observed()
      let copy = tree.folder.outside.folder("copy")
      try tree.folder.outside.mkdir("copy")
      func run(takingOver: Bool = false) async throws -> OfflineTree.Run {
        try await tree.run(takingOver: takingOver) { $0.directory = FilePath(copy.path) }
      }
      try await onAnotherDisk(copy) {
        try Command.run("cp", "-r", tree.root.path + "/.", copy.path)
        expectAnother(try await run(), than: before)
        let store = tree.store.path.string
        try Command.run("mv", store + ".unusable-1", store)
        let taken = try await run(takingOver: true)
        #expect(ids(taken.snapshot) == ids(before) && Set(taken.sets.joined().map(\.kind)) == [.modified])
        let next = try await run()
        #expect(next.sets.isEmpty && next.diagnostics.isEmpty && ids(next.snapshot) == ids(before))
      }
    }

    /// A folder in which something was mounted, and which is a plain folder now.
    @Test func whatWasMountedInItComesAlong() async throws {
      let (tree, _) = try await observed()
      try tree.root.mkdir("stick")
      let backup = tree.folder.outside["backup"]
      let before = try await onAnotherDisk(tree.root.folder("stick")) {
        try tree.root.write("stick/photo.jpg", "a photo")
        let before = try await tree.run().snapshot
        try Command.run("cp", "-r", "-p", tree.root.path, backup)
        return before
      }
      try await onAnotherDisk(tree.root) {
        try Command.run("cp", "-r", "-p", backup + "/.", tree.root.path)
        let run = try await tree.run()
        #expect(run.sets.isEmpty && ids(run.snapshot) == ids(before))
      }
    }

    /// A folder that was left out was not unmounted.
    @Test func whatIsNotThereIsRemoved() async throws {
      let (tree, before) = try await observed()
      let backup = tree.folder.outside["backup"]
      try Command.run("cp", "-r", "-p", tree.root.path, backup)
      try await onAnotherDisk(tree.root) {
        try Command.run("cp", "-r", "-p", backup + "/.", tree.root.path)
        tree.root.folder("folder/deep").removeTree()
        let run = try await tree.run()
        let gone = run.sets.joined().filter { $0.kind == .deleted }
        #expect(gone.count == 2 && gone.allSatisfy { $0.deletionReason == .removed })
        #expect(Set(run.snapshot.map(\.uuid)).intersection(before.map(\.uuid)).count == before.count - 2)
      }
    }

    // MARK: - Changed on the way

    /// Moves around what is in a tree: names are exchanged, and a folder has another.
    private func rearrange(_ folder: Folder) throws {
      try folder.rename("letter.odt", "former.odt")
      try folder.rename("folder/inside.odt", "letter.odt")
      try folder.rename("folder/deep", "photos")
    }

    /// With its tags, or by sizes and times.
    @Test(arguments: ["-a", "-rp"], [true, false])
    func whatWasMovedBeforeItWasCopiedKeepsItsIdentity(_ option: String, onAnotherDisk: Bool) async throws {
      let (tree, _) = try await observed()
      for name in ["a", "b", "c"] { try tree.root.write(name + ".odt", "stays where it is: \(name)") }
      let before = try await tree.run().snapshot
      try rearrange(tree.root)
      let copy = tree.folder.outside.folder("copy")
      func goOn() async throws {
        try Command.run("cp", option, tree.root.path + "/.", copy.path)
        tree.root.removeTree()
        let run = try await tree.run { $0.directory = FilePath(copy.path) }
        let (ids, former) = (ids(run.snapshot), ids(before))
        #expect(run.sets.joined().map(\.kind.rawValue).sorted() == ["moved", "moved", "renamed"])
        #expect(ids["former.odt"] == former["letter.odt"] && ids["letter.odt"] == former["folder/inside.odt"])
        #expect(ids["photos/photo.jpg"] == former["folder/deep/photo.jpg"] && ids["photos"] == former["folder/deep"])
        #expect(run.diagnostics.isEmpty)
      }
      try tree.folder.outside.mkdir("copy")
      if onAnotherDisk { try await self.onAnotherDisk(copy) { try await goOn() } } else { try await goOn() }
    }

    @Test func aPartOfATreeDoesNotTakeItOver() async throws {
      let (tree, before) = try await observed()
      let part = FilePath(tree.root["folder"])
      try await keepingStore(of: tree) {
        let run = try await tree.run(takingOver: true) { $0.directory = part }
        #expect(run.diagnostics.map(\.code) == [.storeUnavailable])
        let next = try await tree.run { $0.directory = part }
        #expect(next.diagnostics.isEmpty && next.sets.isEmpty)
      }
      let back = try await tree.run()
      #expect(back.sets.isEmpty && back.diagnostics.isEmpty && ids(back.snapshot) == ids(before))
    }

    /// What was renamed on its way is known by its contents, with times and without.
    @Test(arguments: [true, false]) func contentsComeAlong(_ keepsTimes: Bool) async throws {
      let (tree, _) = try await observed()
      try tree.root.write("folder/report.txt", String(repeating: "A report of some length. ", count: 9))
      let before = try await tree.run(adjusting: { $0.contentEvidence = .documents }, then: { await $0.readContents() })
      let backup = tree.folder.outside["backup"]
      try Command.run(arguments: ["cp", "-r"] + (keepsTimes ? ["-p"] : []) + [tree.root.path, backup])
      try await onAnotherDisk(tree.root) {
        try Command.run(arguments: ["cp", "-r"] + (keepsTimes ? ["-p"] : []) + [backup + "/.", tree.root.path])
        try tree.root.rename("folder/report.txt", "renamed.txt")
        let run = try await tree.run(takingOver: !keepsTimes) { $0.contentEvidence = .documents }
        #expect(run.sets.joined().contains { $0.kind == .moved && $0.path.lastComponent == "renamed.txt" })
        #expect(Set(run.snapshot.map(\.uuid)) == Set(before.snapshot.map(\.uuid)))
      }
    }

    // MARK: - At another path

    @Test func aTreeThatWasMovedToAnotherDiskWithoutAttributesGoesOn() async throws {
      guard let disk = try? DiskImage() else { try Test.cancel("no file system in a file can be mounted here") }
      let (tree, before) = try await observed()
      let moved = disk.path.appending("tree")
      try Command.run("cp", "-r", "--preserve=timestamps", tree.root.path, moved.string)
      // While the original is there, this is a copy.
      let copy = try await keepingStore(of: tree) { try await tree.run { $0.directory = moved } }
      expectAnother(copy, than: before)
      try Command.run("rm", "-r", moved.string)
      try Command.run("cp", "-r", "--preserve=timestamps", tree.root.path, moved.string)
      // So it is while the original is beside its former place.
      let former = tree.root.path + ".former"
      try Command.run("mv", tree.root.path, former)
      expectAnother(try await keepingStore(of: tree) { try await tree.run { $0.directory = moved } }, than: before)
      try Command.run("rm", "-r", moved.string)
      try Command.run("cp", "-r", "--preserve=timestamps", former, moved.string)
      try Command.run("rm", "-r", former)
      let run = try await tree.run { $0.directory = moved }
      #expect(!run.diagnostics.map(\.code).contains(.storeUnavailable))
      #expect(run.sets.isEmpty && ids(run.snapshot) == ids(before))
    }
  }
}
#endif
