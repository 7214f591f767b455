import FileIdentity
import LinuxFileSystem
import TestTraits
import Testing

@testable import FileSystemObservation

/// Which items without tags are those of a stored tree, by sizes, times, names and contents of folders.
@Suite(.light) struct UntaggedMatchTests {
  /// A tree whose items are missing, and what is on disk instead.
  private struct Disk {
    var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 1), uuid: UUIDBits(high: 1, low: 1))
    var missing: [String: NodeID] = [:]
    var items: [UntaggedMatch.Item] = []

    /// - Parameter file: What distinguishes the file from others with other names.
    mutating func lose(
      _ name: String, _ kind: FileKind = .file, size: Int64 = 0, in folder: String? = nil, file: UInt64? = nil
    ) {
      let number = file ?? UInt64(100 + missing.count)
      let content = FileGraph.Content(
        uuid: UUIDBits(high: 2, low: number), key: FileKey(device: 1, inode: number, born: 1), kind: kind, modified: 5,
        size: size)
      let parent = folder.flatMap { missing[$0] } ?? .root
      missing[name] = graph.insert(content, named: FileName(name).span, in: parent)
    }

    mutating func find(
      _ inode: UInt64, _ name: String, size: Int64 = 0, modified: Int64 = 5, in folder: UInt32 = 0, number: UInt32 = 0
    ) {
      items.append(
        UntaggedMatch.Item(
          key: FileKey(device: 1, inode: inode, born: 2), kind: number == 0 ? .file : .directory, size: size,
          modified: modified, name: FileName(name), directory: folder, number: number))
    }

    /// The inodes of the missing items.
    var numbers: [String: UInt64] {
      let match = UntaggedMatch(of: Array(missing.values), in: graph.storage, among: items)
      return missing.compactMapValues { match.numbers[$0]?.inode }
    }
  }

  @Test func theOnlyFileWithASizeAndATimeIsTheOne() {
    var disk = Disk()
    disk.lose("a", size: 10)
    disk.lose("b", size: 20)
    disk.lose("c", size: 30)
    disk.find(201, "x", size: 10)
    disk.find(202, "b", size: 20, modified: 6)
    disk.find(203, "c", size: 31)
    #expect(disk.numbers == ["a": 201])
  }

  @Test func ofFilesThatAreAlikeOnlyNamesTell() {
    var disk = Disk()
    for name in ["a", "b", "c"] { disk.lose(name, size: 10) }
    for (inode, name) in [(201, "b"), (202, "y"), (203, "z")] as [(UInt64, String)] { disk.find(inode, name, size: 10) }
    #expect(disk.numbers == ["b": 201])
    disk.items.removeLast()
    // Two are missing, and one is there.
    #expect(disk.numbers == ["b": 201])
    disk.missing["c"] = nil
    #expect(disk.numbers == ["a": 202, "b": 201])
  }

  @Test func anEmptyFileIsLikeAnyOther() {
    var disk = Disk()
    disk.lose("a")
    disk.find(201, "x")
    #expect(disk.numbers.isEmpty)
  }

  @Test func allNamesOfAFileHaveItsNumber() {
    var disk = Disk()
    disk.lose("a", size: 10, file: 100)
    disk.lose("b", size: 10, file: 100)
    disk.find(201, "c", size: 10)
    disk.find(201, "d", size: 10)
    #expect(disk.numbers == ["a": 201, "b": 201])
  }

  @Test func aFolderIsWhereMostOfItsItemsAre() {
    var disk = Disk()
    disk.lose("folder", .directory)
    disk.lose("deep", .directory, in: "folder")
    for (index, name) in ["a", "b", "c"].enumerated() { disk.lose(name, size: 10 + Int64(index), in: "deep") }
    disk.find(300, "other", number: 1)
    disk.find(301, "inner", in: 1, number: 2)
    disk.find(201, "a", size: 10, in: 2)
    disk.find(202, "b", size: 11, in: 2)
    disk.find(203, "c", size: 12)
    #expect(disk.numbers == ["folder": 300, "deep": 301, "a": 201, "b": 202, "c": 203])
    disk.items[3].directory = 0
    #expect(disk.numbers == ["a": 201, "b": 202, "c": 203])
  }

  @Test func ofTwoFoldersThatWerePutTogetherOneGoesOn() {
    var disk = Disk()
    for folder in ["small", "large"] { disk.lose(folder, .directory) }
    for (index, name) in ["a", "b", "c"].enumerated() {
      disk.lose(name, size: 10 + Int64(index), in: index == 0 ? "small" : "large")
    }
    disk.find(300, "together", number: 1)
    for (index, name) in ["a", "b", "c"].enumerated() {
      disk.find(201 + UInt64(index), name, size: 10 + Int64(index), in: 1)
    }
    #expect(disk.numbers == ["large": 300, "a": 201, "b": 202, "c": 203])
  }
}
