import FileIdentity
import LinuxFileSystem

// Which identity a newcomer has.

extension Classifier {
  /// The UUID of a newcomer: never one that another file has, or had when it went away.
  func identity(for entry: Entry, copyOf original: NodeID?) -> UUIDBits {
    if let tag = entry.tag.uuid, original == nil || own?.originals[tag] != nil, graph.node(with: tag) == nil {
      return tag
    }
    return freeIdentity(for: entry.key, on: entry.fileSystem)
  }

  /// The first UUID minted for an inode that nothing else has or had, nor bears as its tag while it waits to be told.
  func freeIdentity(for key: FileKey, on fileSystem: UInt64) -> UUIDBits {
    var minted = UUIDBits.minted(for: key, on: fileSystem)
    while graph.node(with: minted) != nil || tagsInDoubt.hasMembers(minted)
      || departed.contains(minted, onOtherThan: key)
    {
      minted = UUIDBits.minted(after: minted, for: key, on: fileSystem)
    }
    return minted
  }

  /// The entry that has the identity which an inode's tag says: a file is no copy of a directory, whatever tag somebody
  /// gave it.
  func bearer(ofTagIn entry: Entry, besides id: NodeID?) -> NodeID? {
    guard let tag = entry.tag.uuid, let bearer = graph.node(with: tag), bearer != id,
      (graph[bearer].kind == .directory) == (entry.kind == .directory)
    else { return nil }
    return bearer
  }

  /// Whether all names of an identity are missing, and its inode with them: what left by a rename still is somewhere.
  func hasGone(_ id: NodeID) -> Bool {
    let missing = graph.names(of: id, with: .displaced)
    return missing.count == graph.nameCount(of: id)
      && missing.allSatisfy { name in
        guard let displacement = displaced[name] else { return false }
        return switch displacement.whereabouts {
        case .gone: true
        case .unknown: !displacement.leftByRename
        case .at, .outside: false
        }
      }
  }

  /// Whether an inode is the version of a document that was saved and renamed before anybody saw it.
  func isUnseenVersion(_ entry: Entry, of document: NodeID) -> Bool {
    graph.key(document) == .unseen && hasLeft(document) && writing[document].map { $0.former != entry.key } == true
  }
}

// MARK: - Several names of a file

extension Classifier {
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
}

// MARK: - Places

extension Classifier {
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
