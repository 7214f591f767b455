import FileIdentity
import LinuxFileSystem

// The identity of a new inode.

extension Classifier {
  /// The UUID of a new inode: never one that another file has, or had when it ended.
  func identity(for entry: Entry, copyOf original: NodeID?) -> UUIDBits {
    if let tag = entry.tag.uuid, original == nil || own?.originals[tag] != nil, graph.node(with: tag) == nil {
      return tag
    }
    return freeIdentity(for: entry.key, on: entry.fileSystem)
  }

  /// The first UUID minted for an inode that no file has or had, and no unconfirmed tag has.
  func freeIdentity(for key: FileKey, on fileSystem: UInt64) -> UUIDBits {
    var minted = UUIDBits.minted(for: key, on: fileSystem)
    while graph.node(with: minted) != nil || unconfirmedTags.has(minted)
      || endedIdentities.contains(minted, onOtherThan: key)
    {
      minted = UUIDBits.minted(after: minted, for: key, on: fileSystem)
    }
    return minted
  }

  /// The entry with the identity in an inode's tag; a file is no copy of a directory, whatever its tag.
  func owner(ofTagIn entry: Entry, besides id: NodeID?) -> NodeID? {
    guard let tag = entry.tag.uuid, let owner = graph.node(with: tag), owner != id,
      (graph[owner].kind == .directory) == (entry.kind == .directory)
    else { return nil }
    return owner
  }

  /// Whether an inode has no identity yet, or a provisional one: it was not announced, or as being copied.
  func isUnidentified(_ key: FileKey) -> Bool {
    graph.node(with: key).map { graph[$0].flags.contains(.copying) } ?? true
  }

  /// Whether an inode that no entry has may be that of an entry whose inode was never seen.
  func mayHaveInode(_ id: NodeID, of entry: Entry) -> Bool {
    graph.key(id) == .unseen && graph[id].kind == entry.kind && graph.node(with: entry.key) == nil
  }

  /// Whether all names of an identity are gone; one that left by a rename is still somewhere.
  func hasGone(_ id: NodeID) -> Bool {
    let missing = graph.names(of: id, with: .unresolved)
    return missing.count == graph.nameCount(of: id) && missing.allSatisfy { unresolved[$0]?.isGone == true }
  }

  /// Whether an inode is a version of a document that was saved and renamed before any look.
  func isUnseenVersion(_ entry: Entry, of document: NodeID) -> Bool {
    graph.key(document) == .unseen && hasLeft(document) && writing[document].map { $0.former != entry.key } == true
  }
}

// MARK: - Several names of a file

extension Classifier {
  /// The number of names up to which all are looked at; few files have more, and some of those very many.
  static var fewNames: Int { 16 }

  /// The resolved names of an identity; only the oldest of them if there are many.
  func someNames(of id: NodeID) -> [NodeID] {
    graph.names(of: id, atMost: Self.fewNames) { unresolved[$0] == nil }
  }

  /// Whether a file may have a name, though none of the names that were looked at is there.
  func mustLookFurther(than looked: [NodeID]) -> Bool {
    let live = looked.filter { graph.isLive($0) }
    let standing = Set(live.filter { unresolved[$0] == nil }.map { graph[$0].uuid })
    return live.contains { name in
      unresolved[name] != nil && !standing.contains(graph[name].uuid)
        && graph.nameCount(of: name) > graph.nameCount(of: name, with: .unresolved)
    }
  }
}
