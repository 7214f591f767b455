#if Store
import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Tests that mount and unmount: a process that one of them starts must not hold open what another unmounts.
@Suite(.serialized) enum MountingTests {}

extension MountingTests {
  /// Trees that were moved, copied or mounted anew while nothing observed them.
  @Suite(.undisturbed) struct MovedTreeTests {
    /// A tree with a few documents, whose store is known.
    private func observed(in place: String? = nil) async throws -> (OfflineTree, FileSystemSnapshot) {
      let tree = try OfflineTree("moved", in: place)
      try tree.root.makeDirectories("folder")
      for name in ["letter.odt", "folder/inside.odt"] { try tree.root.write(name) }
      return (tree, try await tree.run().snapshot)
    }

    /// Expects that the documents are the same, and of the two changes one is announced of each.
    private func expectTheSame(_ tree: OfflineTree, _ before: FileSystemSnapshot, at root: Folder) async throws {
      try root.append("letter.odt")
      try root.rename("folder/inside.odt", "folder/renamed.odt")
      let run = try await tree.run { $0.directory = FilePath(root.path) }
      #expect(run.diagnostics.isEmpty && run.sets.count == 1)
      #expect(run.sets.joined().map(\.kind.rawValue).sorted() == ["modified", "renamed"])
      #expect(Set(run.snapshot.map(\.uuid)) == Set(before.map(\.uuid)))
    }

    /// Expects that the store was put aside, because it is of another tree.
    private func expectAnother(_ tree: OfflineTree, _ before: FileSystemSnapshot, at root: Folder) async throws {
      let run = try await tree.run { $0.directory = FilePath(root.path) }
      #expect(run.diagnostics.map(\.code) == [.storeUnavailable])
      #expect(run.diagnostics.first?.message.contains("is of another folder, which was \(tree.root.path)") == true)
      #expect(run.sets.first?.isFirstScan == true)
      // Its tags are those of the other.
      #expect(Set(run.snapshot.map(\.uuid)) == Set(before.map(\.uuid)))
    }

    @Test func aTreeThatWasRenamedGoesOn() async throws {
      let (tree, before) = try await observed()
      try tree.folder.outside.rename(tree.root.path, "elsewhere")
      try await expectTheSame(tree, before, at: tree.folder.outside.folder("elsewhere"))
    }

    @Test func aTreeThatWasCopiedWithItsTagsIsAnother() async throws {
      let (tree, before) = try await observed()
      try Command.run("cp", "-a", tree.root.path, tree.folder.outside["copy"])
      try await expectAnother(tree, before, at: tree.folder.outside.folder("copy"))
    }

    @Test func aTreeThatWasPutBackFromABackupGoesOn() async throws {
      let (tree, before) = try await observed()
      try Command.run("cp", "-a", tree.root.path, tree.folder.outside["backup"])
      tree.root.removeTree()
      try Command.run("cp", "-a", tree.folder.outside["backup"], tree.root.path)
      try await expectTheSame(tree, before, at: tree.root)
    }

    /// An archive without attributes has no tags: paths say which document is which.
    @Test func aTreeThatWasUnpackedFromAnArchiveGoesOn() async throws {
      let (tree, before) = try await observed()
      let archive = tree.folder.outside["archive.tar"]
      try Command.run("tar", "cf", archive, "-C", tree.root.path, ".")
      tree.root.removeTree()
      try tree.folder.outside.mkdir(tree.root.path)
      try Command.run("tar", "xf", archive, "-C", tree.root.path)
      try tree.root.append("letter.odt")
      let run = try await tree.run()
      #expect(run.diagnostics.isEmpty)
      #expect(Set(run.sets.joined().map(\.kind)) == [.modified])
      #expect(Set(run.snapshot.map(\.uuid)) == Set(before.map(\.uuid)))
      #expect(run.snapshot.first?.parent == before.first?.parent)
    }

    /// The former one has another name beside it.
    @Test func aNewTreeInThePlaceOfOneThatWasRenamedIsAnother() async throws {
      let (tree, before) = try await observed()
      try tree.folder.outside.rename(tree.root.path, tree.root.path + ".former")
      try tree.folder.outside.mkdir(tree.root.path)
      try tree.root.write("letter.odt")
      let run = try await tree.run()
      #expect(run.diagnostics.map(\.code) == [.storeUnavailable] && run.sets.first?.isFirstScan == true)
      #expect(Set(run.snapshot.map(\.uuid)).isDisjoint(with: Set(before.map(\.uuid))))
    }

