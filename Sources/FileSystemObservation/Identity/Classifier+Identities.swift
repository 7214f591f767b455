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
    while graph.node(with: minted) != nil || unconfirmedTags.has(minted)
      || endedIdentities.contains(minted, onOtherThan: key)
    {
      minted = UUIDBits.minted(after: minted, for: key, on: fileSystem)
    }
    return minted
  }

  /// The entry that has the identity which an inode's tag says: a file is no copy of a directory, whatever tag somebody
  /// gave it.
  func owner(ofTagIn entry: Entry, besides id: NodeID?) -> NodeID? {
    guard let tag = entry.tag.uuid, let owner = graph.node(with: tag), owner != id,
      (graph[owner].kind == .directory) == (entry.kind == .directory)
    else { return nil }
    return owner
  }

  /// Whether all names of an identity are missing, and its inode with them: what left by a rename still is somewhere.
  func hasGone(_ id: NodeID) -> Bool {
    let missing = graph.names(of: id, with: .unresolved)
    return missing.count == graph.nameCount(of: id)
      && missing.allSatisfy { name in
        guard let unresolvedEntry = unresolved[name] else { return false }
        return switch unresolvedEntry.believedLocation {
        case .gone: true
        case .unknown: !unresolvedEntry.leftByRename
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
    graph.names(of: id, atMost: Self.fewNames) { unresolved[$0] == nil }
  }

  /// Whether none of the names that were looked at stands, of a file that has others which may.
  func mustLookFurther(than looked: [NodeID]) -> Bool {
    let live = looked.filter { graph.isLive($0) }
    let standing = Set(live.filter { unresolved[$0] == nil }.map { graph[$0].uuid })
    return live.contains { name in
      unresolved[name] != nil && !standing.contains(graph[name].uuid)
        && graph.nameCount(of: name) > graph.nameCount(of: name, with: .unresolved)
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
}
