import FileSystemObservation
import FoundationEssentials

/// The tree by nothing but paths, as the README has it for the lines.
struct PathReplay: Equatable {
  private(set) var items: [String: UUID] = [:]

  init(_ tree: FileSystemTree) {
    for item in tree { items[item.path.string] = item.uuid }
  }

  mutating func apply(_ changes: some Sequence<FileSystemChange>) {
    var moved: [(path: String, subtree: [String: UUID])] = []
    for change in changes.filter(goes).sorted(by: { depth(from($0)) > depth(from($1)) }) {
      let from = from(change)
      if change.previousPath == nil {
        items[from] = nil
      } else if items[from] == change.uuid {
        let subtree = items.filter { $0.key == from || $0.key.hasPrefix(from + "/") }
        for path in subtree.keys { items[path] = nil }
        moved.append((change.path.string, subtree.reducedKeys(by: from)))
      }
    }
    for (path, subtree) in moved { for (tail, uuid) in subtree { items[path + tail] = uuid } }
    for change in changes where comes(change) { items[change.path.string] = change.uuid }
  }

  private func goes(_ change: FileSystemChange) -> Bool {
    [.deleted, .unlinked, .renamed, .moved].contains(change.kind)
  }

  private func comes(_ change: FileSystemChange) -> Bool { [.discovered, .duplicated, .linked].contains(change.kind) }

  private func from(_ change: FileSystemChange) -> String { (change.previousPath ?? change.path).string }

  private func depth(_ path: String) -> Int { path.utf8.count { $0 == UInt8(ascii: "/") } }
}

extension [String: UUID] {
  fileprivate func reducedKeys(by prefix: String) -> [String: UUID] {
    Dictionary(uniqueKeysWithValues: map { (String($0.key.dropFirst(prefix.count)), $0.value) })
  }
}
