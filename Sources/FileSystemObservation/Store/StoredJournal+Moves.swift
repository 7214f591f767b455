import FileIdentity
import LinuxFileSystem

// What renamed and moved folders took along: it is not stored with the sets, but follows from the tree.

extension StoredJournal {
  /// The same sets, with the trees after those that move a folder.
  ///
  /// - Parameter sets: All sets from a number on to the last one.
  func completed(_ sets: [FileSystemChanges]) throws -> [FileSystemChanges] {
    guard sets.contains(where: \.movesDirectory), let stored = try StoredTree.load(from: reading) else { return sets }
    return sets.completed(by: FileSystemTree(stored.snapshot))
  }
}

extension [FileSystemChanges] {
  /// The same sets, with the trees after those that move a folder.
  ///
  /// - Parameter last: A snapshot after one of the sets.
  func completed(by last: FileSystemSnapshot) -> [FileSystemChanges] {
    contains(where: \.movesDirectory) ? completed(by: FileSystemTree(last)) : self
  }

  /// The same sets, with the trees after those that move a folder.
  ///
  /// - Parameter last: The tree after one of the sets; those that follow that one stay as they are.
  func completed(by last: FileSystemTree) -> [FileSystemChanges] {
    guard let first = firstIndex(where: \.movesDirectory),
      let end = lastIndex(where: { $0.sequence == last.sequence }), first <= end
    else { return self }
    var (sets, tree) = (self, last)
    for index in (first...end).reversed() {
      guard let log = sets[index].log else { continue }
      if log.movesDirectory { sets[index] = sets[index].completed(by: tree) }
      if index > first { tree.apply(log.stepsBack) }
    }
    return sets
  }
}

extension FileSystemChanges {
  var movesDirectory: Bool { log?.movesDirectory == true }

  /// The same set, with the tree after it.
  func completed(by tree: FileSystemTree) -> FileSystemChanges {
    guard var log else { return self }
    // The entries of a tree that was made from a later one have other numbers.
    for index in log.records.indices {
      guard let id = tree.graph.node(atPath: log.paths[log.records[index].path]),
        tree.graph[id].uuid == log.records[index].uuid
      else { continue }
      log.records[index].node = id
    }
    return FileSystemChanges(
      log, tree.graph.storage, sequence: sequence, directory: directory, epoch: cursor?.epoch)
  }
}

extension ChangeLog {
  /// What leads from the tree after the set to the one before it.
  var stepsBack: [TreeStep] {
    let unlinked = Set(records.filter { $0.kind == .unlinked }.map { paths[$0.path] })
    return records.reversed().compactMap { record in
      var step = TreeStep(record, self)
      switch (record.kind, record.effect) {
      case (.renamed, _), (.moved, _):
        // The oldest name of a file was removed, and this was there.
        guard let previous = step.previousPath, !unlinked.contains(previous) else { return nil }
        (step.kind, step.path, step.previousPath) = (.moved, previous, step.path)
      case (.deleted, _): step.kind = .discovered
      case (.unlinked, _): step.kind = .linked
      case (.linked, _): step.kind = .unlinked
      case (.discovered, _), (.duplicated, .comesOrGoes), (.duplicated, .changesIdentity): step.kind = .deleted
      default: return nil
      }
      return step
    }
  }
}
