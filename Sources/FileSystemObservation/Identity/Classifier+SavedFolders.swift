import FileIdentity
import LinuxFileSystem

// Documents of several files that are saved by replacement: the folder is set aside under any name, another takes its
// place, and the former one is removed. The document and its items go on in the new folder, by their names.

extension Classifier {
  /// Continues the folder that left a place a moment ago in the one that has come there, if it is removed.
  mutating func continueInVersion(at place: Place) {
    if let departure = recentDepartures[from: place], departure.version != nil { continueInVersion(departure.node) }
  }

  /// Continues a folder that is gone in the one that has its place, or its former place, and was made for it.
  mutating func continueInVersion(_ folder: NodeID) {
    guard hasGoneForGood(folder), !isOwnRemoval(of: folder) else { return }
    if version(ofFolder: folder) != nil {
      _ = endByCopying(folder)
    } else if let mover = unresolved.entry(at: graph.place(folder)), isVersion(mover, ofFolder: folder) {
      commitMove(mover, to: graph.place(folder))
    }
  }

  /// Moves an item of a removed folder to its name in the next version, where it has not been seen yet.
  ///
  /// - Returns: Whether it waits there.
  mutating func moveToVersion(_ id: NodeID, _ folder: NodeID) -> Bool {
    let place = Place(parent: folder, name: graph.name(id))
    guard graph.isLive(folder), isFree(place), unresolved.entry(at: place) == nil else { return false }
    let arrival = takeArrival(at: place)
    commitMove(id, to: place)
    let hasMoved = graph.node(at: place) == id
    if hasMoved { markUnresolved(id, .gone, leftByRename: false) }
    if let arrival { put(arrival, at: place) }
    if hasMoved { continueIdentity(of: id) }
    return hasMoved
  }
}
