import LinuxFileSystem

extension FileGraph {
  /// The entries are a tree: each is listed once, by its directory, and is below the root.
  func checkInvariants(_ report: inout InvariantReport) {
    var listed = 0
    for id in storage.liveIDs where storage.hasChildren(id) || storage.nodes[id.index].kind == .directory {
      listed += checkList(of: id, &report)
    }
    report.expect(listed == count, "directories list \(listed) entries of \(count)")
    // A circle has no entry at the root; walking up from each entry would never end.
    report.expect(entriesBelowRoot == count, "\(entriesBelowRoot) entries of \(count) are below the root")
  }

  /// Returns the number of entries that a directory lists.
  private func checkList(of directory: NodeID, _ report: inout InvariantReport) -> Int {
    let node = storage.nodes[directory.index]
    report.expect(node.kind == .directory, "\(directory) has entries, and is no directory")
    var listed = 0
    var previous = Node.noNode
    var next = node.firstChild
    while let child = Node.id(next), listed <= count {
      let entry = storage.nodes[child.index]
      report.expect(isLive(child) && entry.parent == directory, "\(directory) lists \(child), which is not in it")
      report.expect(entry.previousSibling == previous, "\(child) does not follow what lists it")
      (previous, next) = (next, entry.nextSibling)
      listed += 1
    }
    report.expect(Int64(listed) == node.size, "\(directory) lists \(listed) entries, and has \(node.size)")
    return listed
  }

  /// The number of entries that the walk from the root finds; ends in a damaged graph, too.
  private var entriesBelowRoot: Int {
    var waiting = [NodeID.root]
    var found = -1
    while let directory = waiting.popLast(), found <= count {
      found += 1
      var next = Node.id(storage.nodes[directory.index].firstChild)
      while let child = next, waiting.count <= count {
        waiting.append(child)
        next = Node.id(storage.nodes[child.index].nextSibling)
      }
    }
    return found
  }
}
