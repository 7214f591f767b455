import FileIdentity
import FileSystemObservation
import LinuxFileSystem

// The graph must have what is on disk and what was announced, and nothing else.

extension Observer {
  private var names: NameTable { simulation.names }

  private func report(_ rule: Violation.Rule, _ text: String, subject: String = "") {
    simulation.report(rule, text, subject: subject)
  }

  func checkGraph(_ visible: [Visible]) {
    guard let engine, let tree = simulation.disk.find(simulation.places.tree) else { return }
    var found: [NodeID: (Inode, ReplayTree.Node)] = [.root: (tree, replay.root)]
    var (parent, directory, told) = (NodeID.root, tree, replay.root)
    var count = 0
    let names = names
    var contents: [UUIDBits: KnownContent] = [:]
    engine.forEachKnownItem { item in
      count += 1
      if item.parent != parent, let (inode, node) = found[item.parent] {
        (parent, directory, told) = (item.parent, inode, node)
      }
      let name = names.number(item.name.span)
      guard item.parent == parent, let inode = directory.entry(name)?.inode, let node = told.child(name) else {
        report(.graph, "the graph has \(names.name(name)), which is not there or was not told")
        return
      }
      if inode.kind == .directory { found[item.id] = (inode, node) }
      if !isSame(item, inode, node) { complain(item, inode, node, directory) }
      if inode.kind == .file { contents[item.uuid] = KnownContent(size: item.size, modified: item.modified) }
    }
    checkContents(contents)
    let announcedCount = visible.count { $0.node != nil }
    if count != announcedCount { report(.graph, "the graph has \(count) items, told were \(announcedCount)") }
  }

  /// Checks that every change of size or modification time is announced, however it was found.
  private func checkContents(_ contents: [UUIDBits: KnownContent]) {
    defer { knownContents = contents }
    if contents == knownContents { return }
    for (uuid, content) in contents {
      guard let former = knownContents[uuid], former != content else { continue }
      let isAnnounced = told.contains { $0.uuid == uuid && Self.newContent.contains($0.kind) }
      if isAnnounced { continue }
      report(.content, "\(names.short(uuid)) has changed, and is not told as modified", subject: "modified")
    }
  }

  private static let newContent: Set<FileSystemChange.Kind> = [.modified, .discovered, .duplicated, .copyFinished]

  private func isSame(_ item: KnownItem, _ inode: Inode, _ node: ReplayTree.Node) -> Bool {
    guard inode.key == item.key, item.uuid == node.uuid else { return false }
    return inode.kind != .file
      || inode.size == item.size && inode.modified == item.modified && !item.isCopying
        && !isArriving(item.uuid)
  }

  /// Whether the kernel reported all changes of a file.
  func isHeardOf(_ inode: Inode) -> Bool {
    !inode.isChangedUnwatched && (simulation.options.includesHidden || !inode.isChangedUnseen)
  }

  /// Whether the observer can see all changes of a file: those through an unobserved name are unseen.
  func isSeen(_ inode: Inode) -> Bool {
    isHeardOf(inode) && inode.dentries.allSatisfy(isVisible)
  }

  private func isVisible(_ dentry: Dentry) -> Bool {
    let path = dentry.path
    guard path.isInside(simulation.places.tree) else { return false }
    return path.names.dropFirst(simulation.places.tree.names.count).allSatisfy { simulation.isVisible($0) }
  }

  private func complain(_ item: KnownItem, _ inode: Inode, _ node: ReplayTree.Node, _ directory: Inode) {
    let path = simulation.path(of: directory).appending(names.number(item.name.span))
    if inode.key != item.key { report(.graph, "the graph has another inode for \(names.text(path))") }
    if item.uuid != node.uuid { report(.graph, "the graph has another UUID for \(names.text(path))") }
    guard inode.kind == .file, !simulation.isHeldUp(inode) else { return }
    if inode.size != item.size || inode.modified != item.modified, isSeen(inode) {
      report(.graph, "the graph knows an older content of \(names.text(path))", subject: "content")
    }
    if item.isCopying || isArriving(item.uuid) {
      report(.finish, "\(names.text(path)) was not told as finished")
    }
  }
}

/// The size and time that an observer knows of a file.
struct KnownContent: Equatable {
  var size: Int64
  var modified: Int64
}
