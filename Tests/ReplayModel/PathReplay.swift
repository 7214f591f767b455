package import FileSystemObservation
package import FoundationEssentials
import SystemPackage

/// What a listener knows of a tree, or of a part of it, by nothing but paths: as Documentation/CommandLine.md has it for the lines.
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

  /// What a listener needs of a change.
  package struct Change {
    package var kind: FileSystemChange.Kind
    package var uuid: UUID
    package var path: String
    package var previousPath: String?

    package init(kind: FileSystemChange.Kind, uuid: UUID, path: String, previousPath: String?) {
      self.kind = kind
      self.uuid = uuid
      self.path = path
      self.previousPath = previousPath
    }

    fileprivate var start: String { previousPath ?? path }
    fileprivate var leaves: Bool { [.deleted, .unlinked, .renamed, .moved].contains(kind) }
    fileprivate var arrives: Bool { [.discovered, .duplicated, .linked].contains(kind) }
  }

  /// Takes in the changes of one set.
  package mutating func apply(_ changes: some Sequence<FileSystemChange>) {
    apply(
      changes.map {
        Change(kind: $0.kind, uuid: $0.uuid, path: $0.path.string, previousPath: $0.previousPath?.string)
      })
  }

  /// The same for changes that were read.
  package mutating func apply(_ changes: [Change]) {
    let unlinked = Set(changes.lazy.filter { $0.kind == .unlinked }.map(\.path))
    var moved: [(path: String, subtree: [(tail: String, uuid: UUID)])] = []
    for change in changes.filter(\.leaves).sorted(by: { depth($0.start) > depth($1.start) }) {
      guard items[change.start] == change.uuid else {
        // Another name stands for the file, in the place of one that went.
        if let previous = change.previousPath, unlinked.contains(previous) { continue }
        contradictions.append("\(change.kind) \(change.start): it is not there")
        continue
      }
      if change.previousPath == nil {
        items[change.start] = nil
      } else {
        moved.append((change.path, takeOut(change.start)))
      }
    }
    for (path, subtree) in moved { for (tail, uuid) in subtree { put(uuid, path + tail) } }
    for change in changes where change.arrives { put(change.uuid, change.path) }
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

  private func depth(_ path: String) -> Int { path.utf8.count { $0 == UInt8(ascii: "/") } }
}
