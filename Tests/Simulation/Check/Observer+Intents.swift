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
    let names = simulation.names
    let spoken = Set(told.map(\.uuid))
    for item in settled {
      let isSilent = isTorn || !spoken.contains(item.uuid)
      let isKept = replay.node(at: item.path)?.uuid == item.uuid
      if isSilent && isKept || Window.conflict([item.path], touched) { continue }
      if !isKept {
        simulation.report(.untouched, "\(names.text(item.path)) lost its UUID, and nobody touched it")
      }
      for told in told where !isTorn && told.uuid == item.uuid {
        simulation.report(.untouched, "\(names.text(told)), and nobody touched it")
      }
    }
  }
}
