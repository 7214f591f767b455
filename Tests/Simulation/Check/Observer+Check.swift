import FileIdentity
import FileSystemObservation
import LinuxFileSystem

// What must hold at every quiet point.

/// An item of the observed tree, and what was announced of it.
struct Visible {
  /// The index of the directory; negative for the observed one.
  var parent: Int
  var name: NameNumber
  var inode: Inode
  var node: ReplayTree.Node?
}

extension Observer {
  private var names: NameTable { simulation.names }

  private func report(_ rule: Violation.Rule, _ text: String, subject: String = "") {
    simulation.report(rule, text, subject: subject)
  }

  func check(forgets: Bool) {
    guard engine != nil, let tree = simulation.disk.find(simulation.places.tree) else { return }
    forgetAmbiguous()
    var visible: [Visible] = []
    visible.reserveCapacity(settled.items.count + 8)
    compare(tree, -1, replay.root, &visible)
    checkGraph(visible)
    checkDirectories(visible)
    checkJoiners()
    checkUniqueness(visible)
    if forgets { checkBooks() }
    checkOperations()
    checkUnstoredCopies()
    isTorn = false
    settle(visible)
  }

  /// Checks that files are known as copies although the process was killed before the store had them.
  private func checkUnstoredCopies() {
    defer { unstoredCopies = [:] }
    if simulation.window.ended.contains(where: { $0.operation.changesTag }) { return }
    for (uuid, original) in unstoredCopies where originals[uuid] == nil && replay.place(of: original) != nil {
      guard let place = replay.place(of: uuid), replay.node(at: place)?.kind == .file else { continue }
      report(.saying, "\(names.short(uuid)) was a copy of \(names.short(original))", subject: "lost copy")
    }
  }

  /// Checks that each listener knows the tree, whenever it began to listen.
  private func checkJoiners() {
    guard let engine else { return }
    for text in joiners.differences(engine).prefix(10) { report(.replay, text, subject: "listener") }
  }

  private func settle(_ visible: [Visible]) {
    var unsettled: Set<Int> = []
    let isDoubtful = !arriving.isEmpty
    // Fetched once: every fetch of an unowned reference counts atomically.
    let simulation = simulation
    for index in visible.indices {
      if simulation.isHeldUp(visible[index].inode) {
        unsettled.insert(index)
      } else if let uuid = visible[index].node?.uuid {
        let tag = visible[index].inode.tag
        let isShared = tag != .uuid(uuid) && isBorneByUnfinished(tag)
        if isShared || isDoubtful && arriving.contains(uuid) { unsettled.insert(index) }
      }
    }
    // The tag of an unfinished file becomes its own UUID if the file that it is taken for goes away.
    let borne = unsettled.compactMap { index -> UUIDBits? in
      guard case .uuid(let tag) = visible[index].inode.tag, tag != visible[index].node?.uuid else { return nil }
      return tag
    }
    settled = SettledTree(
      root: simulation.places.tree, items: visible, unsettled: unsettled, shared: simulation.tagsOutside() + borne)
  }

  func path(_ index: Int, _ visible: [Visible]) -> Path {
    guard index >= 0 else { return simulation.places.tree }
    return path(visible[index].parent, visible).appending(visible[index].name)
  }

  /// Compares a directory with what was announced of it.
  private func compare(_ directory: Inode, _ index: Int, _ told: ReplayTree.Node, _ visible: inout [Visible]) {
    var count = 0
    let simulation = simulation
    for entry in directory.entries where entry.inode.kind != .special && simulation.isVisible(entry.name) {
      let node = told.child(entry.name)
      let place = visible.count
      visible.append(Visible(parent: index, name: entry.name, inode: entry.inode, node: node))
      guard let node else {
        if !simulation.isHeldUp(entry.inode) {
          report(.replay, "on disk, but not told: \(names.text(path(place, visible)))")
        }
        continue
      }
      count += 1
      if !isSame(entry.inode, node) { complain(entry, node, path(place, visible)) }
      if entry.inode.kind == .directory { compare(entry.inode, place, node, &visible) }
    }
    guard count < told.children.count else { return }
    for name in told.names where directory.entry(name) == nil || !simulation.isVisible(name) {
      report(.replay, "told, but not on disk: \(names.text(path(index, visible).appending(name)))")
    }
  }

