import FileIdentity
import FileSystemObservation
import LinuxFileSystem

// What must have been said of each operation, and of what no operation touched.

extension Observer {
  /// Checks what was told since the last quiet point against what programs meant to do.
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

  /// What nobody touched keeps its path and UUID, and nothing is said of it.
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
      // Without a tag, a link that was replaced cannot be known again.
      if isTorn, item.inode.kind == .symlink { continue }
      complainOfUntouched(settled.path(index), uuid, isKept, touched)
    }
  }

  /// Whether a first scan has taken a document for the backup of one that is new beside it: by its name, and because both came while nobody
  /// looked, within seconds, it may be.
  private func isBackupOfNewcomer(_ path: Path, _ uuid: UUIDBits) -> Bool {
    let names = simulation.names
    return told.contains { told in
      guard told.set == 1, told.kind == .duplicated, told.path == path, told.original == uuid,
        let document = told.originalPath, document.parent == path.parent,
        let name = path.last, let other = document.last
      else { return false }
      return names.name(name).description.contains(names.name(other).description)
    }
  }

  private func complainOfUntouched(_ path: Path, _ uuid: UUIDBits, _ isKept: Bool, _ touched: [Path]) {
    if Window.conflict([path], touched) || isBackupOfNewcomer(path, uuid) { return }
    let names = simulation.names
    if !isKept { simulation.report(.untouched, "\(names.text(path)) lost its UUID, and nobody touched it") }
    for told in told where !isTorn && told.uuid == uuid {
      simulation.report(.untouched, "\(names.text(told)), and nobody touched it")
    }
  }
}
