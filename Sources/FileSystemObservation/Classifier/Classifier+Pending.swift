import LinuxFileSystem

// What is kept of entries by the directories they are in.

extension Classifier {
  /// The content of an entry begins to be written, or to be taken for a save.
  mutating func beginWriting(_ id: NodeID, _ progress: Progress) {
    let place = graph.place(id)
    writing.begin(id, in: place.parent, partialNames(at: place), progress)
    timers.schedule(.writing(id), at: progress.nextCheck)
  }

  /// An entry has another place in the graph: what is kept of it by its directory and name follows.
  mutating func notePlace(of id: NodeID) {
    if writing[id] != nil { writing.move(id, to: graph[id].parent, partialNames(at: graph.place(id))) }
  }

  /// The order of places that depends on nothing but what happened.
  func isBefore(_ place: Place, _ other: Place) -> Bool {
    if place.parent != other.parent { return place.parent.rawValue < other.parent.rawValue }
    return place.name.bytes.lexicographicallyPrecedes(other.name.bytes)
  }

  /// What the name of a place says of a file that is not finished; nothing for nearly all names.
  func partialNames(at place: Place) -> [PartialName] {
    patterns.endings(ofPartial: place.name).map { PartialName(directory: place.parent, ending: $0) }
  }
}
