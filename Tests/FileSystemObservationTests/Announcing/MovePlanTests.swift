import FileIdentity
import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Plans of moves that happen together.
struct MovePlanTests {
  /// A tree by names, and where its entries are known to be.
  private struct Tree {
    var graph = FileGraph.empty
    var believedLocation: [NodeID: UnresolvedEntry.BelievedLocation] = [:]
    private var count: UInt64 = 1

    @discardableResult
    mutating func add(_ name: String, in parent: NodeID = .root, _ kind: FileKind = .directory) -> NodeID {
      count += 1
      return graph.add(name, count, kind, in: parent)
    }

    func place(_ name: String, in parent: NodeID = .root) -> Place { Place(parent: parent, name: FileName(name)) }

    func plan(_ id: NodeID, to place: Place, ending: NodeID? = nil) throws(MovePlan.Obstacle) -> MovePlan {
      try MovePlan(id, to: place, ending: ending, in: graph) { believedLocation[$0] }
    }

    /// Does what a plan says.
    mutating func apply(_ plan: MovePlan) {
      for move in plan.moves { graph.takeOut(move.id) }
      for ending in plan.endings where graph.isLive(ending) {
        var below = [ending]
        graph.storage.forEachDescendant(of: ending) { below.append($0) }
        for id in below.reversed() { graph.remove(id) }
      }
      for move in plan.moves { graph.putIn(move.id, at: move.place) }
    }

    /// All entries with their places.
    var places: [NodeID: Place] {
      var places: [NodeID: Place] = [:]
      graph.storage.forEachDescendant(of: .root) { places[$0] = graph.place($0) }
      return places
    }
  }

  @Test func aFreePlaceNeedsNothingElse() throws {
    var tree = Tree()
    let (a, d) = (tree.add("a", .file), tree.add("d"))
    let plan = try tree.plan(a, to: tree.place("b", in: d))
    #expect(plan.moves.map(\.id) == [a] && plan.endings.isEmpty)
    tree.apply(plan)
    #expect(tree.places == [a: tree.place("b", in: d), d: tree.place("d")])
  }

  @Test func threeChangePlacesInACircle() throws {
    var tree = Tree()
    let (a, b, c) = (tree.add("a"), tree.add("b"), tree.add("c"))
    tree.believedLocation = [b: .at(tree.place("c")), c: .at(tree.place("a"))]
    let plan = try tree.plan(a, to: tree.place("b"))
    #expect(plan.moves.map(\.id) == [c, b, a])
    tree.apply(plan)
    #expect(tree.places == [a: tree.place("b"), b: tree.place("c"), c: tree.place("a")])
  }

  @Test func whatMayStillBeThereIsAnObstacle() throws {
    var tree = Tree()
    let (a, b, c) = (tree.add("a"), tree.add("b"), tree.add("c"))
    #expect(throws: MovePlan.Obstacle.occupied(by: b)) { try tree.plan(a, to: tree.place("b")) }
    tree.believedLocation = [b: .at(tree.place("c")), c: .unknown]
    #expect(throws: MovePlan.Obstacle.occupied(by: c)) { try tree.plan(a, to: tree.place("b")) }
    #expect(try tree.plan(a, to: tree.place("b"), ending: b).endings == [b])
    // What is found at the end of a chain need not end with what blocks it.
    let chain = try tree.plan(a, to: tree.place("b"), ending: c)
    #expect(chain.moves.map(\.id) == [b, a] && chain.endings == [c])
    tree.believedLocation[c] = .gone
    let plan = try tree.plan(a, to: tree.place("b"))
    #expect(plan.moves.map(\.id) == [b, a] && plan.endings == [c])
  }

  /// `mv a/b t; mv a t/a; mv t a`, seen at its end.
  @Test func aDirectoryGoesIntoWhatWasInsideIt() throws {
    var tree = Tree()
    let a = tree.add("a")
    let b = tree.add("b", in: a)
    let file = tree.add("file", in: b, .file)
    tree.believedLocation = [b: .at(tree.place("a")), a: .at(tree.place("a", in: b))]
    let plan = try tree.plan(a, to: tree.place("a", in: b))
    tree.apply(plan)
    #expect(tree.places == [b: tree.place("a"), a: tree.place("a", in: b), file: tree.place("file", in: b)])
  }

