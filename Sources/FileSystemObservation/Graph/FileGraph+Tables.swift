import FileIdentity
import LinuxFileSystem

// The lists of siblings and names, and the look-up tables: all code that changes them.

extension FileGraph {
  static func placeHash(_ id: NodeID, _ storage: GraphStorage, _ hashing: KeyedHash) -> UInt64 {
    let node = storage.nodes[id.index]
    return storage.names.hash(at: node.nameOffset, count: Int(node.nameCount), in: node.parent, hashing)
  }

  /// Without the birth time: few inodes share a number, and a look-up may have only the number.
  static func keyHash(_ key: FileKey, _ hashing: KeyedHash) -> UInt64 { hashing(inode: key.inode, on: key.device) }

  /// Adds an entry to its parent's list and to the table of places.
  mutating func attach(_ id: NodeID) {
    link(id, in: self[id].parent)
    enterPlace(id, Self.placeHash(id, storage, hashing))
  }

  /// Makes an entry the first of its parent's list.
  mutating func link(_ id: NodeID, in parent: NodeID) {
    let first = storage.nodes[parent.index].takeIn(id)
    storage.nodes[id.index].becomeFirst(before: first)
    if let first = Node.id(first) { storage.nodes[first.index].previousSibling = id.rawValue }
    if storage.nodes[id.index].flags.contains(.copying) { countCopying(in: parent, 1) }
  }

  mutating func enterPlace(_ id: NodeID, _ hash: UInt64) {
    if byPlace.isFull { growPlaces() }
    byPlace.insert(id, hash)
  }

  mutating func enterKey(_ id: NodeID, _ hash: UInt64) {
    if byKey.isFull { growKeys() }
    byKey.insert(id, hash)
  }

  mutating func enterUUID(_ id: NodeID, _ uuid: UUIDBits) {
    if byUUID.isFull { growUUIDs() }
    byUUID.insert(id, hashing(uuid))
  }

  // Not inlined, so that the usual entry is short.

  @inline(never) private mutating func growPlaces() {
    byPlace.grow(below: storage.nodes.count) { [storage, hashing] in
      let id = storage.id(at: $0)
      return (id, Self.placeHash(id, storage, hashing))
    }
  }

  @inline(never) private mutating func growKeys() {
    byKey.grow(below: storage.nodes.count) { [storage, hashing] in
      let id = storage.id(at: $0)
      return (id, Self.keyHash(storage.key(id), hashing))
    }
  }

  @inline(never) private mutating func growUUIDs() {
    byUUID.grow(below: storage.nodes.count) { [storage, hashing] in
      let id = storage.id(at: $0)
      return (id, hashing(storage.nodes[id.index].uuid))
    }
  }

  /// Removes an entry from its parent's list and from the table of places.
  mutating func detach(_ id: NodeID) {
    let hash = Self.placeHash(id, storage, hashing)
    byPlace.remove(id, hash) { [storage, hashing] in Self.placeHash($0, storage, hashing) }
    let node = self[id]
    if node.flags.contains(.copying) { countCopying(in: node.parent, -1) }
    storage.takeOut(id)
  }

  /// Adds an entry to the tables of inodes and UUIDs, or a further name to the end of its identity's list.
  mutating func indexIdentity(_ id: NodeID) {
    noteFlags(of: id, isIndexed: true)
    guard let oldest = node(with: storage.nodes[id.index].uuid) else { return insertIntoIdentityTables(id) }
    let last = nameLists.append(id, to: oldest)
    storage.nodes[last.index].nextName = id.rawValue
    storage.nodes[id.index].flags.insert(.furtherName)
  }

  /// Removes an entry from these tables, with a copy of the record of its file.
  ///
  /// If it was the oldest name, the next oldest replaces it.
  mutating func unindexIdentity(_ id: NodeID) {
    noteFlags(of: id, isIndexed: false)
    let oldest = holder(ofRecordOf: id)
    let next = Node.id(storage.nodes[id.index].nextName)
    if oldest == id {
      removeFromIdentityTables(id)
      nameLists.removeOldest(id, next: next)
      if let next { inheritRecord(next, of: id) }
    } else {
      storage.nodes[id.index].takeRecord(of: storage.nodes[oldest.index])
      let previous = nameLists.remove(id, from: oldest, next: next)
      storage.nodes[previous.index].nextName = next?.rawValue ?? Node.noNode
      storage.nodes[id.index].flags.remove(.furtherName)
    }
    if next != nil { storage.nodes[id.index].nextName = Node.noNode }
  }

  private mutating func inheritRecord(_ id: NodeID, of former: NodeID) {
    storage.nodes[id.index].takeRecord(of: storage.nodes[former.index])
    storage.nodes[id.index].flags.remove(.furtherName)
    insertIntoIdentityTables(id)
  }

  /// Adds a name to the lists by flag, or removes it.
  mutating func noteFlags(of id: NodeID, isIndexed: Bool) {
    let flags = storage.nodes[id.index].flags.intersection(NameLists.listed)
    if !flags.isEmpty { nameLists.note(flags, of: id, with: storage.nodes[id.index].uuid, isIndexed) }
  }

  /// Makes a name represent its identity, as if it were the oldest.
  mutating func makeOldest(_ id: NodeID) {
    let others = names(of: id).filter { $0 != id }
    for name in others { unindexIdentity(name) }
    for name in others { indexIdentity(name) }
  }

  /// Adds an identity of a stored graph to the tables; the list of its names exists already.
  mutating func indexKeptIdentity(of oldest: NodeID) {
    insertIntoIdentityTables(oldest)
    noteFlags(of: oldest, isIndexed: true)
    var next = Node.id(storage.nodes[oldest.index].nextName)
    while let name = next {
      noteFlags(of: name, isIndexed: true)
      _ = nameLists.append(name, to: oldest)
      next = Node.id(storage.nodes[name.index].nextName)
    }
  }

  private mutating func insertIntoIdentityTables(_ id: NodeID) {
    insertIntoKeys(id)
    enterUUID(id, storage.nodes[id.index].uuid)
  }

  private mutating func removeFromIdentityTables(_ id: NodeID) {
    removeFromKeys(id)
    let uuid = storage.nodes[id.index].uuid
    byUUID.remove(id, hashing(uuid)) { [storage, hashing] in hashing(storage.nodes[$0.index].uuid) }
  }

  /// An inode that has not been looked at has no known number, and is not in the table of inodes.
  mutating func insertIntoKeys(_ id: NodeID) {
    let key = storage.key(id)
    if !key.isUnseen { enterKey(id, Self.keyHash(key, hashing)) }
  }

  mutating func removeFromKeys(_ id: NodeID) {
    let key = storage.key(id)
    if key.isUnseen { return }
    byKey.remove(id, Self.keyHash(key, hashing)) { [storage, hashing] in Self.keyHash(storage.key($0), hashing) }
  }

  /// Compacts the names when more than half of their bytes are unused.
  mutating func compactNamesIfNeeded() {
    guard storage.names.wasted > 1 << 20, storage.names.wasted > storage.names.used else { return }
    var names = NameArena(generation: storage.names.generation + 1)
    for index in 0..<storage.nodes.count where storage.nodes[index].flags.contains(.live) {
      let node = storage.nodes[index]
      let name = storage.names.bytes(at: node.nameOffset, count: Int(node.nameCount))
      storage.nodes[index].nameOffset = names.append(name.span)
    }
    storage.names = names
  }
}
