import FileIdentity
import FileSystemObservation
import LinuxFileSystem

// What must be announced of each operation, and of items that no operation touched.

extension Observer {
  /// Compares the announcements since the last quiet point with the intents of the programs.
  func checkOperations() {
    let window = simulation.window
    let touched = window.ended.map { ended in
      (reads: window.extended(ended.operation.reads), writes: window.extended(ended.operation.writes))
    }
    checkUntouched(touched.flatMap(\.writes))
    guard !window.hasFaults, window.ended.contains(where: isClear) else { return }
    let linked = Set(window.aliases.map { $0.0 })
    for (index, ended) in window.ended.enumerated() where isClear(ended) {
      let own = touched[index]
      let isAlone = touched.indices.allSatisfy { other in
        other == index
          || !Window.conflict(own.writes, touched[other].writes) && !Window.conflict(own.writes, touched[other].reads)
            && !Window.conflict(own.reads, touched[other].writes)
      }
      if isAlone { IntentCheck(observer: self, ended: ended, linked: linked).run() }
    }
  }

  private func isClear(_ ended: Window.Ended) -> Bool { ended.isClear && ended.began > began }

  /// Checks that untouched items keep their path and UUID, and that nothing is announced of them.
  private func checkUntouched(_ touched: [Path]) {
    if told.isEmpty && !isTorn { return }
    let spoken = isTorn ? [] : Set(told.map(\.uuid))
    var nodes: [ReplayTree.Node?] = []
    nodes.reserveCapacity(settled.items.count)
    for (index, item) in settled.items.enumerated() {
      let node = (item.parent < 0 ? replay.root : nodes[item.parent])?.child(item.name)
      nodes.append(node)
      guard let uuid = settled.uuid(index) else { continue }
      let isKept = node?.uuid == uuid
      if isKept && !spoken.contains(uuid) || !isHeardOf(item.inode) { continue }
      if mayHaveLost(item.inode) { continue }
      if isTakenOver(uuid, node) { continue }
      complainOfUntouched(settled.path(index), uuid, isKept, touched)
    }
  }

  /// Whether an item may have another identity after a start: a symbolic link that was replaced, or that went on in a
  /// copy, has no tag to recognize it by.
  func mayHaveLost(_ inode: Inode) -> Bool { isTorn && inode.kind == .symlink }

  /// Whether a document may have been taken for the backup of one that appeared beside it while no observer was
  /// running.
  ///
  /// Names and times show no more than that.
  private func mayBeTakenForBackup(_ path: Path) -> Bool {
    guard simulation.options.kills > 0, let name = path.last.map({ simulation.names.name($0).description }) else {
      return false
    }
    return name.hasPrefix("#") || ["~", ".bak", ".orig"].contains { name.hasSuffix($0) }
  }

  /// Whether a copy has become its original, whose folder was removed: then the copy's own identity has ended.
  func isTakenOver(_ uuid: UUIDBits, _ node: ReplayTree.Node?) -> Bool {
    guard let node else { return false }
    // One that was not running, or could not look, finds the tag that another observer has written.
    if simulation.observers.contains(where: { $0.yielded[uuid] == node.uuid }) { return true }
    guard told.contains(where: { $0.uuid == uuid && gaveWay($0) }) else { return false }
    // Another observer may not know that it was a copy, and overwrite the tag.
    return node.kind == .symlink || isCopy(uuid, of: node.uuid) || simulation.options.observers > 1 && isCopy(uuid)
  }

  /// Whether an item that was removed with its folder goes on in a copy, whose own identity has ended, or went on in one
  /// that has been removed since.
  func hasGoneOn(_ original: UUIDBits) -> Bool {
    guard let place = replay.place(of: original) else {
      return yielded.values.contains(original) && told.contains { $0.uuid == original && $0.kind == .deleted }
    }
    let isLink = replay.node(at: place)?.kind == .symlink
    return told.contains { gaveWay($0) && (isLink || isCopy($0.uuid, of: original)) }
  }

  /// Notes which copies have given way to their originals; a process that is killed forgets which they are.
  ///
  /// An original that is gone by the end of the set is told as deleted in it.
  func noteYielded(_ changes: [Told]) {
    for change in changes where gaveWay(change) && isCopy(change.uuid) {
      let heir = change.formerPath.flatMap { replay.node(at: $0)?.uuid }
      let gone = changes.lazy.filter { $0.kind == .deleted }.map(\.uuid)
      let original = ([heir].compactMap(\.self) + gone).first { isCopy(change.uuid, of: $0) }
      if let original { yielded[change.uuid] = original }
    }
  }

  /// Whether an item has ended for another in its place, or goes on in a new file with its tag.
  private func gaveWay(_ told: Told) -> Bool {
    told.kind == .deleted && told.reason == .replaced || told.kind == .moved || told.kind == .renamed
  }

  /// Whether an identity was announced as a copy.
  private func isCopy(_ uuid: UUIDBits) -> Bool { simulation.observers.contains { $0.originals[uuid] != nil } }

  /// Whether an identity was announced as a copy of another, or as a copy of a copy.
  private func isCopy(_ uuid: UUIDBits, of original: UUIDBits) -> Bool {
    var uuid = uuid
    for _ in 0..<64 {
      // One of several observers may have seen the copy with the tag from another.
      guard let next = simulation.observers.lazy.compactMap({ $0.originals[uuid] }).first else { return false }
      if next == original { return true }
      uuid = next
    }
    return false
  }

  private func complainOfUntouched(_ path: Path, _ uuid: UUIDBits, _ isKept: Bool, _ touched: [Path]) {
    if Window.conflict([path], touched) || !isKept && mayBeTakenForBackup(path) { return }
    let names = simulation.names
    if !isKept { simulation.report(.untouched, "\(names.text(path)) lost its UUID, and nobody touched it") }
    for told in told where !isTorn && told.uuid == uuid {
      simulation.report(.untouched, "\(names.text(told)), and nobody touched it")
    }
  }
}
