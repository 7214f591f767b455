import FileIdentity
import LinuxFileSystem

// Entries by place, inode and UUID.

extension FileGraph {
  func node(named name: Span<UInt8>, in parent: NodeID) -> NodeID? {
    node(named: name, in: parent, hash: hashing(name, in: parent))
  }

  func node(named name: Span<UInt8>, in parent: NodeID, hash: UInt64) -> NodeID? {
    byPlace.find(hash) { id in
      let node = storage.nodes[id.index]
      return node.parent == parent && Int(node.nameCount) == name.count
        && storage.names.matches(at: node.nameOffset, name)
    }
  }

  func node(at place: Place) -> NodeID? { node(named: place.name.span, in: place.parent) }

  /// The entry that names lead to from the root; the root itself if there are none.
  func node(along names: [FileName]) -> NodeID? {
    names.isEmpty ? .root : place(along: names).flatMap { node(at: $0) }
  }

  /// The first that fits of an entry and the directories above it; the root is none of them.
  func nearest(from id: NodeID, where fits: (NodeID) -> Bool) -> NodeID? {
    var current = id
    while current != .root {
      if fits(current) { return current }
      current = self[current].parent
    }
    return nil
  }

  /// The place that names lead to from the root; `nil` if a directory on the way is unknown.
  func place(along names: [FileName]) -> Place? {
    var parent = NodeID.root
    for name in names.dropLast() {
      guard let next = node(at: Place(parent: parent, name: name)) else { return nil }
      parent = next
    }
    return names.last.map { Place(parent: parent, name: $0) }
  }

  /// The oldest name of an inode.
  func node(with key: FileKey) -> NodeID? { node(with: key, hash: Self.keyHash(key, hashing)) }

  func node(with key: FileKey, hash: UInt64) -> NodeID? {
    byKey.find(hash) { storage.key($0) == key }
  }

  /// An entry whose inode has this number.
  func node(withInode inode: UInt64, on device: UInt64) -> NodeID? {
    byKey.find(hashing(inode: inode, on: device)) { id in
      let key = storage.key(id)
      return key.inode == inode && key.device == device
    }
  }

  func node(with uuid: UUIDBits) -> NodeID? {
    byUUID.find(hashing(uuid)) { storage.nodes[$0.index].uuid == uuid }
  }
}
