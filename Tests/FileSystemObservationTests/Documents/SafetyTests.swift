import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Every operation where something stands in its way: a clear error, and everything as it was.
@Suite(.busy) struct SafetyTests {
  /// An operation on `document.txt` or `tree` of a folder.
  struct Operation: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (DocumentOperations, FilePath, TrashPlaces) throws -> Void
    var testDescription: String { name }
  }

  /// Operations that change what there is.
  static let changes: [Operation] = [
    Operation(name: "replace") { operations, folder, _ in
      let contents = [UInt8](repeating: 1, count: 2_000_000)
      try operations.replaceContents(of: folder.appending("document.txt"), with: contents, uuid: nil)
    },
    Operation(name: "move") { operations, folder, _ in
      _ = try operations.move(folder.appending("document.txt"), to: folder.appending("moved"))
    },
    Operation(name: "move folder") { operations, folder, _ in
      _ = try operations.move(folder.appending("tree"), to: folder.appending("moved"))
    },
    Operation(name: "remove") { operations, folder, _ in
      try operations.remove(folder.appending("document.txt"))
    },
    Operation(name: "remove folder") { operations, folder, _ in
      try operations.remove(folder.appending("tree"))
    },
    Operation(name: "trash") { operations, folder, places in
      _ = try operations.trash(folder.appending("document.txt"), places: places)
    },
    Operation(name: "trash folder") { operations, folder, places in
      _ = try operations.trash(folder.appending("tree"), places: places)
    },
    Operation(name: "replace folder") { operations, folder, _ in
      _ = try operations.replaceContents(ofFolder: folder.appending("tree"), uuid: nil) { path in
        try PlainFiles.write([UInt8](repeating: 1, count: 2_000_000), to: path.appending("a.txt"))
      }
    },
  ]

  /// Operations that make something new.
  static let additions: [Operation] = [
    Operation(name: "duplicate") { operations, folder, _ in
      _ = try operations.duplicate(folder.appending("large"), to: folder.appending("copy"))
    },
    Operation(name: "duplicate folder") { operations, folder, _ in
      _ = try operations.duplicate(folder.appending("tree"), to: folder.appending("copy"))
    },
    Operation(name: "create file") { operations, folder, _ in
      _ = try operations.createFile(
        at: folder.appending("new"), contents: [UInt8](repeating: 1, count: 2_000_000))
    },
    Operation(name: "create folder") { operations, folder, _ in
      _ = try operations.createFolder(at: folder.appending("new/below"), withIntermediates: true)
    },
  ]

  private let operations = DocumentOperations(tag: FileTag())

  private func fill(_ folder: FilePath) throws {
    try PlainFiles.write(DocumentFixture.oldContents, to: folder.appending("document.txt"))
    try PlainFiles.write([UInt8](repeating: 3, count: 300_000), to: folder.appending("large"))
    try TreeFixture.make(at: folder.appending("tree"))
  }

  private func expectUnchanged(_ operation: Operation, _ errnos: [Errno], in folder: FilePath) throws {
    let home = try ScratchFolder()
    let before = try TreeSnapshot(of: folder)
    let error = #expect(throws: (any Error).self) {
      try operation.run(operations, folder, TrashPlaces(home: home.path("Trash")))
    }
    let errno = (error as? FileSystemObserverError)?.errno ?? (error as? Errno)
    #expect(errno.map(errnos.contains) == true, "\(String(describing: error))")
    #expect(try TreeSnapshot(of: folder) == before)
  }

  /// The space ends in the middle of the writing.
  @Test(
    .enabled(if: MemoryMount.isPossible, "only root may mount"),
    arguments: [changes[0], changes[7], additions[0], additions[1], additions[2]])
  func aFullDisk(_ operation: Operation) throws {
    let mount = try MemoryMount(size: 700)
    try fill(mount.path)
    // Room for less than any operation needs, and for more than its beginning does.
    let rest = mount.path.appending("rest")
    let file = try FileDescriptor.open(rest, .writeOnly, options: [.create], permissions: .ownerReadWrite)
    try file.closeAfter { for _ in 0..<60 { _ = try file.writeAll([UInt8](repeating: 0, count: 4096)) } }
    try expectUnchanged(operation, [.noSpace], in: mount.path)
  }

  @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"), arguments: [false, true])
  func aFullDiskAtTheDestinationOfAMove(_ isFolder: Bool) throws {
    let fixture = try DocumentFixture()
    try fill(fixture.folder.path)
    let mount = try MemoryMount(size: 64)
    try fixture.folder.expectUnchanged(.noSpace) {
      _ = try operations.move(
        fixture.folder.path(isFolder ? "tree" : "large"), to: mount.path.appending("moved"))
    }
    #expect(try TreeSnapshot.names(in: mount.path).isEmpty)
  }

  @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"), arguments: changes + additions)
  func aReadOnlyFileSystem(_ operation: Operation) throws {
    let mount = try MemoryMount()
    try fill(mount.path)
    try mount.setReadOnly(true)
    try expectUnchanged(operation, [.readOnlyFileSystem], in: mount.path)
  }

  /// chattr +i: not even root may change, rename or remove it.
  @Test(
    .enabled(if: geteuid() == 0, "only root may protect a file so"), arguments: [changes[1], changes[3], changes[5]])
  func anImmutableFile(_ operation: Operation) throws {
    let folder = try ScratchFolder()
    try fill(folder.path)
    let path = folder.path("document.txt").string
    guard (try? Command.run("chattr", "+i", path)) != nil else {
      try Test.cancel("this file system cannot protect a file so")
    }
    defer { _ = try? Command.run("chattr", "-i", path) }
    try expectUnchanged(operation, [.notPermitted], in: folder.path)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may protect a file so"), arguments: [changes[4], changes[7]])
  func anImmutableFileInAFolder(_ operation: Operation) throws {
    let folder = try ScratchFolder()
    try fill(folder.path)
    let path = folder.path("tree/sub/deep/d").string
    guard (try? Command.run("chattr", "+i", path)) != nil else {
      try Test.cancel("this file system cannot protect a file so")
    }
    defer { _ = try? Command.run("chattr", "-i", path) }
    try expectUnchanged(operation, [.notPermitted], in: folder.path)
  }

  /// A folder so deep that the descriptors do not do.
  @Test(
    .enabled(if: PlainFiles.isWritable("/dev/shm"), "there is no second file system"),
    arguments: ["duplicate", "remove", "replace", "move"])
  func tooFewDescriptors(_ operation: String) async throws {
    let folder = try ScratchFolder()
    var path = folder.path("deep")
    try PlainFiles.makeFolder(at: path)
    for _ in 0..<60 {
      path.append("d")
      try PlainFiles.makeFolder(at: path)
    }
    let (before, memory) = (try TreeSnapshot(of: folder.path), try ScratchFolder(in: "/dev/shm"))
    await #expect(processExitsWith: .exitCode(EMFILE)) {
      [
        folder = folder.path.string as String, operation = operation as String,
        target = memory.path("moved").string as String
      ] in
      // Each of them goes through a descriptor of the sixty, and copies need two for each level.
      var limit = rlimit(rlim_cur: operation == "duplicate" ? 100 : 50, rlim_max: 100)
      guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(1) }
      let (operations, deep) = (DocumentOperations(tag: FileTag()), FilePath(folder).appending("deep"))
      do {
        switch operation {
        case "duplicate": _ = try operations.duplicate(deep, to: FilePath(folder).appending("copy"))
        case "remove": try operations.remove(deep)
        case "replace": _ = try operations.replaceContents(ofFolder: deep, uuid: nil) { _ in }
        default: _ = try operations.move(deep, to: FilePath(target))
        }
      } catch {
        exit((error as? FileSystemObserverError)?.errno?.rawValue ?? 2)
      }
      exit(0)
    }
    #expect(try TreeSnapshot(of: folder.path) == before)
    #expect(memory.names() == [])
  }

  /// What is mounted in a folder is not removed with it, and not copied.
  @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"))
  func whatIsMountedInAFolderIsNotTouched() throws {
    let folder = try ScratchFolder()
    try fill(folder.path)
    let point = folder.path("tree/sub/empty")
    try Command.run("mount", "-t", "tmpfs", "none", point.string)
    defer { _ = unsafe point.withPlatformString { unsafe umount2($0, CInt(MNT_DETACH)) } }
    try PlainFiles.write([1], to: point.appending("precious"))
    for operation in [Self.changes[4], Self.changes[7]] {
      try expectUnchanged(operation, [.resourceBusy], in: folder.path)
    }
    let outcome = try operations.duplicate(folder.path("tree"), to: folder.path("copy"))
    #expect(outcome.leftOut == ["sub/empty"])
    #expect(try PlainFiles.read(point.appending("precious")) == [1])
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"), arguments: changes + additions)
  func aFolderThatMayNotBeWritten(_ operation: Operation) throws {
    let folder = try ScratchFolder()
    try fill(folder.path)
    try PlainFiles.setPermissions(0o555, of: folder.path)
    defer { try? PlainFiles.setPermissions(0o755, of: folder.path) }
    try expectUnchanged(operation, [.permissionDenied], in: folder.path)
  }
}
