import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

@Suite(.busy) struct DuplicateFolderTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let tree: TreeFixture
  private let copy: FilePath
  private var folder: ScratchFolder { tree.folder }

  init() throws {
    tree = try TreeFixture()
    copy = tree.folder.path("copy")
  }

  @Test func theCopyHasEverythingButTheUUIDs() throws {
    try PlainFiles.setPermissions(0o6751, of: tree.path.appending("sub/empty file"))
    let before = try TreeSnapshot(of: tree.path)
    let outcome = try operations.duplicate(tree.path, to: copy)
    let after = try TreeSnapshot(of: copy)
    #expect(try TreeSnapshot(of: tree.path) == before)
    #expect(Set(after.items.keys) == Set(before.items.keys))
    for (name, item) in after.items {
      let original = before.items[name]
      #expect(item.contents == original?.contents && item.author == original?.author, "\(name)")
      let mode = original?.mode
      #expect(item.mode == (name == "sub/empty file" ? S_IFREG | 0o751 : mode), "\(name)")
      #expect(item.inode != original?.inode)
    }
    #expect(after.items["a.txt"]?.inode == after.items["sub/second name"]?.inode)
    #expect(after.items["a.txt"]?.linkCount == 2)
    try expectIdentities(outcome, before, after)
    #expect(folder.names() == ["copy", "tree"])
  }

  private func expectIdentities(_ outcome: OperationOutcome, _ before: TreeSnapshot, _ after: TreeSnapshot) throws {
    for item in outcome.descendants where item.status.kind != .symlink {
      let uuid = try #require(item.uuid)
      #expect(item.isTagged && after.items[item.path.string]?.tag == uuid.description, "\(item.path)")
      let original = try #require(item.original)
      if let tag = before.items[item.path.string]?.tag { #expect(original.description == tag) }
      #expect(outcome.originals[uuid] == original && uuid != original)
      #expect(try item.status == FileStatus.of(path: copy.pushing(item.path)), "\(item.path)")
    }
    #expect(outcome.item.original == UUIDBits(high: 4, low: 0x8000_0000_0000_0004))
    #expect(try DocumentFixture.tag(of: copy) == outcome.item.uuid?.description)
    #expect(try outcome.item.status == FileStatus.of(path: copy))
  }

  @Test func whatCannotBeCopiedIsLeftOutAndReturned() throws {
    try PlainFiles.makePipe(at: tree.path.appending("sub/pipe"))
    try PlainFiles.write([1], to: tree.path.appending(".fsobserver-1.tmp"))
    let outcome = try operations.duplicate(tree.path, to: copy)
    #expect(outcome.leftOut == ["sub/pipe"])
    let after = try TreeSnapshot(of: copy)
    #expect(after.items["sub/pipe"] == nil && after.leftOvers == [])
  }

  @Test(.enabled(if: PlainFiles.isWritable("/dev/shm"))) func theCopyMayBeOnAnotherFileSystem() throws {
    let memory = try ScratchFolder(in: "/dev/shm")
    _ = try operations.duplicate(tree.path, to: memory.path("copy"))
    let (before, after) = (try TreeSnapshot(of: tree.path), try TreeSnapshot(of: memory.path("copy")))
    #expect(after.items.mapValues(\.contents) == before.items.mapValues(\.contents))
    #expect(memory.names() == ["copy"])
  }

  @Test func theCopyAppearsInOneStep() throws {
    let commits = Counter()
    let operations = DocumentOperations(
      tag: FileTag(),
      committing: { [folder] (_, commit) throws(Errno) in
        #expect(folder.names().filter { !$0.hasPrefix(".fsobserver-") } == ["tree"])
        try commit()
        #expect(folder.names() == ["copy", "tree"])
        commits.count()
      })
    _ = try operations.duplicate(tree.path, to: copy)
    #expect(commits.total == 1)
  }

  @Test func progressIsToldAndEndsWithTheTotals() throws {
    let told = Mutex<[FileSystemObserver.OperationProgress]>([])
    let control = OperationControl(progress: { progress in told.withLock { $0.append(progress) } })
    _ = try operations.duplicate(tree.path, to: copy, control: control)
    let all = told.withLock { $0 }
    let last = try #require(all.last)
    #expect(last.items == last.totalItems && last.bytes == last.totalBytes && last.fraction == 1)
    let count = try TreeSnapshot(of: tree.path).items.count + 1
    #expect(last.items == count)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.items <= $1.items && $0.bytes <= $1.bytes })
  }

  /// Also within one large file, between two parts of it.
  @Test func aLargeFileIsCancelledInItsMiddle() throws {
    let (large, shm) = (folder.path("large"), "/dev/shm" as FilePath)
    let file = try FileDescriptor.open(
      large, .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
    try file.closeAfter {
      for part in 0..<5 {
        _ = try file.writeAll(toAbsoluteOffset: Int64(part) << 24, [UInt8](repeating: 1, count: 1 << 20))
      }
    }
    guard PlainFiles.isWritable(shm) else { try Test.cancel("there is no second file system") }
    let memory = try ScratchFolder(in: shm)
    let parts = Counter()
    let control = OperationControl(isCancelled: {
      parts.count()
      return parts.total > 3
    })
    let error = #expect(throws: FileSystemObserverError.self) {
      try operations.duplicate(large, to: memory.path("copy"), control: control)
    }
    #expect(error?.code == .cancelled)
    #expect(parts.total == 4)
    #expect(memory.names() == [])
  }

  @Test(arguments: 0..<24) func aCancelledCopyLeavesNothing(_ count: Int) throws {
    let calls = Counter()
    let control = OperationControl(isCancelled: {
      calls.count()
      return calls.total > count
    })
    let error = try folder.expectUnchanged(.canceled) {
      _ = try operations.duplicate(tree.path, to: copy, control: control)
    }
    #expect(error?.code == .cancelled && error?.message.contains("nothing was changed") == true)
  }

  static let steps: [DocumentOperations.Step] = [
    .createFile, .writeContents, .carryAttributes, .writeTag, .carryPermissions, .synchronizeFile, .checkItem, .publish,
  ]

  @Test(arguments: steps, [1, 3, 6])
  func aStepThatFailsLeavesNothingBehind(_ step: DocumentOperations.Step, _ turn: Int) throws {
    let turns = Counter()
    let operations = DocumentOperations(tag: FileTag()) { (reached) throws(Errno) in
      guard reached == step else { return }
      turns.count()
      if turns.total == turn || step == .publish { throw .noSpace }
    }
    try folder.expectUnchanged(.noSpace) { _ = try operations.duplicate(tree.path, to: copy) }
  }

  @Test(.enabled(if: geteuid() != 0)) func theErrorNamesTheItem() throws {
    let secret = tree.path.appending("sub/secret")
    try PlainFiles.write([1], to: secret)
    try PlainFiles.setPermissions(0, of: secret)
    let error = #expect(throws: FileSystemObserverError.self) { try operations.duplicate(tree.path, to: copy) }
    #expect(error?.path == secret && error?.errno == .permissionDenied)
    #expect(error?.message.contains("sub/secret") == true)
    #expect(folder.names() == ["tree"])
  }

  @Test func aFolderIsNotCopiedIntoItselfOrOverSomething() throws {
    try folder.expectUnchanged(.invalidArgument) {
      _ = try operations.duplicate(tree.path, to: tree.path.appending("sub/copy"))
    }
    try folder.expectUnchanged(.fileExists) { _ = try operations.duplicate(tree.path, to: tree.path) }
  }

  /// What the destination's parent gives to everything new in it does not get into the copy.
  @Test func theListThatANewFolderInheritsDoesNotStay() throws {
    let list = AccessControlList.lettingRead(user: 4711)
    try PlainFiles.setAttribute(AccessControlList.inherited, of: folder.path, to: list)
    try PlainFiles.setAttribute(AccessControlList.inherited, of: tree.path.appending("sub/deep"), to: list)
    _ = try operations.duplicate(tree.path, to: copy)
    let paths = ["", "sub", "sub/deep", "sub/deep/d", "a.txt"].map { copy.appending($0) }
    #expect(try paths.map { try PlainFiles.attribute(AccessControlList.access, of: $0) } == [nil, nil, nil, nil, nil])
    let inherited = try paths.map { try PlainFiles.attribute(AccessControlList.inherited, of: $0) }
    #expect(inherited == [nil, nil, list, nil, nil])
  }

  /// More than are flushed one by one.
  @Test func aFolderWithManyItems() throws {
    for number in 0..<300 { try PlainFiles.write([1], to: tree.path.appending("sub/\(number)")) }
    let outcome = try operations.duplicate(tree.path, to: copy)
    let (before, after) = (try TreeSnapshot(of: tree.path), try TreeSnapshot(of: copy))
    #expect(after.items.mapValues(\.contents) == before.items.mapValues(\.contents))
    #expect(outcome.originals.count == outcome.descendants.count - 3 + 1, "two links; two names of one file")
  }
}
