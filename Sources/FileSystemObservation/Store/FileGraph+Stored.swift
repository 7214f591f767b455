extension FileGraph {
  /// Makes a graph from a stored one that has been checked.
  ///
  /// - Throws: If two entries of a directory have the same name, or two files the same UUID.
  init(stored storage: GraphStorage) throws(StoredDataError) {
    var conflicts: Int? = 0
    self.init(storage, seed: .random(in: 0 ... .max), countingConflicts: &conflicts)
    if let conflicts, conflicts > 0 {
      throw StoredDataError("\(conflicts) entries have the name or the UUID of others")
    }
  }
}
