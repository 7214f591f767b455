import FileIdentity
import LinuxFileSystem

/// The tags of the tree of an earlier run, which need not be read again where nothing has changed.
///
/// A tag is presumed to be as it was if the inode is the same, with the same content, and its last change of any kind
/// came before the tree was stored. Even where that is wrong, because a clock was set, nothing gets another identity: a
/// file that is where it was, with the same inode, keeps the one that it has.
struct KnownTags: Sendable {
  let graph: FileGraph
  /// In nanoseconds since the epoch.
  private let changedBefore: Int64

  /// A change may have been seen as late as this, in nanoseconds.
  private static let margin: Int64 = 2_000_000_000

  init(_ graph: FileGraph, storedAt date: Int64) {
    self.graph = graph
    changedBefore = date - Self.margin
  }

  func tag(of name: NameView, in directory: NodeID, _ status: FileStatus) -> UUIDBits? {
    guard status.changed < changedBefore, status.kind == .directory || status.linkCount < 2,
      let id = graph.node(named: name.span, in: directory)
    else { return nil }
    let node = graph[id]
    guard node.flags.contains(.tagged), node.flags.isDisjoint(with: [.copying, .tagUnread]), node.kind == status.kind,
      node.inode == status.inode, graph.key(id) == FileKey(status)
    else { return nil }
    if node.kind == .file, node.modified != status.modified || node.size != status.size { return nil }
    return node.uuid
  }
}
