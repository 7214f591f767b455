import FileSystemObservation
import LinuxFileSystem
import SystemPackage

// The items' facts about directories must match the disk.

extension Observer {
  private var names: NameTable { simulation.names }

  func checkDirectories(_ visible: [Visible]) {
    guard let items = engine?.items(in: .all) else { return }
    var counts = Array(repeating: 0, count: visible.count)
    for item in visible where item.parent >= 0 && item.node != nil { counts[item.parent] += 1 }
    var known: [Path: FileSystemItem.Snapshot] = [:]
    for item in items where item.kind == .directory {
      known[names.path(item.relativePath.string, from: simulation.places.tree)] = item
    }
    for (index, item) in visible.enumerated() where item.inode.kind == .directory && item.node != nil {
      let path = path(index, visible)
      if let said = known[path] { compare(said, item.inode, counts[index], at: path) }
    }
  }

  private func compare(_ said: FileSystemItem.Snapshot, _ inode: Inode, _ count: Int, at path: Path) {
    if said.childCount != count {
      let known = said.childCount.map { "\($0)" } ?? "no number"
      simulation.report(.graph, "\(names.text(path)) has \(count) items, known are \(known)", subject: "child count")
    }
    if said.modificationNanoseconds != inode.modified {
      let (known, there) = (said.modificationNanoseconds, inode.modified)
      simulation.report(
        .graph, "\(names.text(path)) was modified at \(there), known is \(known)", subject: "time of a directory")
    }
  }
}
