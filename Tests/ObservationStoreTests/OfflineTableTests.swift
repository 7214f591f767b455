#if Store
import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What is announced of each operation that nobody observed; `OfflineCase.all` is the table.
@Suite(.undisturbed) struct OfflineTableTests {
  @Test func theTableIsLongAndItsNamesDiffer() {
    #expect(OfflineCase.all.count >= 80)
    #expect(Set(OfflineCase.all.map(\.name)).count == OfflineCase.all.count)
  }

  @Test func onADisk() async throws { try await expectTable(in: nil) }

  /// Contents are evidence: what lost its tag is found again, and all else is announced as without.
  @Test func withContents() async throws { try await expectTable(in: nil, readingContents: true) }

  @Test func inMemory() async throws {
    let place = "/dev/shm"
    let folder = try TestFolder("memory", in: place)
    try folder.watched.write("a")
    guard (try? folder.watched.setTag("a", UUID())) != nil else { try Test.cancel("no attributes in \(place)") }
    try await expectTable(in: place)
  }

  @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"), arguments: ["ext4", "xfs", "btrfs"])
  func onAnotherFileSystem(_ type: String) async throws {
    guard let disk = try? DiskImage(type, size: "512M") else {
      try Test.cancel("no \(type) can be made or mounted here")
    }
    try await expectTable(in: disk.path.string)
  }

  /// One run, one time without an observer, and one more run for the whole table: each case is a folder.
  private func expectTable(in place: String?, readingContents: Bool = false) async throws {
    let adjust = { (configuration: inout FileSystemObserver.Configuration) in
      configuration.contentEvidence = readingContents ? .documents : .off
    }
    let tree = try OfflineTree("offline", in: place)
    let cases = OfflineCase.all.filter { item in
      if !item.missing.isEmpty { print("here: left out: needs \(item.missing): \(item.name)") }
      return item.missing.isEmpty
    }
    for number in cases.indices {
      try tree.root.mkdir("\(number)")
      try tree.folder.outside.mkdir("\(number)")
    }
    perform(cases, \.before, in: tree)
    try Command.run("find", tree.root.path, "-exec", "touch", "-h", "-d", "1 hour ago", "{}", "+")
    let before = try await tree.run(
      adjusting: adjust,
      then: { observer in
        // What was read before a document was removed is known of it afterwards.
        await observer.readContents()
        perform(cases, \.observed, in: tree)
        await observer.synchronize()
        await observer.readContents()
      }
    ).snapshot
    perform(cases, \.meanwhile, in: tree)
    let run = try await tree.run(adjusting: adjust)
    let set = try #require(run.sets.first)
    #expect(run.sets.count == 1 && set.sequence == before.sequence + 1)
    // Some tags were taken away.
    #expect(run.diagnostics.map(\.code) == [.tagRestored])
    let account = OfflineAccount(before, set)
    for (number, item) in cases.enumerated() {
      let words = account.words(in: "\(number)")
      let expected = readingContents ? item.expectedWithContents : item.expected
      if words != item.alternative { #expect(words == expected, "\(item.name)") }
    }
    try expectTruth(account, set, before, run.snapshot, tree)
    #expect(try await tree.run(adjusting: adjust).sets.isEmpty)
  }

  private func perform(_ cases: [OfflineCase], _ script: KeyPath<OfflineCase, String>, in tree: OfflineTree) {
    for (number, item) in cases.enumerated() where !item[keyPath: script].isEmpty {
      let (folder, outside) = (tree.root.folder("\(number)"), tree.folder.outside.folder("\(number)"))
      do {
        try OfflineCase.run(item[keyPath: script], in: folder, of: tree.root, outside: outside)
      } catch {
        Issue.record("\(item.name): \(error)")
      }
    }
  }

  /// What holds for the set as a whole: replayed, it gives what is on disk, and nothing else has changed.
  private func expectTruth(
    _ account: OfflineAccount, _ set: FileSystemChanges, _ before: FileSystemSnapshot, _ after: FileSystemSnapshot,
    _ tree: OfflineTree
  ) throws {
    let former = FileSystemTree(before)
    var replayed = former
    replayed.apply(set)
    #expect(replayed == FileSystemTree(after))
    #expect(StepCheck(before: former, after: replayed).contradictions(in: set.steps) == [])
    #expect(tree.differences(from: after) == [])
    #expect(try FileSystemTree(tree.stored()) == replayed)
    #expect(account.faultsOfFinishes == [])
    #expect(account.faultsOfPlaces(after, set) == [])
    #expect(set.allSatisfy { $0.origin == .unknown })
  }
}
#endif
