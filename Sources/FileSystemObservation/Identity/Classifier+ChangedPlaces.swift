import FileIdentity
import LinuxFileSystem

// Documents that seem to be saved, each with the old inode of another: they have changed places where nobody looked.

extension Classifier {
  /// What the inode that a document seems to be saved with says of others.
  enum Interchange: Equatable {
    /// It is no other document's old inode.
    case none
    /// It is that of one whose new inode is not known yet.
    case undecided
    /// These have each other's inodes: each has its own at the place of the one before it, the first at that of the
    /// last.
    case of([NodeID])
  }

  /// Whether documents have changed places, if the inode that one of them seems to be saved with is the old one of
  /// another.
  func interchange(with id: NodeID, _ entry: Entry) -> Interchange {
    guard mayHaveChangedPlaces(id, entry) else { return .none }
    var members = [id]
    var known: Set<NodeID> = [id]
    while let last = members.last, let next = writing.document(savedFrom: graph.key(last)) {
      if next == id { return members.count > 1 ? .of(members) : .none }
      let others = otherNames(of: next)
      if !known.insert(next).inserted || others.contains(where: { unresolved[$0] == nil }) { return .none }
      if !others.isEmpty || unresolved[next] != nil || graph.key(next) == .unseen { return .undecided }
      members.append(next)
    }
    return .none
  }

  private func mayHaveChangedPlaces(_ id: NodeID, _ entry: Entry) -> Bool {
    if !otherNames(of: id).isEmpty { return false }
    guard let tag = entry.tag.uuid else { return true }
    guard let owner = graph.node(with: tag), owner != id else { return false }
    return writing[owner]?.former == entry.key
  }

  /// The further names of a document, but for those that were removed.
  func otherNames(of id: NodeID) -> [NodeID] {
    guard graph.hasOtherNames(id) else { return [] }
    return graph.names(of: id).filter { $0 != id && unresolved[$0]?.believedLocation != .gone }
  }

  /// Tells that documents have changed places: nothing was saved.
  mutating func changePlaces(_ members: [NodeID]) {
    for id in members {
      unlinkOthers(of: id)
    }
    let formers = members.map { writing[$0]?.former ?? .unseen }
    let places = members.map { graph.place($0) }
    for id in members {
      stopWriting(id)
      noteUnconfirmedTag(id, .none)
      // No two may have one inode at the same time.
      graph.setInode(id, .unseen)
    }
    for (index, id) in members.enumerated() {
      graph.setInode(id, formers[index])
      markUnresolved(id, .at(places[(index + members.count - 1) % members.count]), leftByRename: true)
    }
    by(.exchangeFound) { $0.commitMove(members[0], to: places[members.count - 1]) }
    for id in members where graph.isLive(id) { requests.append(.look(graph.place(id), .check)) }
  }
}
