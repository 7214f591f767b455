import FileIdentity
import LinuxFileSystem

// The rows of a tree that was read anew, compared with those before.

extension ListModel {
  /// The rows of the tree as it was before it was read anew.
  struct FormerRows {
    let ids: [NodeID]
    let names: [FileSystemItem.ID]
    /// What was touched by changes that were not announced.
    let touched: [NodeID: UUIDBits?]
    let tree: LiveTree
  }

  /// The difference between former rows and those of now, item by item.
  func difference(from former: FormerRows) -> Difference {
    var difference = Difference()
    var indices = Dictionary(zip(former.names, former.names.indices)) { first, _ in first }
    for (index, id) in rows.all.enumerated() {
      let name = tree.id(of: id)
      guard let before = indices.removeValue(forKey: name) else {
        difference.insertions.append((index, name))
        continue
      }
      let formerID = former.ids[before]
      let isModified = former.touched[formerID] != nil || !former.tree.hasSameItem(formerID, as: id, in: tree)
      difference.note((before, name), (index, name), isModified: isModified)
    }
    for index in indices.values.sorted() { difference.deletions.append((index, former.names[index])) }
    difference.pairs.sort { $0.before < $1.before }
    return difference
  }
}

extension LiveTree {
  /// Whether an entry has the same properties as one of another tree, and is in the same directory.
  func hasSameItem(_ id: NodeID, as other: NodeID, in tree: LiveTree) -> Bool {
    let (node, new) = (graph[id], tree.graph[other])
    return node.kind == new.kind && graph[node.parent].uuid == tree.graph[new.parent].uuid
      && graph.content(of: id) == tree.graph.content(of: other)
      && ItemFacts(id, graph.storage).created == ItemFacts(other, tree.graph.storage).created
      && graph.storage.nameBytes(id).elementsEqual(tree.graph.storage.nameBytes(other))
      && node.flags.intersection([.copying, .tagged]) == new.flags.intersection([.copying, .tagged])
  }

  /// What happened to the directory between two trees.
  func folderEvent(becoming new: LiveTree) -> FileSystemItemList.Changes.FolderEvent? {
    if isPresent != new.isPresent { return new.isPresent ? .returned : .deleted }
    return isPresent && (base != new.base || directory != new.directory) ? .moved : nil
  }

  /// Whether a directory with contents has another name or parent in another tree.
  func hasDirectoryElsewhere(in new: LiveTree) -> Bool {
    guard isDeep else { return false }
    return new.entries.contains { id in
      let node = new.graph[id]
      guard node.kind == .directory, new.graph.storage.hasChildren(id), let former = graph.node(with: node.uuid) else {
        return false
      }
      return new.graph[node.parent].uuid != graph[graph[former].parent].uuid
        || !new.graph.storage.nameBytes(id).elementsEqual(graph.storage.nameBytes(former))
    }
  }
}
