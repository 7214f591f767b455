import FileIdentity

// A file is all names of one identity: what is set of a file is set of each of them.

extension FileGraph {
  /// Gives a file another identity, under all its names.
  mutating func setIdentity(ofFile id: NodeID, uuid: UUIDBits) {
    for name in names(of: id) { setIdentity(name, uuid: uuid, key: key(name)) }
  }

  /// Sets or clears flags of all names of a file.
  mutating func setFlags(ofFile id: NodeID, _ flags: NodeFlags, _ on: Bool) {
    for name in names(of: id) { setFlags(name, flags, on) }
  }

  /// Gives one name another inode.
  mutating func setInode(_ id: NodeID, _ key: FileKey) { setIdentity(id, uuid: self[id].uuid, key: key) }
}
