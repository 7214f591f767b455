import FileIdentity
import LinuxFileSystem

// Entries that were found where no order of moves leads: a directory inside what was inside it.

extension Classifier {
  /// Whether an entry has been missing for so long that whatever it waits for will not turn up.
  func isLongMissing(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    displaced[id].map { now - $0.since >= 3 * timing.settle } ?? false
  }

  /// Tells where entries are that wait for each other.
  ///
  /// They go by way of the observed directory, under names that never were on disk: by which way they went nobody saw, and there is none
  /// that leaves out one of them.
  ///
  /// - Returns: Whether that could be told: it cannot while it hangs on an entry that is missing.
  mutating func untangle(_ id: NodeID, _ now: MonotonicTime) -> Bool {
    var tangle = Tangle()
    guard collect(id, &tangle), tangle.order.count > 1, tangle.order.allSatisfy({ isRooted($0, tangle) }) else {
      return false
    }
    let ways = tangle.order.map { wayside(of: $0) }
    guard ways.allSatisfy({ graph.node(at: $0) == nil }) else { return false }
    for (entry, way) in zip(tangle.order, ways) { setAside(entry, at: way) }
    for entry in tangle.order {
      guard graph.isLive(entry), let place = tangle.destinations[entry] else { continue }
      commitMove(entry, to: place, now)
    }
    return true
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

  private func wayside(of id: NodeID) -> Place {
    Place(parent: .root, name: FileName(bytes: Array(".fsobserve-\(id.rawValue)".utf8)))
  }

  private mutating func setAside(_ id: NodeID, at place: Place) {
    let former = graph.place(id)
    if deferred.remove(former) != nil { requests.append(.look(former, .check)) }
    let previous = log.storePath(of: id, in: graph)
    let isBeside = graph[id].parent == place.parent
    graph.move(id, to: place)
    notePlace(of: id)
    log.append(isBeside ? .renamed : .moved, id, in: graph, previousPath: previous)
  }
}
