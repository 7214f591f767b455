import FileIdentity
import FileTestSupport
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Which file is which in a stored tree, where the inode numbers are made up anew with each mount.
@Suite(.light) struct FoundNumbersTests {
  /// A folder with three files and a folder, and a stored tree of it in which their numbers are those of others.
  private struct Renumbered {
    let folder: TestFolder
    let root: DirectoryHandle
    let files = GuardedFileSystem(HostFileSystem(tag: FileTag()))
    var graph: FileGraph
    private(set) var statuses: [String: FileStatus] = [:]
    static let names = ["a", "b", "c", "sub", "sub/d"]

    init() throws {
      folder = try TestFolder("numbers")
      try folder.watched.mkdir("sub")
      for name in ["a", "b", "c", "sub/d"] { try folder.watched.write(name, name + name) }
      let path = FilePath(folder.watched.path)
      root = try files.openRoot(at: path)
      graph = FileGraph(root: FileKey(try files.status(of: root)), uuid: UUIDBits(high: 1, low: 1))
      for name in Self.names { statuses[name] = try FileStatus.of(path: path.appending(name)) }
    }

    /// Stores what is there, with these numbers.
    mutating func store(_ numbers: [String: UInt64]) throws {
      for (index, name) in Self.names.enumerated() {
        let status = try #require(statuses[name])
        var key = FileKey(status)
        key.inode = numbers[name] ?? key.inode
        let path = FilePath(name)
        let parent = graph.node(atPath: ArraySlice(path.removingLastComponent().string.utf8)) ?? .root
        let content = FileGraph.Content(
          uuid: UUIDBits(high: 2, low: UInt64(index)), key: key, kind: status.kind, modified: status.modified,
          size: status.size)
        graph.insert(content, named: FileName(path.lastComponent?.string ?? "").span, in: parent)
      }
    }

    /// The numbers that the stored items have now; 0 for one that has none.
    func found() -> [String: UInt64] {
      var found = FoundNumbers(graph.storage, files, ItemFilter())
      found.collect(below: .root, root)
      let storage = found.applied()
      var numbers: [String: UInt64] = [:]
      for name in Self.names {
        guard let id = graph.node(atPath: ArraySlice(name.utf8)) else { continue }
        numbers[name] = storage.key(id).isUnseen ? 0 : storage.key(id).inode
      }
      return numbers
    }

    var numbersOfNow: [String: UInt64] { statuses.mapValues(\.inode) }
    func number(_ name: String) -> UInt64 { statuses[name]?.inode ?? 0 }
  }

  @Test func filesThatAreAsTheyWereGetTheirNumbersOfNow() throws {
    var tree = try Renumbered()
    let (a, b, sub) = (tree.number("a"), tree.number("b"), tree.number("sub"))
    try tree.store(["a": b, "b": sub, "sub": a, "sub/d": 77])
    #expect(tree.found() == tree.numbersOfNow)
  }

  @Test func aFileThatIsAnotherHasNoNumber() throws {
    var tree = try Renumbered()
    try tree.store(["a": tree.number("b"), "b": tree.number("a")])
    try tree.folder.watched.write("b", "longer than it was")
    try tree.folder.watched.unlink("sub/d")
    try tree.folder.watched.write("sub/other", "another")
    var expected = tree.numbersOfNow
    (expected["b"], expected["sub/d"]) = (0, 0)
    #expect(tree.found() == expected)
  }

  /// The size and the time tell, and of equal files the names; most of what was in a folder tells which it is.
  @Test func whatWasRenamedIsFoundWithItsSizeAndTime() throws {
    var tree = try Renumbered()
    try tree.store(["a": tree.number("b"), "b": tree.number("c"), "c": tree.number("a")])
    for (from, to) in [("a", "sub/z"), ("b", "sub/b"), ("sub", "bus"), ("bus/d", "bus/e")] {
      try tree.folder.watched.rename(from, to)
    }
    #expect(tree.found() == tree.numbersOfNow)
  }

  @Test func numbersThatHaveLastedTellWhatWasRenamed() throws {
    var tree = try Renumbered()
    try tree.store([:])
    try tree.folder.watched.rename("a", "elsewhere")
    #expect(tree.found() == tree.numbersOfNow)
  }

  /// A file that has the size and the time of one that is gone says nothing of the others, whose numbers have lasted.
  @Test func aCopyElsewhereIsNoOtherNumber() throws {
    var tree = try Renumbered()
    try tree.store([:])
    try tree.folder.watched.rename("a", "elsewhere")
    try tree.folder.watched.append("elsewhere")
    try Command.run("cp", "-p", tree.folder.watched["sub/d"], tree.folder.watched["sub/e"])
    try tree.folder.watched.unlink("sub/d")
    #expect(tree.found() == tree.numbersOfNow)
  }

  @Test func whatIsInAFolderThatIsGoneHasNoNumber() throws {
    var tree = try Renumbered()
    try tree.store(["a": tree.number("c")])
    tree.folder.watched.folder("sub").removeTree()
    var expected = tree.numbersOfNow
    (expected["sub"], expected["sub/d"]) = (0, 0)
    #expect(tree.found() == expected)
  }
}