  @Test func nothingGoesIntoItself() {
    var tree = Tree()
    let a = tree.add("a")
    let b = tree.add("b", in: a)
    #expect(throws: MovePlan.Obstacle.unrooted(a)) { try tree.plan(a, to: tree.place("a", in: b)) }
  }

  @Test func whatIsKnownToHaveLeftMovesBeforeItsDirectoryEnds() throws {
    var tree = Tree()
    let (a, d) = (tree.add("a"), tree.add("d"))
    let inside = tree.add("inside", in: d)
    let kept = tree.add("kept", in: inside, .file)
    let lost = tree.add("lost", in: d, .file)
    tree.believedLocation = [d: .gone, inside: .at(tree.place("outside")), lost: .at(tree.place("new", in: d))]
    let plan = try tree.plan(a, to: tree.place("d"))
    #expect(plan.endings == [d])
    tree.apply(plan)
    #expect(
      tree.places == [a: tree.place("d"), inside: tree.place("outside"), kept: tree.place("kept", in: inside)])
    #expect(!tree.graph.isLive(lost))
  }

  /// Whatever a plan does, all its entries get their places at once, and all else stays or ends with what ends.
  @Test(arguments: 0..<8) func randomPlansDoWhatTheySay(_ part: UInt64) {
    var random = SplitMix64(seed: part)
    var planned = 0
    for _ in 0..<500 {
      var (tree, ids) = Self.randomTree(&random)
      guard let id = ids.randomElement(using: &random), let place = Self.randomPlace(ids, tree, &random),
        place != tree.graph.place(id)
      else { continue }
      let former = tree.places
      guard let plan = try? tree.plan(id, to: place) else { continue }
      planned += 1
      tree.apply(plan)
      #expect(tree.places == Self.expected(plan, former), "\(plan)")
      #expect(Set(tree.places.values).count == tree.places.count, "\(plan)")
      let isRight = plan.moves.allSatisfy { move in
        move.id == id || tree.believedLocation[move.id] == .at(move.place)
      }
      #expect(isRight && plan.moves.contains { $0.id == id && $0.place == place })
      #expect(plan.endings.allSatisfy { Self.mayEnd(tree.believedLocation[$0]) }, "\(plan)")
    }
    #expect(planned > 100)
  }

  private static func mayEnd(_ believedLocation: UnresolvedEntry.BelievedLocation?) -> Bool {
    switch believedLocation {
    case .gone, .outside, .at: true
    case .unknown, nil: false
    }
  }

  /// The replay model: each entry has its new place, if it has one, and ends with a directory that ends.
  private static func expected(_ plan: MovePlan, _ former: [NodeID: Place]) -> [NodeID: Place] {
    var places = former
    for move in plan.moves { places[move.id] = move.place }
    let moving = Set(plan.moves.map(\.id))
    func lasts(_ id: NodeID) -> Bool {
      if id == .root { return true }
      if plan.endings.contains(id), !moving.contains(id) { return false }
      return places[id].map { lasts($0.parent) } ?? false
    }
    return places.filter { lasts($0.key) }
  }

  private static func randomTree(_ random: inout SplitMix64) -> (Tree, [NodeID]) {
    var tree = Tree()
    var ids: [NodeID] = []
    for number in 0..<Int.random(in: 2...10, using: &random) {
      let parent = random.chance(1, of: 2) ? ids.randomElement(using: &random) ?? .root : .root
      ids.append(tree.add("n\(number)", in: parent))
    }
    var taken: Set<Place> = []
    for id in ids {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: tree.believedLocation[id] = .gone
      case 1: tree.believedLocation[id] = .unknown
      case 2, 3:
        guard let place = randomPlace(ids, tree, &random), place != tree.graph.place(id),
          taken.insert(place).inserted
        else { continue }
        tree.believedLocation[id] = .at(place)
      default: break
      }
    }
    return (tree, ids)
  }

  private static func randomPlace(_ ids: [NodeID], _ tree: Tree, _ random: inout SplitMix64) -> Place? {
    if random.chance(2, of: 3) { return ids.randomElement(using: &random).map { tree.graph.place($0) } }
    let parent = random.chance(1, of: 2) ? .root : ids.randomElement(using: &random) ?? .root
    return tree.place("new\(Int.random(in: 0..<20, using: &random))", in: parent)
  }
}
