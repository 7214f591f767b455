import FileIdentity
import LinuxFileSystem

// The records of files: what all names of a file share, and the flags of each name.

extension FileGraph {
  /// Gives an entry another identity; other names of its file keep theirs.
  mutating func setIdentity(_ id: NodeID, uuid: UUIDBits, key: FileKey) {
    changeUUID(of: id, uuid)
    setInode(id, key)
  }

  /// Gives a file another identity, under all its names; this one becomes the oldest.
  mutating func setUUID(ofFile id: NodeID, _ uuid: UUIDBits) {
    let others = hasOtherNames(id) ? names(of: id).filter { $0 != id } : []
    changeUUID(of: id, uuid)
    for name in others { changeUUID(of: name, uuid) }
  }

  /// Takes a name, with a copy of the record, out of its file, and puts it into the one with another UUID.
  private mutating func changeUUID(of name: NodeID, _ uuid: UUIDBits) {
    guard self[name].uuid != uuid else { return }
    remember(name)
    unindexIdentity(name)
    storage.nodes[name.index].uuid = uuid
    indexIdentity(name)
  }

  /// Gives a file another inode.
  mutating func setInode(_ id: NodeID, _ key: FileKey) {
    let holder = holder(ofRecordOf: id)
    if storage.key(holder) == key { return }
    removeFromKeys(holder)
    storage.nodes[holder.index].inode = key.inode
    storage.nodes[holder.index].born = key.born
    storage.nodes[holder.index].device = deviceNumber(key.device)
    insertIntoKeys(holder)
  }

  /// Sets or clears flags of a name, and of its file.
  mutating func setFlags(_ id: NodeID, _ flags: NodeFlags, _ on: Bool) {
    let ofFile = flags.intersection(.ofFile)
    if !ofFile.isEmpty { change(ofFile, of: holder(ofRecordOf: id), on) }
    let ofName = flags.subtracting(.ofFile)
    if ofName.isEmpty { return }
    let former = storage.nodes[id.index].flags
    if ofName.contains(.copying), former.contains(.copying) != on {
      countCopying(in: storage.nodes[id.index].parent, on ? 1 : -1)
    }
    change(ofName, of: id, on)
    let changed = former.symmetricDifference(storage.nodes[id.index].flags).intersection(NameLists.listed)
    if !changed.isEmpty { nameLists.note(changed, of: id, with: storage.nodes[id.index].uuid, on) }
  }

  private mutating func change(_ flags: NodeFlags, of id: NodeID, _ on: Bool) {
    if on {
      storage.nodes[id.index].flags.formUnion(flags)
    } else {
      storage.nodes[id.index].flags.subtract(flags)
    }
  }
}

// MARK: - Content

extension FileGraph {
  /// The last known time and size of a file.
  func content(of id: NodeID) -> (modified: Int64, size: Int64) {
    let node = self[id]
    return (node.modified, node.size)
  }

  /// Stores the time and size of a file; for a directory, `size` counts its entries instead.
  mutating func setContent(_ id: NodeID, modified: Int64, size: Int64) {
    let holder = holder(ofRecordOf: id)
    storage.nodes[holder.index].modified = modified
    if storage.nodes[holder.index].kind != .directory { storage.nodes[holder.index].size = size }
  }

  /// Stores when an entry was last made, renamed or removed in a directory.
  mutating func setModified(_ directory: NodeID, _ modified: Int64) {
    if self[directory].modified != modified { storage.nodes[directory.index].modified = modified }
  }

  /// Stores when a file or directory was made; 0 if that is unknown.
  ///
  /// Only for copies of a tree, which look up no inode.
  mutating func setCreated(_ id: NodeID, _ created: Int64) {
    let holder = holder(ofRecordOf: id)
    let key = storage.key(holder)
    if (key.hasBirthTime ? key.born : 0) != created { storage.nodes[holder.index].born = created }
  }

  /// Stores the number of entries of a directory whose entries are not in the graph.
  mutating func setChildCount(_ directory: NodeID, _ count: Int) {
    guard self[directory].kind == .directory, self[directory].firstChild == Node.noNode else { return }
    storage.nodes[directory.index].size = Int64(count)
  }
}
