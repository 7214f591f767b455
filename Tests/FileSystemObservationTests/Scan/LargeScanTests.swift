import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@Suite(.alone) struct LargeScanTests {
  private static let folders = Scale.of(2_000)
  private static let filesInEach = 20

  /// A second scan finds what the first one left, and has nothing to do.
  @Test func aSecondScanTagsNothing() async throws {
    let tree = Tree(folders: Self.folders, filesInEach: Self.filesInEach)
    let folder = try TestFolder()
    try await onThread { try tree.make(in: folder.watched) }

    let (first, _) = try await scan(folder)
    let (second, summary) = try await scan(folder)
    #expect(first.count == tree.fileCount + tree.folderCount)
    #expect(summary.itemCount == tree.fileCount + tree.folderCount)
    #expect(summary.directoryCount == tree.folderCount)
    #expect(summary.taggedCount == 0)
    #expect(summary.duplicateCount == 0)
    #expect(summary.skipped == [:])
    #expect(first == second)
    let differences = DiskInventory(of: folder.watched).differences(from: second)
    #expect(differences.count == 0, "for instance \(differences.prefix(5))")
  }

  /// More files than the kernel's queue holds events (16,384), in one folder and in many: of tags that the scan writes
  /// none come back.
  @Test(arguments: [1, 300]) func tagsThatTheScanWritesFillNoQueue(_ folders: Int) async throws {
    let tree = Tree(folders: folders, filesInEach: Scale.of(20_000) / folders)
    let folder = try TestFolder()
    try await onThread { try tree.make(in: folder.watched) }
    let observed = ObservedFolder(folder)
    try await observed.observer.start()
    let summary = try await observed.recorder.awaitScan(within: .seconds(300))
    try await observed.settle(within: .seconds(120))
    #expect(summary.taggedCount == tree.fileCount + tree.folderCount)
    #expect(observed.recorder.scans.count == 1, "events were lost")
    try await observed.expectAgreement()
  }

  private func scan(_ folder: TestFolder) async throws -> ([String: Replay.Item], FileSystemObserver.ScanSummary) {
    let observed = ObservedFolder(folder)
    try await observed.observer.start()
    let summary = try await observed.recorder.awaitScan(within: .seconds(300))
    try await observed.settle(within: .seconds(120))
    let inventory = observed.observer.snapshot().itemsByPath(root: folder.watched.path)
    await observed.observer.stop()
    return (inventory.filter { !ObservedFolder.isCookie($0.key) }, summary)
  }
}
