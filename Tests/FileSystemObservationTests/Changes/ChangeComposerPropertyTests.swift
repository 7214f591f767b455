import FileIdentity
import FileTestSupport
import FoundationEssentials
import LinuxFileSystem
import ObservationTestSupport
import ReplayModel
import SystemPackage
import Testing

@testable import FileSystemObservation

/// Random trees, changed at random in sets of random size: a replay of each set gives the tree.
struct ChangeComposerPropertyTests {
  /// A store has the changes, and the tree after the last set.
  @Test(arguments: 0..<4) func whatMovedWithFoldersFollowsFromTheStoredSets(_ part: Int) throws {
    for seed in 0..<8 {
      var world = RandomGraph(seed: UInt64(9_000 + part * 100 + seed))
      // A stored set does not say what was in a copy before its original continued there.
      world.losesItems = seed % 2 == 0
      let sets = (1...6 as ClosedRange<UInt64>).map { world.changes(for: [.all], $0)[0] }
      let last = FileSystemSnapshot(world.worked.graph.storage, sequence: 6, directory: "/T")
      let stored = world.losesItems ? [] : try sets.map(Self.stored).completed(by: last)
      for (set, read) in zip(sets, stored) { #expect(Self.followers(read) == Self.followers(set), "seed \(seed)") }
      // An app that makes the same sets with the tree before gets the same.
      var tree = FileSystemTree(world.start)
      for set in sets {
        let made = FileSystemChanges(set, directory: "/T", sequence: set.sequence, treeBefore: tree)
        #expect(made == set && Self.followers(made) == Self.followers(set), "seed \(seed)")
        tree.apply(made)
      }
      #expect(tree == world.worked.tree)
    }
  }

  private static func stored(_ set: FileSystemChanges) throws -> FileSystemChanges {
    let log = try #require(set.log)
    guard case .changes(let read) = try StoredChanges(bytes: StoredChanges.changes(log).bytes) else {
      throw StoredDataError("it is another form")
    }
    return FileSystemChanges(read, nil, sequence: set.sequence, directory: "/T")
  }

  private static func followers(_ set: FileSystemChanges) -> [[String]] {
    set.map { change in set.movesBelow(change).map { "\($0.uuid) \($0.previousPath ?? "") \($0.path)" }.sorted() }
  }

  @Test(arguments: 0..<4) func aReplayOfEachSetGivesTheTree(_ part: Int) {
    for seed in [0, 1, 2, 3, 4, 5, 6, 7, 15, 16, 58, 60] {
      var world = RandomGraph(seed: UInt64(part * 1_000 + seed))
      for _ in 0..<12 where !world.step() { return #expect(Bool(false), "seed \(part * 1_000 + seed)") }
    }
  }
}

/// A graph at which random things happen.
struct RandomGraph {
  private(set) var worked = WorkedGraph()
  var random: SplitMix64
  /// Whether items are taken for deleted and found again.
  var losesItems = true
  /// What there was at first.
  private(set) var start = FileSystemSnapshot(directory: "/T")
  private var names = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    for _ in 0..<20 { grow() }
    _ = worked.takeSet()
    start = worked.items(in: .all)
  }

  /// One change set; whether everything held.
  mutating func step() -> Bool {
    let before = worked.tree
    let parts = (0..<6).compactMap { _ in part() }
    let partsBefore = parts.map { PathReplay(worked.items(in: $0)) }
    for _ in 0..<Int.random(in: 1...8, using: &random) { change() }
    let after = worked.tree
    let partsAfter = parts.map { PathReplay(worked.items(in: $0)) }
    var sets = worked.takeSets(for: [.all] + parts)
    let set = sets.removeFirst()
    for (index, var replay) in partsBefore.enumerated() {
      replay.apply(sets[index])
      let isRight = replay == partsAfter[index] && replay.contradictions == []
      #expect(isRight, "\(parts[index]): \(replay.contradictions)")
      if !isRight { return false }
    }
    var tree = before
    tree.apply(set)
    #expect(tree == after)
    let contradictions = StepCheck(before: before, after: after).contradictions(in: set.steps)
    #expect(set.isEmpty || contradictions == [])
    var paths = PathReplay(before)
    paths.apply(set)
    #expect(paths == PathReplay(after) && paths.contradictions == [])
    let untold = untold(set, before, after)
    #expect(untold == [])
    let untrue = untrue(set, before, after)
    #expect(untrue == [])
    return tree == after && (set.isEmpty || contradictions == []) && paths == PathReplay(after) && untold == []
      && untrue == []
  }

  /// Items of which the list of what moved with a directory says what is not so.
  private func untrue(_ set: FileSystemChanges, _ before: FileSystemTree, _ after: FileSystemTree) -> [String] {
    set.flatMap(set.movesBelow).compactMap { move in
      guard let previous = move.previousPath else { return "\(move)" }
      let isSo = before[previous]?.uuid == move.uuid && after[move.path]?.uuid == move.uuid
      return isSo ? nil : "\(move)"
    }
  }

  /// Items that have another path, of which neither a change says so nor the list of what moved with one; and the
  /// reverse.
  private func untold(_ set: FileSystemChanges, _ before: FileSystemTree, _ after: FileSystemTree) -> Set<String> {
    var told: Set<String> = []
    for change in set where change.previousPath != nil {
      told.insert("\(change.uuid) \(change.previousPath ?? "") \(change.path)")
      for item in set.movesBelow(change) { told.insert("\(item.uuid) \(item.previousPath ?? "") \(item.path)") }
    }
    var moved: Set<String> = []
    for item in after {
      guard before.names(of: item.uuid).count == 1, after.names(of: item.uuid).count == 1,
        let old = before[item.uuid], old.path != item.path, worked.tells(item.uuid, set) == false
      else { continue }
      moved.insert("\(item.uuid) \(old.path) \(item.path)")
    }
    return moved.subtracting(told)
  }

  mutating func pick<Element>(_ all: [Element]) -> Element? { all.randomElement(using: &random) }

  /// A part of the tree that somebody may listen for.
  private mutating func part() -> FileSystemObserver.Scope? {
    guard let item = pick(worked.nodes), let directory = pick(worked.directories) else { return nil }
    let (uuid, folder) = (UUID(worked.graph[item].uuid), UUID(worked.graph[directory].uuid))
    return pick([.item(uuid), .folder(folder), .subtree(folder), .subtree(folder)])
  }

  /// A free place, often one that something left a moment ago.
  private mutating func freePlace(outside id: NodeID? = nil) -> Place? {
    let directories = worked.directories.filter { directory in
      id.map { !worked.graph.storage.isEntry(directory, inside: $0) } ?? true
    }
    guard let parent = pick(directories) else { return nil }
    let place = Place(parent: parent, name: FileName("n\(Int.random(in: 0..<6, using: &random))"))
    return worked.graph.node(at: place) == nil ? place : nil
  }

  private mutating func grow() {
    if let place = freePlace() { worked.make(random.chance(1, of: 2) ? .directory : .file, at: place) }
  }

  /// The sets of some changes, one for each scope.
  mutating func changes(for scopes: [FileSystemObserver.Scope], _ sequence: UInt64) -> [FileSystemChanges] {
    for _ in 0..<Int.random(in: 1...8, using: &random) { change() }
    return worked.takeSets(for: scopes, sequence)
  }

  /// Some changes, as the engine hands them over.
  mutating func takeLog(of count: Int) -> ScopedLog {
    for _ in 0..<count { change() }
    return worked.takeLog()
  }

  mutating func takePicture(_ sequence: UInt64) -> GraphPicture { worked.takePicture(sequence) }

  private mutating func change() {
    guard let id = pick(worked.nodes) else { return grow() }
    switch Int.random(in: 0..<15, using: &random) {
    case 0...3: if let place = freePlace(outside: id) { worked.move(id, to: place) }
    case 4: if let other = pick(worked.nodes), !areNested(id, other) { worked.exchange(id, other) }
    case 5: turn()
    case 6: grow()
    case 7: worked.delete(id)
    case 8: worked.changeIdentity(of: id)
    case 9: if losesItems, let place = freePlace(outside: id) { worked.loseAndFind(id, at: place) }
    case 10:
      if worked.graph[id].kind == .file, let place = freePlace() { worked.link(id, at: place) }
    case 11: if losesItems { moveByCopying() }
    case 12: if losesItems { handIdentityOn(id) }
    case 13: findCopy(id)
    default: worked.modify(id, size: Int64.random(in: 0..<9, using: &random))
    }
  }

  /// An entry proves to be another item, and a new or another entry to be the one it was taken for.
  private mutating func handIdentityOn(_ id: NodeID) {
    let (uuid, kind) = (worked.graph[id].uuid, worked.graph[id].kind)
    if worked.graph.hasOtherNames(id) { return }
    worked.changeIdentity(of: id)
    let heirs = worked.nodes.filter { $0 != id && worked.graph[$0].kind == kind && !worked.graph.hasOtherNames($0) }
    if random.chance(1, of: 2), let heir = pick(heirs) {
      worked.changeIdentity(of: heir, to: uuid)
    } else if let place = freePlace(outside: id) {
      worked.make(kind, at: place, uuid: uuid)
    }
  }

  private mutating func findCopy(_ id: NodeID) {
    guard let original = pick(worked.nodes), worked.graph[original].uuid != worked.graph[id].uuid else { return }
    worked.findCopy(id, of: original)
  }

  /// A folder turns out to have been moved by copying; the copy has items of its own.
  private mutating func moveByCopying() {
    guard let folder = pick(worked.directories), let copy = pick(worked.directories),
      folder != .root, copy != .root, folder != copy, !areNested(folder, copy)
    else { return }
    let new = Set(worked.nodes.filter { _ in random.chance(1, of: 2) })
    worked.moveByCopying(folder, to: copy, new.contains)
  }

  private func areNested(_ first: NodeID, _ second: NodeID) -> Bool {
    let graph = worked.graph
    return graph[first].uuid == graph[second].uuid || graph.storage.isEntry(first, inside: second)
      || graph.storage.isEntry(second, inside: first)
  }

  /// Several entries take each other's places, all at once: folders may come to be in what was in them.
  private mutating func turn() {
    let chosen = Array(worked.nodes.shuffled(using: &random).prefix(Int.random(in: 2...4, using: &random)))
    let moves = zip(chosen, chosen.dropFirst() + chosen.prefix(1)).map { (id: $0, place: worked.graph.place($1)) }
    // Into a folder that is in the way itself, one comes under another name.
    let parents = Dictionary(uniqueKeysWithValues: moves.map { ($0.id, $0.place.parent) })
    let isRooted = chosen.allSatisfy { id in
      var (current, steps) = (id, 0)
      while current != .root, steps <= worked.nodes.count {
        current = parents[current] ?? worked.graph[current].parent
        steps += 1
      }
      return current == .root
    }
    if isRooted { worked.move(moves) } else { turnInsideOut() }
  }

  /// A folder and one that is below it change places; what the upper one was in, the lower one is in.
  private mutating func turnInsideOut() {
    let directories = worked.directories.filter { $0 != .root }
    guard let inner = pick(directories) else { return }
    let above = directories.filter { $0 != inner && worked.graph.storage.isEntry(inner, inside: $0) }
    guard let outer = pick(above) else { return }
    let name = worked.graph.name(random.chance(1, of: 2) ? inner : outer)
    let inside = Place(parent: inner, name: name)
    guard worked.graph.node(at: inside) == nil else { return }
    worked.move([(inner, worked.graph.place(outer)), (outer, inside)])
  }
}

extension WorkedGraph {
  /// Whether something else is said of an item than that it moved, as where its folder is another.
  fileprivate func tells(_ uuid: UUID, _ set: FileSystemChanges) -> Bool {
    set.contains { $0.uuid == uuid && [.discovered, .deleted, .linked].contains($0.kind) }
  }
}
