import FileIdentity
import LinuxFileSystem

// Entries that were found where no order of moves leads: a directory inside what was inside it.

extension Classifier {
  /// Whether an entry has been missing for so long that whatever it waits for will not turn up.
  func isLongMissing(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    displaced[id].map { now - $0.since >= 3 * timing.settle } ?? false
  }

  /// Tells where entries are that wait for each other: all at once, for no order of moves leads there.
  ///
  /// - Returns: Whether that could be told: it cannot while it hangs on an entry that is missing.
  mutating func untangle(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    var tangle = Tangle()
    guard collect(id, &tangle), tangle.order.count > 1, tangle.order.allSatisfy({ isRooted($0, tangle) }) else {
      return false
    }
    let moves = tangle.order.compactMap { id in
      tangle.destinations[id].map { Move(id, from: graph.place(id), to: $0) }
    }
    let since = moves.map { displaced[$0.id]?.since ?? now }
    for move in moves { takeOut(move) }
    for move in moves {
      // Whatever stands there now is known to be gone.
      if let occupant = graph.node(at: move.place) { endReplaced(occupant, now) }
    }
    for move in moves { graph.putIn(move.id, at: move.place) }
    for (move, since) in zip(moves, since) { noteMoved(move.id, from: move.former, since, isFound: true, now) }
    return true
  }

  /// An entry goes from one place to another.
  private struct Move {
    var id: NodeID
    var former: Place
    var place: Place

    init(_ id: NodeID, from former: Place, to place: Place) {
      self.id = id
      self.former = former
      self.place = place
    }
  }

  private mutating func takeOut(_ move: Move) {
    if deferred.remove(move.former) != nil { requests.append(.look(move.former, .check)) }
    takeArrival(at: move.place)
    endDisplacement(move.id)
    graph.takeOut(move.id)
  }

  /// Entries that wait for each other, those first into which others go.
  private struct Tangle {
    var order: [NodeID] = []
    var destinations: [NodeID: Place] = [:]
  }

  /// Adds an entry, and those it waits for.
  private func collect(_ id: NodeID, _ tangle: inout Tangle) -> Bool {
    if tangle.destinations[id] != nil { return true }
    guard case .at(let place) = displaced[id]?.whereabouts, graph.isLive(place.parent) else { return false }
    tangle.destinations[id] = place
    var directory = place.parent
    while directory != .root, displaced[directory] == nil { directory = graph[directory].parent }
    if directory != .root, !collect(directory, &tangle) { return false }
    tangle.order.append(id)
    guard let occupant = graph.node(at: place), occupant != id else { return true }
    switch displaced[occupant]?.whereabouts {
    case .at: return collect(occupant, &tangle)
    case .gone, .outside: return true
    case .unknown, nil: return false
    }
  }

  /// Whether an entry will be in the observed directory when all are where they are known to be.
  private func isRooted(_ id: NodeID, _ tangle: Tangle) -> Bool {
    var passed: Set<NodeID> = []
    var current = id
    while current != .root {
      guard passed.insert(current).inserted else { return false }
      current = tangle.destinations[current]?.parent ?? graph[current].parent
    }
    return true
  }
}
