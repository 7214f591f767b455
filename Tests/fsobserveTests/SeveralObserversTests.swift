import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

/// Several observers, each a process of its own, on one tree in which several threads do random things.
///
/// `FSO_OBSERVER_SEEDS=1..20` runs other seeds than the usual ones, and `FSO_OBSERVER_STEPS=500` more steps.
@Suite(.busy, .undisturbed, .timeLimit(.minutes(60))) struct SeveralObserversTests {
  private static let seeds: [UInt64] = {
    let bounds = (Environment["FSO_OBSERVER_SEEDS"] ?? "1..2").split(separator: "..").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return [] }
    return Array(first...last)
  }()
  private static let steps = Environment["FSO_OBSERVER_STEPS"].flatMap(Int.init) ?? 20

  /// All know every file by the same UUID, which is its tag; a document has the one it began with; and when nothing
  /// happens any more, nobody writes a tag any more.
  @Test(arguments: [2, 3], seeds) func allAgree(_ count: Int, _ seed: UInt64) async throws {
    print("several observers: \(count), seed \(seed)")
    let folder = try TestFolder("observers")
    let root = folder.watched
    try RandomWork.makeDocuments(in: root)
    var observers: [WatchingProcess] = []
    for _ in 0..<count { observers.append(try await WatchingProcess(root)) }
    let work = try RandomWork(in: folder, seed: seed, steps: Self.steps)
    try await observers.settle(root, "cookie")
    let counter = try AttributeCounter((0..<work.tree.count).map { work.tree[$0] })

    let start = Moment.now
    let documents = try await work.run(since: start)
    #expect(try await observers.differencesInTheEnd(root) == [], "seed \(seed)")
    if TestSource.seesEveryStep {
      for document in documents { try expectIdentity(document, work.tree, observers, "seed \(seed)") }
    }
    // A third of these are usual; some of them programs do themselves.
    #expect(try counter.count() < Self.steps * RandomWork.threads, "seed \(seed)")
    try await expectRest(counter)
    for observer in observers { #expect(observer.process.end() == 0) }
  }

  private func expectIdentity(
    _ document: Document, _ tree: FolderTree, _ observers: [WatchingProcess], _ seed: String
  ) throws {
    let history = document.history.joined(separator: "\n      ")
    let place = "\(tree.path(of: document.folder))/\(document.name)"
    let tag = try tree[document.folder].tag(document.name)
    let isRight = tag == document.uuid
    let said = isRight ? [] : observers.map { $0.said(of: [document.uuid, tag], document.name) }
    #expect(isRight, "\(seed): \(place)\n      \(history)\n\(said.joined(separator: "\n\n"))")
  }

  /// That nothing happens shows only when time has passed: longer than any observer waits before it puts a tag back.
  private func expectRest(_ counter: AttributeCounter) async throws {
    _ = try counter.count()
    try await onThread { (Moment.now + .seconds(3)).sleep() }
    #expect(try counter.count() == 0)
  }
}
