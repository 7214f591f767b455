import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

/// Random operations of several threads on the real file system, each run from its seed.
@Suite struct PropertyTests {
  /// `FSO_SEEDS=1..20` runs others than the usual ones.
  private static let seeds: [UInt64] = {
    let bounds = (Environment["FSO_SEEDS"] ?? "1..8").split(separator: "..").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return [] }
    return Array(first...last)
  }()

  private static let threads = 3
  private static let steps = Scale.of(60)

  /// However the folders and files of the tree are moved, copied, linked and saved: replaying the change sets gives what is on disk, no
  /// UUID stands twice, and every document that was only renamed, moved and saved has the UUID it began with.
  @Test(.busy, arguments: seeds)
  func whatIsToldIsWhatIsThere(_ seed: UInt64) async throws {
    print("property test: seed \(seed)")
    let observed = try await ObservedFolder.begin("seed\(seed)") { folder in
      for thread in 0..<Self.threads {
        for number in 0..<6 { try folder.watched.write("t\(thread)-\(number).txt", "first version") }
      }
    }
    let tree = try FolderTree(observed.folder)
    for name in ["a", "b", "c"] { try tree.make(name, in: 0) }
    try tree.make("d", in: 1)
    try tree.make("e", in: 4)
    try await observed.settle()
    let mark = observed.recorder.position

    let start = Moment.now
    let documents = try await work(observed, tree, seed, start)
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

  /// Runs the threads.
  ///
  /// Gives the documents as they are in the end.
  private func work(
    _ observed: ObservedFolder, _ tree: FolderTree, _ seed: UInt64, _ start: Moment
  ) async throws -> [Document] {
    let border = Border()
    return try await withThrowingTaskGroup { group in
      for thread in 0..<Self.threads {
        let own = try (0..<6).map { number in
          Document(uuid: try observed.uuid("t\(thread)-\(number).txt"), folder: 0, name: "t\(thread)-\(number).txt")
        }
        group.addTask { [outside = observed.outside] in
          try await onThread {
            var worker = Worker(
              number: thread, tree: tree, outside: outside, border: border,
              rest: seed % 2 == 0 ? .zero : .milliseconds(2500), start: start,
              random: SplitMix64(seed: seed &* 1000 &+ UInt64(thread)), documents: own)
            try worker.run(steps: Self.steps)
            return worker.documents
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func expectIdentity(
    _ document: Document, _ observed: ObservedFolder, _ tree: FolderTree, from mark: Int, _ seed: String,
    _ start: Moment
  ) throws {
    let folder = tree.path(of: document.folder)
    let path = folder.isEmpty ? document.name : "\(folder)/\(document.name)"
    let told = told(observed, from: mark, start) { change in
      [change.path, change.previousPath].contains { $0.map(observed.relative) == path } || change.uuid == document.uuid
        || change.itemKind == .directory && [.renamed, .moved, .deleted].contains(change.kind)
    }
    let comment: Comment = """
      \(seed): \(path)
      done: \(document.history.joined(separator: "\n      "))
      folders: \(tree.history(since: start).joined(separator: "\n      "))
      told: \(told.joined(separator: "\n      "))
      """
    let known = observed.observer.uuid(forItemAt: FilePath(observed.root[path]))
    let endings = observed.changes(from: mark).filter { $0.kind == .deleted && $0.uuid == document.uuid }
    let isDeletedWrongly = !document.wasOutside && endings.contains { $0.reason != .movedOut }
    let tag = try observed.root.tag(path)
    #expect([known, tag] == [document.uuid, document.uuid] && !isDeletedWrongly, comment)
  }

  /// What was told of some items, with the times.
  private func told(
    _ observed: ObservedFolder, from mark: Int, _ start: Moment, where isMeant: (Change) -> Bool
  ) -> [String] {
    observed.recorder.entries[mark...].flatMap { entry in
      entry.changes.filter(isMeant).map { change in
        "\(Int((entry.time - start).seconds * 1000)) ms: \(observed.describe(change)) \(change.uuid)"
      }
    }
  }
}
