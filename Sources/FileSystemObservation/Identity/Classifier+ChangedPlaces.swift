import FileIdentity
import LinuxFileSystem

// Documents that seem to be saved with each other's old inodes: they have changed places unobserved.

extension Classifier {
  /// What the inode of a seeming save says of other documents.
  enum Interchange: Equatable {
    /// It is not the old inode of another document.
    case none
    /// It is the old inode of a document whose new inode is not known yet.
    case undecided
    /// These documents have each other's inodes: each has the old inode of the one before it, the first that of the
    /// last.
    case of([NodeID])
  }

  /// Whether documents have changed places, judged by the inode that one of them seems to be saved with.
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

  /// The other names of a document, without those that were removed.
  func otherNames(of id: NodeID) -> [NodeID] {
    guard graph.hasOtherNames(id) else { return [] }
    return graph.names(of: id).filter { $0 != id && unresolved[$0]?.believedLocation != .gone }
  }

  /// Announces that documents have changed places: none was saved.
  mutating func changePlaces(_ members: [NodeID]) {
    for id in members {
      unlinkOthers(of: id)
    }
    let formers = members.map { writing[$0]?.former ?? .unseen }
    let places = members.map { graph.place($0) }
    for id in members {
      stopWriting(id)
      // Two entries must not have one inode at a time.
      graph.setInode(id, .unseen)
    }
    for (index, id) in members.enumerated() {
      graph.setInode(id, formers[index])
      markUnresolved(id, .at(places[(index + members.count - 1) % members.count]), leftByRename: true)
    }
    by(.exchangeFound) { $0.commitMove(members[0], to: places[members.count - 1]) }
    for id in members where graph.isLive(id) { requestLook(at: graph.place(id)) }
  }
}
