#if Store
import FileTestSupport
import Foundation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// Random copies, moves and removals of files with few different contents: whatever contents show, replaying the changes
/// gives the tree on disk, and no two files have one identity.
@Suite(.busy, .timeLimit(.minutes(10))) struct ContentPropertyTests {
  /// Makes random changes in a folder, by plain system calls: no copy has attributes.
  private struct Work {
    let folder: StoredFolder
    var random: SplitMix64
    private static let names = ["a", "b", "c", "d", "folder/a", "folder/b", "other/a", "other/b"]

    private mutating func name() throws -> String { try #require(Self.names.randomElement(using: &random)) }
    private mutating func isChosen(_ percentage: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percentage }

    mutating func perform() throws {
      let (one, other) = (try name(), try name())
      let path = folder.path(one)
      let isThere = FileManager.default.fileExists(atPath: path)
      let isFree = !FileManager.default.fileExists(atPath: folder.path(other))
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: if !isThere { try folder.write(one, "content \(Int.random(in: 0..<4, using: &random))") }
      case 2: if isThere { try FileManager.default.removeItem(atPath: path) }
      case 3: if isThere, isFree { #expect(unsafe rename(path, folder.path(other)) == 0) }
      case 4...6: if isThere, isFree { try copy(one, other, thenRemoving: false) }
      case 7, 8: if isThere, isFree { try copy(one, other, thenRemoving: true) }
      case 9 where isChosen(50): try folder.shell("cp -r folder spare && rm -r folder && mv spare folder")
      default:
        try folder.shell("cp -r folder spare && rm -r folder && mkdir folder && cp -r spare/. folder && rm -r spare")
      }
    }

    private func copy(_ name: String, _ other: String, thenRemoving removes: Bool) throws {
      let bytes = try PlainFiles.read(FilePath(folder.path(name)))
      try PlainFiles.write(bytes, to: FilePath(folder.path(other)))
      if removes { try FileManager.default.removeItem(atPath: folder.path(name)) }
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>) func replayingTheChangesGivesTheTree(_ seed: UInt64) async throws {
    let stored = try StoredFolder()
    try stored.shell("mkdir folder other")
    var work = Work(folder: stored, random: SplitMix64(seed: seed))
    for _ in 0..<10 { try work.perform() }
    for round in 0..<2 {
      let observer = FileSystemObserver(stored.configuration, store: stored.store)
      let queue = try observer.makeEventQueue()
      try await observer.start()
      await observer.synchronize()
      await observer.readContents()
      for _ in 0..<25 {
        try work.perform()
        if Int.random(in: 0..<8, using: &work.random) == 0 { await observer.synchronize() }
      }
      await observer.synchronize()
      var tree = FileSystemTree(directory: stored.folder)
      while let event = queue.next() { tree.apply(event) }
      expectAgreement(tree, observer, stored, "seed \(seed), round \(round)")
      await observer.stop()
      for _ in 0..<12 { try work.perform() }
    }
  }

  private func expectAgreement(
    _ tree: FileSystemTree, _ observer: FileSystemObserver, _ stored: StoredFolder, _ comment: Comment
  ) {
    let snapshot = observer.snapshot()
    #expect(tree == FileSystemTree(snapshot), comment)
    #expect(Set(snapshot.map(\.uuid)).count == snapshot.count, comment)
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: stored.folder.string)) ?? []
    #expect(Set(snapshot.map(\.relativePath.string)) == Set(paths), comment)
  }
}
#endif
