import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Random operations of several threads on the real file system, each run from its seed.
@Suite struct PropertyTests {
  /// `FSO_SEEDS=1..20` runs others than the usual ones.
  private static let seeds: [UInt64] = {
    let bounds = (Environment["FSO_SEEDS"] ?? "1..8").split(separator: "..").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return [] }
    return Array(first...last)
  }()

  private static let steps = Scale.of(60)

  /// However the folders and files of the tree are moved, copied, linked and saved: replaying the change sets gives
  /// what is on disk, no UUID stands twice, and every document that was only renamed, moved and saved has the UUID it
  /// began with.
  @Test(.busy, .undisturbed, arguments: seeds)
  func whatIsToldIsWhatIsThere(_ seed: UInt64) async throws {
    print("property test: seed \(seed)")
    let observed = try await ObservedFolder.begin("seed\(seed)") { try RandomWork.makeDocuments(in: $0.watched) }
    let work = try RandomWork(in: observed.folder, seed: seed, steps: Self.steps) { try observed.identity($0) }
    let tree = work.tree
    try await observed.settle()
    let mark = observed.recorder.position

    let start = Moment.now
    let documents = try await work.run(since: start)
    for document in documents { StallWatch.shared.note(document.longestSave) }
    let differences = try await observed.differencesInTheEnd(within: .seconds(20))
    let told = told(observed, from: mark, start) { change in
      differences.contains { $0.contains(change.path.lastComponent?.string ?? "?") || $0.contains("\(change.uuid)") }
    }
    let involved = documents.filter { document in
      differences.contains { $0.contains("\(document.uuid)") || $0.contains(document.name) }
    }
    #expect(
      differences == [],
      """
      seed \(seed)
      folders: \(tree.history(since: start).joined(separator: "\n      "))
      documents: \(involved.map { $0.history.joined(separator: "\n      ") }.joined(separator: "\n      --\n      "))
      told: \(told.joined(separator: "\n      "))
      """)
    for document in documents { try expectIdentity(document, observed, tree, from: mark, "seed \(seed)", start) }
  }

  private func expectIdentity(
    _ document: Document, _ observed: ObservedFolder, _ tree: FolderTree, from mark: Int, _ seed: String,
    _ start: Moment
  ) throws {
    let folder = tree.path(of: document.folder)
    let path = folder.isEmpty ? document.name : "\(folder)/\(document.name)"
    let told = told(observed, from: mark, start) { change in
      [change.path, change.previousPath].contains { $0.map(observed.relative) == path } || change.uuid == document.uuid
        || change.item.kind == .directory && [.renamed, .moved, .deleted].contains(change.kind)
    }
    let comment: Comment = """
      \(seed): \(path)
      done: \(document.history.joined(separator: "\n      "))
      folders: \(tree.history(since: start).joined(separator: "\n      "))
      told: \(told.joined(separator: "\n      "))
      """
    let known = observed.observer.uuid(forItemAt: FilePath(observed.root[path]))
    let endings = observed.changes(from: mark).filter { $0.kind == .deleted && $0.uuid == document.uuid }
    let isDeletedWrongly = !document.wasOutside && endings.contains { $0.deletionReason != .movedOut }
    let tag = try observed.identity(path)
    // Several saves and renames between two looks leave no trace of which file was the document.
    guard TestSource.seesEveryStep else { return #expect(known == tag, comment) }
    #expect([known, tag] == [document.uuid, document.uuid] && !isDeletedWrongly, comment)
  }

  /// What was told of some items, with the times.
  private func told(
    _ observed: ObservedFolder, from mark: Int, _ start: Moment, where isMeant: (FileSystemChange) -> Bool
  ) -> [String] {
    observed.recorder.entries[mark...].flatMap { entry in
      entry.changes.filter(isMeant).map { change in
        "\(Int((entry.time - start).seconds * 1000)) ms: \(observed.describe(change)) \(change.uuid)"
      }
    }
  }
}