  private func isSame(_ inode: Inode, _ node: ReplayTree.Node) -> Bool {
    switch inode.kind {
    case .file, .special: node.kind == .file && inode.tag == .uuid(node.uuid)
    case .directory: node.kind == .directory && inode.tag == .uuid(node.uuid)
    case .symlink: node.kind == .symlink
    }
  }

  private func complain(_ entry: Dentry, _ node: ReplayTree.Node, _ place: Path) {
    let inode = entry.inode
    let kind: FileSystemItem.Kind = inode.kind == .directory ? .directory : inode.kind == .symlink ? .symlink : .file
    if kind != node.kind { report(.replay, "\(names.text(place)) is a \(kind), told was a \(node.kind)") }
    guard inode.kind != .symlink, inode.tag != .uuid(node.uuid), inode.isWritable, inode.isReadable,
      !simulation.isHeldUp(inode), isSeen(inode), !isBorneByUnfinished(inode.tag)
    else { return }
    report(.tag, "\(names.text(place)) bears \(text(inode.tag)), told was \(names.short(node.uuid))")
  }

  /// Whether the announced bearer of a tag is held up: whose identity it is, is decided when that file is finished.
  private func isBorneByUnfinished(_ tag: TagValue) -> Bool {
    guard case .uuid(let uuid) = tag, let unfinished = engine?.openQuestions().unfinished else { return false }
    return unfinished.contains { bytes in
      let path = names.path(String(decoding: bytes, as: UTF8.self), from: simulation.places.tree)
      return simulation.isHeldUp(path) && replay.node(at: path)?.uuid == uuid
    }
  }

  private func text(_ tag: TagValue) -> String {
    if case .uuid(let uuid) = tag { names.short(uuid) } else { "\(tag)" }
  }

  /// Checks that no UUID has two inodes, and no inode two UUIDs.
  private func checkUniqueness(_ visible: [Visible]) {
    var bearers = BearerTable(capacity: visible.count)
    for (index, item) in visible.enumerated() {
      guard let uuid = item.node?.uuid else { continue }
      let other = bearers.insert(index) {
        visible[$0].node?.uuid == uuid
      } hash: {
        uuid.low
      }
      if let other, visible[other].inode !== item.inode {
        let both = [path(index, visible), path(other, visible)].map { names.text($0) }
        report(.ambiguity, "\(both[0]) and \(both[1]) have one UUID")
      }
      guard item.inode.linkCount > 1, item.inode.kind == .file, !simulation.isHeldUp(item.inode) else { continue }
      for (other, name) in visible.enumerated() where name.inode === item.inode {
        guard let told = name.node?.uuid, told == uuid else {
          let both = [path(index, visible), path(other, visible)].map { names.text($0) }
          report(.ambiguity, "\(both[0]) and \(both[1]) are one file with two UUIDs")
          continue
        }
      }
    }
  }

  /// Checks that all temporary tables are empty.
  private func checkBooks() {
    guard let questions = engine?.openQuestions() else { return }
    let left = questions.counts.filter { $0.count > 0 }
    if !left.isEmpty, questions.unfinished.contains(where: { simulation.isHeldUp($0) }) { return }
    for (book, count) in left { report(.books, "\(book) has \(count) entries left", subject: book) }
    let readable = questions.directoryCount - questions.unreadableCount
    if !(readable...questions.directoryCount).contains(questions.markCount) {
      report(.books, "\(questions.markCount) marks for \(questions.directoryCount) directories", subject: "marks")
    }
    let known = questions.markCount + questions.ancestorMarkCount
    if source.markCount != known {
      report(.books, "\(source.markCount) marks, of which \(known) are known", subject: "unknown marks")
    }
  }
}

/// Finds the item with a UUID; UUIDs are evenly distributed, and need no hashing.
private struct BearerTable {
  private var slots: [Int32]

  init(capacity: Int) {
    var size = 16
    while size < 2 * capacity { size *= 2 }
    slots = Array(repeating: -1, count: size)
  }

  /// Inserts an item, or returns an equal one that is there.
  mutating func insert(_ item: Int, isEqual: (Int) -> Bool, hash: () -> UInt64) -> Int? {
    var slot = Int(truncatingIfNeeded: hash()) & (slots.count - 1)
    while slots[slot] >= 0 {
      if isEqual(Int(slots[slot])) { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(item)
    return nil
  }
}
