import LinuxFileSystem

// What is kept of entries by the directories they are in.

extension Classifier {
  /// The content of an entry begins to be written, or to be taken for a save.
  mutating func beginWriting(_ id: NodeID, _ progress: Progress) {
    let place = graph.place(id)
    writing.begin(id, in: place.parent, partialNames(at: place), progress)
    graph.setFlags(id, .written, true)
    noteBeginning(of: id)
    timers.schedule(.writing(id), at: progress.nextCheck)
  }

  /// The content of an entry is not being written any more, as far as is known.
  mutating func stopWriting(_ id: NodeID) {
    writing[id] = nil
    graph.setFlags(id, .written, false)
  }

  /// An entry has another place in the graph: what is kept of it by its directory and name follows.
  mutating func notePlace(of id: NodeID) {
    if writing[id] != nil { writing.move(id, to: graph[id].parent, partialNames(at: graph.place(id))) }
  }

  /// Files have fewer names than this, but for a few that have very many.
  static var fewNames: Int { 16 }

  /// The names of an identity that stand as far as is known; the oldest of them, where there are many.
  func someNames(of id: NodeID) -> [NodeID] {
    graph.names(of: id, atMost: Self.fewNames) { displaced[$0] == nil }
  }

  /// Whether none of the names that were looked at stands, of a file that has others which may.
  func mustLookFurther(than looked: [NodeID]) -> Bool {
    let live = looked.filter { graph.isLive($0) }
    let standing = Set(live.filter { displaced[$0] == nil }.map { graph[$0].uuid })
    return live.contains { name in
      displaced[name] != nil && !standing.contains(graph[name].uuid)
        && graph.nameCount(of: name) > graph.nameCount(of: name, with: .displaced)
    }
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
