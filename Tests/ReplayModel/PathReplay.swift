package import FileSystemObservation
package import FoundationEssentials
import SystemPackage

/// What a listener knows of a tree, or of a part of it, by nothing but paths: as the README has it for the lines.
package struct PathReplay: Equatable, Sendable {
  package private(set) var items: [String: UUID] = [:]
  /// What was announced that cannot be.
  package private(set) var contradictions: [String] = []

  package init() {}

  package init(_ items: some Sequence<FileSystemItem.Snapshot>) {
    for item in items { self.items[item.path.string] = item.uuid }
  }

  package static func == (left: PathReplay, right: PathReplay) -> Bool { left.items == right.items }

  /// Takes in an event.
  package mutating func apply(_ event: FileSystemObserver.Event) {
    switch event {
    case .reset(let snapshot, _): self = PathReplay(snapshot)
    case .didChange(let changes):
      // A new run begins with the whole tree.
      if changes.isFirstScan { items = [:] }
      apply(changes)
    default: break
    }
  }

  /// Takes in the changes of one set.
  package mutating func apply(_ changes: some Sequence<FileSystemChange>) {
    let changes = Array(changes)
    let unlinked = Set(changes.lazy.filter { $0.kind == .unlinked }.map(\.path))
    var moved: [(path: String, subtree: [(tail: String, uuid: UUID)])] = []
    for change in changes.filter(leaves).sorted(by: { depth(start($0)) > depth(start($1)) }) {
      let from = start(change)
      guard items[from] == change.uuid else {
        // Another name stands for the file, in the place of one that went.
        if let previous = change.previousPath, unlinked.contains(previous) { continue }
        contradictions.append("\(change.kind) \(from): it is not there")
        continue
      }
      if change.previousPath == nil { items[from] = nil } else { moved.append((change.path.string, takeOut(from))) }
    }
    for (path, subtree) in moved { for (tail, uuid) in subtree { put(uuid, path + tail) } }
    for change in changes where arrives(change) { put(change.uuid, change.path.string) }
  }

  private mutating func takeOut(_ top: String) -> [(tail: String, uuid: UUID)] {
    let below = top + "/"
    let subtree = items.filter { $0.key == top || $0.key.hasPrefix(below) }
    for path in subtree.keys { items[path] = nil }
    return subtree.map { (String($0.key.dropFirst(top.count)), $0.value) }
  }

  private mutating func put(_ uuid: UUID, _ path: String) {
    if let other = items.updateValue(uuid, forKey: path), other != uuid {
      contradictions.append("\(path): there is another")
    }
  }

  private func leaves(_ change: FileSystemChange) -> Bool {
    [.deleted, .unlinked, .renamed, .moved].contains(change.kind)
  }

  private func arrives(_ change: FileSystemChange) -> Bool {
    [.discovered, .duplicated, .linked].contains(change.kind)
  }

  private func start(_ change: FileSystemChange) -> String { (change.previousPath ?? change.path).string }

  private func depth(_ path: String) -> Int { path.utf8.count { $0 == UInt8(ascii: "/") } }
}
