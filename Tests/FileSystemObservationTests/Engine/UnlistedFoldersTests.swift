import FileSystemObservation
import FoundationEssentials
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Folders on the deepest level that `depth` admits, whose tags a program writes last.
struct UnlistedFoldersTests {
  private static let second: Int64 = 1_000_000_000
  private let start = MonotonicTime(nanoseconds: 0)

  private func time(_ seconds: Int64) -> MonotonicTime { start + seconds * Self.second }

  /// The time between two looks is as long as all the time before.
  @Test func aFolderIsLookedAtLessAndLessOften() {
    var folders = UnlistedFolders()
    let id = NodeID(index: 1)
    folders.insert(id, start)
    var looks: [Int64] = []
    for second in 0..<8_000 where !folders.take(at: time(Int64(second))).isEmpty {
      looks.append(Int64(second))
      // A look at it may ask for it again.
      folders.insert(id, time(Int64(second)))
      folders.remove([])
    }
    #expect(looks == [1, 3, 7, 15, 31, 63, 127, 255, 511, 1_023, 2_047] && folders.due == nil)
  }

  @Test func thoseOfOneMomentAreLookedAtTogether() {
    var folders = UnlistedFolders()
    for number in 0..<100 { folders.insert(NodeID(index: number), start + Int64(number)) }
    #expect(folders.take(at: start + Self.second / 2) == [])
    #expect(folders.take(at: start + Self.second + Self.second / 4).count == 100)
  }

  @Test func whatIsForgottenIsNotLookedAt() {
    var folders = UnlistedFolders()
    for number in [1, 2, 3] { folders.insert(NodeID(index: number), start) }
    folders.remove([NodeID(index: 2)])
    #expect(folders.takeAll() == [NodeID(index: 1), NodeID(index: 3)])
    #expect(folders.due == nil && folders.takeAll() == [])
  }
}

/// The same with real folders.
@Suite(.busy, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct CopiedUnlistedFolderTests {
  private func begin(_ source: TestSource) async throws -> ObservedFolder {
    var options = source.applied(to: .init())
    options.depth = 0
    return try await ObservedFolder.begin(options: options) { folder in
      try folder.watched.mkdir("f")
      for number in 0..<50 { try folder.watched.write("f/\(number)") }
    }
  }

  /// `cp -a` gives the folder its original's tag at the end, when the observer has given it one of its own.
  private func copy(_ observed: ObservedFolder) async throws {
    try await onThread { [path = observed.root.path] in try Command.run("cp", "-a", "\(path)/f", "\(path)/copy") }
  }

  @Test(arguments: TestSource.toTest) func aCopyIsAnotherFolder(_ source: TestSource) async throws {
    let observed = try await begin(source)
    let original = try observed.uuid("f")
    try await copy(observed)
    let change = try await observed.recorder.awaitChange("the copy") { $0.path.lastComponent == "copy" }
    #expect(try await comesTrue { try observed.root.tag("copy") == change.uuid })
    #expect(change.uuid != original && observed.observer[change.path]?.uuid == change.uuid)
    #expect(try observed.root.tag("f") == original)
  }

  @Test(arguments: TestSource.toTest) func aCopyHasItsOwnTagWhenObservationEnds(_ source: TestSource) async throws {
    let observed = try await begin(source)
    let original = try observed.uuid("f")
    try await copy(observed)
    let uuid = try await observed.recorder.awaitChange("the copy") { $0.path.lastComponent == "copy" }.uuid
    await observed.observer.stop()
    #expect(try observed.root.tag("copy") == uuid && observed.root.tag("f") == original && uuid != original)
  }
}
