import FileIdentity
import FileSystemObservation
import LinuxFileSystem

/// When an identity was announced.
struct Standing {
  var announced: Int64
}

extension Observer {
  private var names: NameTable { simulation.names }

  private func report(_ rule: Violation.Rule, _ text: String) { simulation.report(rule, text) }

  func isEstablished(_ uuid: UUIDBits, at time: Int64) -> Bool {
    standing[uuid].map { time - $0.announced > 600_000_000 } ?? false
  }

  /// Whether an item is announced and not yet finished.
  func isArriving(_ uuid: UUIDBits) -> Bool { !arriving.isEmpty && arriving.contains(uuid) }

  /// Checks that an arrival is finished once, in the same set unless it was announced as copying, and modified only
  /// later.
  func follow(_ change: Told, _ set: [Told]) {
    if change.kind == .duplicated { originals[change.uuid] = change.original }
    switch change.kind {
    case .discovered: announce(change, set)
    case .duplicated where standing[change.uuid] == nil: announce(change, set)
    case .copyFinished:
      if arriving.remove(change.uuid) == nil { report(.finish, "\(names.text(change)), which was finished") }
      checkFinish(change)
    case .modified:
      if isArriving(change.uuid) { report(.finish, "\(names.text(change)), which is not finished") }
    case .deleted:
      standing[change.uuid] = nil
      arriving.remove(change.uuid)
    case .duplicated, .linked, .unlinked, .renamed, .moved, .attributesChanged, .activity, .propertiesChanged:
      break
    }
  }

  private func announce(_ change: Told, _ set: [Told]) {
    let isFound = change.set == 1 && firstScanSet == 1
    let isArriving = change.itemKind == .file && (!isFound || change.isCopying)
    standing[change.uuid] = Standing(announced: change.time)
    if isArriving { arriving.insert(change.uuid) } else { arriving.remove(change.uuid) }
    guard isArriving, !change.isCopying else { return }
    if !set.contains(where: { $0.kind == .copyFinished && $0.uuid == change.uuid }) {
      report(.finish, "\(names.text(change)), and not finished in the same set")
    }
  }

  /// Checks that a file is announced as finished only if it has no writers.
  private func checkFinish(_ change: Told) {
    guard let inode = simulation.disk.find(change.path), inode.writers > 0, inode.isReadable else { return }
    // The observer cannot know what happened since it looked: a file may have been opened a moment ago.
    if simulation.disk.now - inode.lastOpen < 1_000_000_000 { return }
    // Another file may have been put there while the observer worked.
    guard isKnown(inode, as: change.uuid) else { return }
    report(.finish, "\(names.text(change)) while somebody has it open for writing")
  }

  private func isKnown(_ inode: Inode, as uuid: UUIDBits) -> Bool {
    var isKnown = false
    engine?.forEachKnownItem { isKnown = isKnown || $0.uuid == uuid && $0.key == inode.key }
    return isKnown
  }
}
