import FileTestSupport
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// Marks, and the directories that have them.
extension EventSourceContractTests {
  @Test(arguments: ContractSource.possible) func aDirectoryHasOneNumber(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    #expect(contract.a != contract.b)
    for scope in [MarkScope.entries, .entriesToTag, .entriesWithoutAttributes, .entries] {
      #expect(try contract.mark("a", for: scope) == contract.a)
    }
    try contract.write("a/file")
    #expect(try contract.hints().say(.created, of: "file", in: contract.a))
  }

  @Test(arguments: ContractSource.possible) func aDirectoryKeepsItsMarkWhereverItIs(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    try contract.makeFolder("a/folder")
    let mark = try contract.mark("a/folder")
    _ = try contract.hints()
    try contract.rename("a/folder", to: "b/moved")
    #expect(try contract.hints().sayRenamed("folder", in: contract.a, to: "moved", in: contract.b))
    try contract.write("b/moved/file")
    #expect(try contract.hints().say(.created, of: "file", in: mark))
    #expect(try contract.mark("b/moved") == mark)
  }

  @Test(arguments: ContractSource.possible)
  func aDirectoryThatIsRenamedItselfIsHintedAtIfWanted(_ kind: ContractSource) throws {
    let contract = try Contract(kind)
    try contract.makeFolder("alone")
    let mark = try contract.mark("alone", for: .itself)
    try contract.write("alone/file")
    #expect(try contract.hints().at("file", in: mark).isEmpty)
    try contract.rename("alone", to: "renamed")
    try contract.collector.await { $0.directory == mark && $0.kinds.contains(.selfMoved) }
  }

  /// The source may keep it open, but nobody else does.
  @Test(arguments: ContractSource.possible) func aDirectoryThatIsRemovedItselfIsHintedAt(_ kind: ContractSource) throws
  {
    let contract = try Contract(kind)
    try contract.makeFolder("alone")
    let mark = try contract.mark("alone")
    try PlainFiles.removeFolder(contract.folder.path("alone"))
    try contract.collector.await { $0.directory == mark && $0.kinds.contains(.selfRemoved) }
  }

  @Test(arguments: ContractSource.possible, [true, false])
  func withoutAMarkThereAreNoHints(_ kind: ContractSource, hasDirectory: Bool) throws {
    let contract = try Contract(kind)
    contract.source.unmark(contract.a, of: hasDirectory ? try contract.open("a") : nil)
    contract.source.unmark(contract.a)
    try contract.write("a/file")
    try contract.write("b/file")
    let hints = try contract.hints()
    #expect(hints.at("file", in: contract.a).isEmpty)
    #expect(hints.say(.created, of: "file", in: contract.b))
    let again = try contract.mark("a")
    try contract.write("a/another")
    #expect(try contract.hints().say(.created, of: "another", in: again))
  }

  /// As the first mark: once a file system is marked, the kernel is not asked again.
  @Test(arguments: ContractSource.possible) func aFileCannotBeMarked(_ kind: ContractSource) throws {
    let contract = try Contract(kind, files: ["a/file"])
    let directory = try contract.open("a")
    let file = try FileName("file").withView { (name) throws(Errno) in
      try OwnedDescriptor.openPath(name, in: directory.descriptor)
    }
    let (source, handle) = (try kind.make(), DirectoryHandle(file))
    #expect(throws: Errno.notDirectory) { try source.mark(handle, for: .entries) }
  }

  @Test(arguments: ContractSource.possible) func whatIsMarkedBeforeTheStartIsHintedAt(_ kind: ContractSource) throws {
    let folder = try ScratchFolder()
    let source = try kind.make()
    let collector = try HintCollector()
    let directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .list))
    let mark = try source.mark(directory, for: .entries)
    try PlainFiles.write([], to: folder.path("file"))
    try source.start { collector.deliver($0) }
    defer { source.stop() }
    #expect(try collector.take(until: "file").last?.directory == mark)
  }
}
