#if Store
import FileTestSupport
import Foundation
import FoundationEssentials
import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// What is left of a store when the machine fails: copies of its files at any moment, cut at any length.
struct TornWriteTests {
  private static func files(_ path: FilePath) -> [Data?] {
    ["", "-wal"].map { try? Data(contentsOf: URL(filePath: path.string + $0)) }
  }

  @Test(arguments: 0..<4) func aTornStoreIsAnEarlierStateOrIsRefused(_ part: Int) throws {
    let folder = try ScratchFolder()
    let path = folder.path("store")
    var random = SplitMix64(seed: UInt64(part))
    let file = try StoreFile.open(at: path)
    var world = StoredWorld(seed: UInt64(part), smallPatches: part % 2 == 0 ? 20_000 : 1 << 20)
    var states: [UInt64: FileSystemTree] = [:]
    var copies: [[Data?]] = []
    for _ in 0..<60 {
      world.change(Int.random(in: 1...60, using: &random))
      try world.write(to: file)
      states[world.number] = world.tree
      copies.append(Self.files(path))
    }
    file.close()
    var (refused, taken) = (0, Set<UInt64>())
    for round in 0..<60 {
      let torn = try folder.tear(copies, &random, round)
      do {
        let snapshot = try ObservationStore(at: torn).snapshot()
        #expect(FileSystemTree(snapshot) == states[snapshot.sequence])
        taken.insert(snapshot.sequence)
      } catch {
        refused += 1
      }
      // Whatever it is, an observer can start with it.
      try StoreFile.openWithTree(at: torn).0.close()
    }
    #expect(taken.count > 5, "\(refused) were refused")
  }
}

extension ScratchFolder {
  /// A store of files as they were at one moment, or each at another, the last part of one missing or overwritten.
  fileprivate func tear(_ copies: [[Data?]], _ random: inout SplitMix64, _ round: Int) throws -> FilePath {
    let path = path("torn \(round)")
    let moment = Int.random(in: 0..<copies.count, using: &random)
    let other = random.chance(1, of: 4) ? Int.random(in: 0..<copies.count, using: &random) : moment
    var files = [copies[moment][0], copies[other][1]]
    let index = random.chance(1, of: 3) ? 0 : 1
    if let data = files[index], !data.isEmpty, random.chance(3, of: 4) {
      let length = Int.random(in: 0..<data.count, using: &random)
      let isOverwritten = random.chance(1, of: 3)
      files[index] = data.prefix(length) + Data(count: isOverwritten ? data.count - length : 0)
    }
    for (data, suffix) in zip(files, ["", "-wal"]) {
      if let data { try data.write(to: URL(filePath: path.string + suffix)) }
    }
    return path
  }
}
#endif
