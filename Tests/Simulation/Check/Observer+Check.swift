import FileIdentity
import FileSystemObservation
import LinuxFileSystem

// What must hold at every quiet point.

/// An item as it was at the last quiet point.
struct Settled {
  var path: Path
  var uuid: UUIDBits
  var inode: Inode
  /// Whether a file outside the tree bears its tag, too: when one goes and the other comes in, its identity has moved.
  var isSharedOutside: Bool
}

extension Observer {
  private var names: NameTable { simulation.names }

  private func report(_ rule: Violation.Rule, _ text: String, subject: String = "") {
    simulation.report(rule, text, subject: subject)
  }

  /// An item of the observed tree.
  struct Visible {
    var path: Path
    var inode: Inode
    var uuid: UUIDBits?
  }

  func check(forgets: Bool) {
    guard engine != nil, let tree = simulation.disk.find(simulation.places.tree) else { return }
    var visible: [Visible] = []
    forgetAmbiguous()
    compare(tree, simulation.places.tree, replay.root, &visible)
    checkGraph(visible)
    checkUniqueness(visible)
    if forgets { checkBooks() }
    checkOperations()
    told = []
    isTorn = false
    let outside = simulation.tagsOutside()
    settled = visible.compactMap { item in
      guard let uuid = item.uuid, standing[uuid]?.isArriving != true, !simulation.isHeldUp(item.path)
      else { return nil }
      return Settled(
        path: item.path, uuid: uuid, inode: item.inode, isSharedOutside: outside.contains(uuid))
    }
  }

  /// Compares a directory with what was told of it.
  private func compare(_ directory: Inode, _ path: Path, _ told: ReplayTree.Node, _ visible: inout [Visible]) {
    var count = 0
    for entry in directory.entries where entry.inode.kind != .special && simulation.isVisible(entry.name) {
      let node = told.child(entry.name)
      let place = path.appending(entry.name)
      visible.append(Visible(path: place, inode: entry.inode, uuid: node?.uuid))
      guard let node else {
        if !simulation.isHeldUp(place) { report(.replay, "on disk, but not told: \(names.text(place))") }
        continue
      }
      count += 1
      compare(entry.inode, node, place)
      if entry.inode.kind == .directory { compare(entry.inode, place, node, &visible) }
    }
    guard count < told.children.count else { return }
    for child in told.children where directory.entry(child.name) == nil || !simulation.isVisible(child.name) {
      report(.replay, "told, but not on disk: \(names.text(path.appending(child.name)))")
    }
  }

  private func compare(_ inode: Inode, _ node: ReplayTree.Node, _ place: Path) {
    let kind: ItemKind = inode.kind == .directory ? .directory : inode.kind == .symlink ? .symlink : .file
    if kind != node.kind { report(.replay, "\(names.text(place)) is a \(kind), told was a \(node.kind)") }
    guard inode.kind != .symlink, inode.tag != .uuid(node.uuid), inode.isWritable, inode.isReadable,
      !simulation.isHeldUp(place)
    else { return }
    report(.tag, "\(names.text(place)) bears \(text(inode.tag)), told was \(names.short(node.uuid))")
  }

  private func text(_ tag: TagValue) -> String {
    if case .uuid(let uuid) = tag { names.short(uuid) } else { "\(tag)" }
  }

  /// No UUID stands for two inodes, and no inode for two UUIDs.
  private func checkUniqueness(_ visible: [Visible]) {
    var bearers: [UUIDBits: Int] = [:]
    for (index, item) in visible.enumerated() {
      guard let uuid = item.uuid else { continue }
      if let other = bearers.updateValue(index, forKey: uuid), visible[other].inode !== item.inode {
        report(.ambiguity, "\(names.text(item.path)) and \(names.text(visible[other].path)) have one UUID")
      }
      guard item.inode.linkCount > 1, item.inode.kind == .file else { continue }
      for other in visible where other.inode === item.inode && other.uuid != uuid {
        report(.ambiguity, "\(names.text(item.path)) and \(names.text(other.path)) are one file with two UUIDs")
      }
    }
  }

  /// Nothing may be remembered that was for a while only.
  private func checkBooks() {
    guard let questions = engine?.openQuestions() else { return }
    let left = questions.counts.filter { $0.count > 0 }
    if !left.isEmpty, questions.unfinished.contains(where: { simulation.isHeldUp($0) }) { return }
    for (book, count) in left { report(.books, "\(book) has \(count) entries left", subject: book) }
    if questions.markCount != questions.directoryCount {
      report(.books, "\(questions.markCount) marks for \(questions.directoryCount) directories", subject: "marks")
    }
  }
}
