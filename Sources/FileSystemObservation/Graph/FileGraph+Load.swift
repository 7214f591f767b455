import FileIdentity
import LinuxFileSystem

// New entries in the first scan.

/// The hashes of an entry, computed once for all table accesses of a new entry in the first scan.
///
/// With names hashed eight bytes at a time, this saves 594 of 4,324 instructions a file (callgrind).
struct EntryHashes: Sendable {
  var place: UInt64 = 0
  var key: UInt64 = 0
}

extension FileGraph {
  /// The hashes of an entry, whose table slots the processor fetches meanwhile.
  func prefetchedHashes(_ name: Span<UInt8>, in parent: NodeID, _ key: FileKey, _ uuid: UUIDBits?) -> EntryHashes {
    let hashes = EntryHashes(place: hashing(name, in: parent), key: Self.keyHash(key, hashing))
    byPlace.prefetch(hashes.place)
    byKey.prefetch(hashes.key)
    if let uuid { byUUID.prefetch(hashing(uuid)) }
    return hashes
  }

  /// Whether neither the place nor the inode of an entry is known.
  func isNew(_ name: Span<UInt8>, in parent: NodeID, _ key: FileKey, _ hashes: EntryHashes) -> Bool {
    node(named: name, in: parent, hash: hashes.place) == nil && node(with: key, hash: hashes.key) == nil
  }

  /// Adds an entry with a new inode and a new UUID, at a place that has none.
  mutating func insertNew(
    _ content: Content, named name: Span<UInt8>, in parent: NodeID, _ hashes: EntryHashes
  ) -> NodeID {
    assert(isNew(name, in: parent, content.key, hashes) && node(with: content.uuid) == nil && content.key != .unseen)
    let id = store(content, named: name, in: parent)
    link(id, in: parent)
    enterPlace(id, hashes.place)
    enterKey(id, hashes.key)
    enterUUID(id, content.uuid)
    noteFlags(of: id, isIndexed: true)
    return id
  }
}
