extension FileGraph {
  /// Makes a graph from a stored one that has been checked.
  ///
  /// - Throws: If two entries of a directory have the same name, or two files the same UUID.
  init(stored storage: GraphStorage) throws(StoredDataError) {
    self.init(storage)
    for index in 0..<storage.nodes.count {
      let id = storage.id(at: index)
      guard isLive(id), id != .root else { continue }
      guard node(at: place(id)) == id else { throw StoredDataError("two entries have the same name") }
      guard self[id].flags.contains(.furtherName) || node(with: self[id].uuid) == id else {
        throw StoredDataError("two files have the same UUID")
      }
    }
  }
}