    @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"))
    func aTreeThatWasCopiedToAnotherDiskAndRemovedGoesOn() async throws {
      guard let disk = try? DiskImage() else { try Test.cancel("no file system in a file can be mounted here") }
      let (tree, before) = try await observed()
      try Command.run("cp", "-a", tree.root.path, disk.path.appending("tree").string)
      tree.root.removeTree()
      try await expectTheSame(tree, before, at: Folder(disk.path.appending("tree").string))
    }

    @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"))
    func aCopyIsAnotherWhileTheDiskOfItsOriginalIsAway() async throws {
      guard let disk = try? DiskImage() else { try Test.cancel("no file system in a file can be mounted here") }
      let (tree, before) = try await observed(in: disk.path.string)
      let other = try TestFolder("copy")
      try Command.run("cp", "-a", tree.root.path, other.watched["tree"])
      // The store is on the disk, too.
      let copied = try OfflineTree("copied", storedLike: tree)
      try disk.unmount()
      try await expectAnother(copied, before, at: other.watched.folder("tree"))
      try disk.mount()
    }

    @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"))
    func aTreeOnADiskThatIsMountedElsewhereGoesOn() async throws {
      let folder = try TestFolder("mounts")
      guard let disk = try? DiskImage(at: FilePath(folder.watched["mounted"])) else {
        try Test.cancel("no file system in a file can be mounted here")
      }
      let (tree, before) = try await observed(in: disk.path.string)
      let copied = try OfflineTree("copied", storedLike: tree)
      let former = FilePath(tree.root.path)
      try disk.unmount()
      // The first free loop device is another.
      let blocker = try DiskImage()
      try disk.mount(at: FilePath(folder.outside["elsewhere"]))
      let tail = former.string.dropFirst(folder.watched["mounted"].count + 1)
      try await expectTheSame(copied, before, at: Folder(folder.outside["elsewhere/\(tail)"]))
      withExtendedLifetime(blocker) {}
    }

    @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"))
    func aDiskBelowTheDirectoryIsMountedAnewWithAnotherNumber() async throws {
      let tree = try OfflineTree("below")
      guard let disk = try? DiskImage(at: FilePath(tree.root["disk"])) else {
        try Test.cancel("no file system in a file can be mounted here")
      }
      let mounted = tree.root.folder("disk")
      for name in ["untagged", "letter", "same"] { try mounted.write(name) }
      let before = try await tree.run(adjusting: { $0.tagging = .never }).snapshot
      let number = try device(of: mounted)
      try disk.unmount()
      let blocker = try DiskImage()
      try disk.mount()
      #expect(try device(of: mounted) != number)
      try mounted.rename("letter", "renamed")
      let run = try await tree.run(adjusting: { $0.tagging = .never })
      // Without tags, only the inodes tell which file is which.
      #expect(run.sets.joined().map(\.kind) == [.renamed])
      #expect(Set(run.snapshot.map(\.uuid)) == Set(before.map(\.uuid)))
      withExtendedLifetime(blocker) {}
    }

    @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"))
    func whatIsInMemoryBelowTheDirectoryIsRecognisedByItsTags() async throws {
      let tree = try OfflineTree("memory")
      try tree.root.mkdir("memory")
      let memory = tree.root.folder("memory")
      try Command.run("mount", "-t", "tmpfs", "-o", "size=1m", "none", memory.path)
      defer { _ = try? Command.run("umount", "-l", memory.path) }
      for name in ["letter", "same"] { try memory.write(name) }
      let before = try await tree.run().snapshot
      try Command.run("cp", "-a", memory.path, tree.folder.outside["saved"])
      try Command.run("umount", memory.path)
      try Command.run("mount", "-t", "tmpfs", "-o", "size=1m", "none", memory.path)
      try Command.run("cp", "-a", tree.folder.outside["saved/."], memory.path)
      try memory.rename("letter", "renamed")
      let run = try await tree.run()
      #expect(run.sets.joined().map(\.kind) == [.renamed])
      #expect(Set(run.snapshot.map(\.uuid)) == Set(before.map(\.uuid)))
    }

    private func device(of folder: Folder) throws -> FileInformation.Inode { try folder.status(".").inode }
  }
}
#endif
