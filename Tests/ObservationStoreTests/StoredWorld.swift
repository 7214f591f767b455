#if Store
import FileIdentity
import FileTestSupport
import LinuxFileSystem
import SystemPackage

@testable import FileSystemObservation
@testable import ObservationStore

/// A tree that grows and is written to a store, set by set.
struct StoredWorld {
  private(set) var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 0), uuid: UUIDBits(high: 0, low: 1))
  private var draft = ChangeDraft()
  private var layout: StoredLayout
  private var random: SplitMix64
  private(set) var number: UInt64 = 0

  init(seed: UInt64, smallPatches: Int = StoredLayout.smallPatches) {
    random = SplitMix64(seed: seed)
    layout = StoredLayout(smallPatches: smallPatches)
    graph.beginChangeSet()
  }

  /// Makes, renames and removes files.
  mutating func change(_ count: Int = 3) {
    for _ in 0..<count { changeOne() }
  }

  private mutating func changeOne() {
    let low = UInt64.random(in: 2 ... .max, using: &random)
    let name = FileName("file \(low % 100_000)")
    let files = graph.storage.children(of: .root)
    let place = Place(parent: .root, name: name)
    guard graph.node(at: place) == nil else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      guard let id = files.randomElement(using: &random) else { return }
      graph.move(id, to: place)
      draft.appendMove(of: id, in: graph)
    case 1:
      guard files.count > 20, let id = files.randomElement(using: &random) else { return }
      draft.append(.deleted, id, in: graph, reason: .removed)
      graph.remove(id)
    default:
      let content = FileGraph.Content(
        uuid: UUIDBits(high: 1, low: low), key: FileKey(device: 1, inode: low, born: 0), kind: .file,
        modified: Int64(low % 1_000), size: 5)
      draft.append(.discovered, graph.insert(content, named: name.span, in: .root), in: graph)
    }
  }

  /// Writes what has changed as the next set.
  mutating func write(to storage: some TreeStorage) throws {
    number += 1
    let log = ChangeComposer(draft, graph).composed().whole
    draft.removeAll()
    graph.beginChangeSet()
    graph.reuseRemoved()
    let changed = graph.storage.nodes.takeChanged()
    let picture = GraphPicture(graph.storage, changed: changed, sequence: number)
    var layout = layout
    try storage.write { transaction in
      try layout.write(picture, to: transaction)
      try transaction.put(StoredSet(number: number, date: Int64(number), bytes: StoredChanges.changes(log).bytes))
      let head = StoredHead(
        number: number, date: 0, nodeCount: picture.storage.nodes.count, digest: layout.digest,
        devices: [.init(number: 1, identity: 9)], runs: [.init(epoch: 7, base: 0)], directory: Array("/T".utf8))
      try transaction.put(head: head.bytes)
    }
    self.layout = layout
  }

  /// The tree, for comparing.
  var tree: FileSystemTree { FileSystemTree(FileSystemSnapshot(graph.storage, sequence: number, directory: "/T")) }
}
#endif
