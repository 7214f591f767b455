import LinuxFileSystem

/// Moves of entries that happen together, and the entries that end for them.
///
/// An entry in the way of a move goes to its known place, and so does an entry in the way there. An entry that is known
/// to be gone ends. All entries are first taken out of the graph, and then put in. So no order has to be found: entries
/// may change places in a circle, and directories may go into their own descendants.
struct MovePlan: Equatable {
  struct Move: Equatable {
    var id: NodeID
    var former: Place
    var place: Place
  }

  enum Obstacle: Error, Equatable {
    /// An entry is in the way that may still be there.
    case occupied(by: NodeID)
    /// The entry would be outside of the observed directory: the target directory is gone, or inside the entry.
    case unrooted(NodeID)
  }

  /// The believed location of an entry that has left its place; `nil` for all others.
  typealias BelievedLocation = (NodeID) -> UnresolvedEntry.BelievedLocation?

  /// The moves, those that make room first.
  private(set) var moves: [Move] = []
  /// The entries that end because another gets their place, with everything that does not leave them.
  private(set) var endings: [NodeID] = []

  /// Plans the move of an entry; `ending` ends even if it may still be there.
  init(
    _ id: NodeID, to place: Place, ending: NodeID? = nil, in graph: borrowing FileGraph,
    _ believedLocation: BelievedLocation
  ) throws(Obstacle) {
    var draft = Draft()
    if let ending { draft.endings.insert(ending) }
    try draft.add([(id, place)], graph, believedLocation)
    draft.addContentsOfEndings(graph, believedLocation)
    self.init(draft, graph)
  }

  init(
    exchanging first: NodeID, with second: NodeID, in graph: borrowing FileGraph, _ believedLocation: BelievedLocation
  ) throws(Obstacle) {
    var draft = Draft()
    try draft.add([(second, graph.place(first)), (first, graph.place(second))], graph, believedLocation)
    self.init(draft, graph)
  }

  /// Plans the moves out of a directory that ends; entries that cannot leave end with it.
  init(leaving directory: NodeID, in graph: borrowing FileGraph, _ believedLocation: BelievedLocation) {
    var draft = Draft()
    draft.endings.insert(directory)
    draft.addContentsOfEndings(graph, believedLocation)
    draft.endings.remove(directory)
    self.init(draft, graph)
  }

  private init(_ draft: Draft, _ graph: borrowing FileGraph) {
    for id in draft.order.reversed() {
      guard let place = draft.destinations[id] else { continue }
      moves.append(Move(id: id, former: graph.place(id), place: place))
    }
    endings = draft.endings.sorted()
  }
}

private struct Draft {
  private(set) var destinations: [NodeID: Place] = [:]
  /// The moving entries, in the order in which they were added.
  private(set) var order: [NodeID] = []
  private var taken: Set<Place> = []
  var endings: Set<NodeID> = []

  /// Adds moves, with all that they need; on failure the draft is unchanged.
  mutating func add(
    _ moves: [(NodeID, Place)], _ graph: borrowing FileGraph, _ believedLocation: MovePlan.BelievedLocation
  ) throws(MovePlan.Obstacle) {
    var draft = self
    for move in moves { draft.note(move) }
    var waiting = moves
    while let (id, place) = waiting.popLast() {
      guard graph.isLive(place.parent) else { throw .unrooted(id) }
      var next = try draft.clear(place, graph, believedLocation)
      if next == nil, waiting.isEmpty { next = try draft.untangle(graph, believedLocation) }
      guard let next else { continue }
      draft.note(next)
      waiting.append(next)
    }
    self = draft
  }

  private mutating func note(_ move: (id: NodeID, place: Place)) {
    destinations[move.id] = move.place
    taken.insert(move.place)
    order.append(move.id)
  }

  /// Clears a place; returns the move of its occupant, if that is known to be elsewhere.
  private mutating func clear(
    _ place: Place, _ graph: borrowing FileGraph, _ believedLocation: MovePlan.BelievedLocation
  ) throws(MovePlan.Obstacle) -> (NodeID, Place)? {
    guard let occupant = graph.node(at: place), destinations[occupant] == nil, !endings.contains(occupant) else {
      return nil
    }
    switch believedLocation(occupant) {
    case .at(let elsewhere) where !taken.contains(elsewhere) && lasts(elsewhere.parent, graph):
      return (occupant, elsewhere)
    case .at, .gone, .outside: endings.insert(occupant)
    case .unknown, nil: throw .occupied(by: occupant)
    }
    return nil
  }

  /// Whether a directory is in the graph, and will not be inside one that ends.
  private func lasts(_ directory: NodeID, _ graph: borrowing FileGraph) -> Bool {
    guard graph.isLive(directory) else { return false }
    if endings.isEmpty { return true }
    var passed: Set<NodeID> = []
    var current = directory
    while current != .root, passed.insert(current).inserted {
      if endings.contains(current) { return false }
      current = parent(of: current, graph)
    }
    return true
  }

  /// Lets a directory leave a circle in which an entry would be inside itself; `nil` if there is no circle.
  private func untangle(
    _ graph: borrowing FileGraph, _ believedLocation: MovePlan.BelievedLocation
  ) throws(MovePlan.Obstacle) -> (NodeID, Place)? {
    for id in destinations.keys.sorted() {
      var passed: Set<NodeID> = [id]
      var current = parent(of: id, graph)
      while current != .root, passed.insert(current).inserted {
        if endings.contains(current) { throw .unrooted(id) }
        current = parent(of: current, graph)
      }
      if current == .root { continue }
      guard let move = moveOut(ofCircleAt: current, graph, believedLocation) else { throw .unrooted(id) }
      return move
    }
    return nil
  }

  /// The move of a directory in a circle that is known to be elsewhere, and does not move yet.
  private func moveOut(
    ofCircleAt start: NodeID, _ graph: borrowing FileGraph, _ believedLocation: MovePlan.BelievedLocation
  ) -> (NodeID, Place)? {
    var current = start
    repeat {
      current = parent(of: current, graph)
      if destinations[current] == nil, case .at(let place) = believedLocation(current), !taken.contains(place),
        graph.isLive(place.parent)
      {
        return (current, place)
      }
    } while current != start
    return nil
  }

  /// Adds the moves of everything that can leave the entries that end.
  mutating func addContentsOfEndings(_ graph: borrowing FileGraph, _ believedLocation: MovePlan.BelievedLocation) {
    var seen: Set<NodeID> = []
    while let ending = endings.subtracting(seen).min() {
      seen.insert(ending)
      guard graph.storage.hasChildren(ending) else { continue }
      var below: [(NodeID, Place)] = []
      graph.storage.forEachDescendant(of: ending) { id in
        if case .at(let elsewhere) = believedLocation(id) { below.append((id, elsewhere)) }
      }
      for move in below where destinations[move.0] == nil && !taken.contains(move.1) {
        try? add([move], graph, believedLocation)
      }
    }
  }

  /// The future directory of an entry.
  private func parent(of id: NodeID, _ graph: borrowing FileGraph) -> NodeID {
    destinations[id]?.parent ?? graph[id].parent
  }
}
