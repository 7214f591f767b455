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

  /// Whether a document may have been taken for the backup of one that came beside it while nobody looked: names and times show no more.
  private func mayBeTakenForBackup(_ path: Path) -> Bool {
    guard simulation.options.kills > 0, let name = path.last.map({ simulation.names.name($0).description }) else {
      return false
    }
    return name.hasPrefix("#") || ["~", ".bak", ".orig"].contains { name.hasSuffix($0) }
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
