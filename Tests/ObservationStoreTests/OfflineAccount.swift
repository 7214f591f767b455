#if Store
import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// What was announced of the time without an observer, in words that have the identities.
///
/// An identity goes by the path that its item had before. It is in parentheses where the announcement does not have
/// that path anyway, and `new` for an item that was not there.
struct OfflineAccount {
  let changes: [FileSystemChange]
  private let directory: FilePath
  private let formerPaths: [UUID: String]

  init(_ before: FileSystemSnapshot, _ changes: some Sequence<FileSystemChange>) {
    directory = before.directory
    self.changes = Array(changes)
    var paths: [UUID: String] = [:]
    for item in before where !item.isFurtherName { paths[item.uuid] = item.path.string }
    formerPaths = paths
  }

  /// The announcements of what is in a folder of the tree, with paths relative to it, in no order.
  func words(in folder: String) -> [String] {
    let prefix = directory.appending(folder).string + "/"
    return changes.filter { $0.kind != .copyFinished && $0.item.path.string.hasPrefix(prefix) }.map {
      words($0).replacing(prefix, with: "")
    }.sorted()
  }

  private func words(_ change: FileSystemChange) -> String {
    let path = change.item.path.string
    let identity = identity(change.item.uuid)
    switch change.event {
    case .discovered(let isCopying, let isReturned):
      let state = (isCopying ? "(copying)" : "") + (isReturned ? "(returned)" : "")
      return "discovered\(state) \(path)" + (identity == "new" ? "" : " (\(identity))")
    case .duplicated(let original):
      let known = self.identity(original.uuid)
      let name = original.path.string + (known == original.path.string ? "" : " (\(known))")
      return "duplicated \(name) => \(path)" + (identity == "new" ? "" : " (\(identity))")
    case .renamed(let previous), .moved(let previous):
      return "\(change.kind.rawValue) \(previous.string) -> \(path)"
        + (identity == previous.string ? "" : " (\(identity))")
    case .deleted(let reason): return "deleted(\(reason.rawValue)) \(path)" + (identity == path ? "" : " (\(identity))")
    default: return "\(change.kind.rawValue) \(path)" + (identity == path ? "" : " (\(identity))")
    }
  }

  private func identity(_ uuid: UUID) -> String { formerPaths[uuid] ?? "new" }
}

// MARK: - What holds for every tree

extension OfflineAccount {
  /// Each file that arrived is finished once, and nothing else is.
  var faultsOfFinishes: [String] {
    var arrived: [UUID: Int] = [:]
    for change in changes where change.item.kind == .file {
      switch change.kind {
      case .discovered, .duplicated: arrived[change.item.uuid, default: 0] += change.item.isCopying ? 0 : 1
      case .copyFinished: arrived[change.item.uuid, default: 0] -= 1
      default: break
      }
    }
    return arrived.filter { $0.value != 0 }.map { "\($0.key) is finished \(1 - $0.value) times" }
  }

  /// Items that are at other paths than before are announced there, themselves or with their folder; others are not.
  func faultsOfPlaces(_ after: FileSystemSnapshot, _ set: FileSystemChanges) -> [String] {
    var told: [UUID: [FilePath]] = [:]
    for change in set where change.kind == .renamed || change.kind == .moved {
      told[change.item.uuid, default: []].append(change.item.path)
      for move in set.movesBelow(change) { told[move.item.uuid, default: []].append(move.item.path) }
    }
    let gone = Set(set.filter { $0.kind == .deleted }.map(\.item.uuid))
    return formerPaths.compactMap { uuid, path in
      guard let item = after[uuid] else { return gone.contains(uuid) ? nil : "\(path) is lost" }
      if gone.contains(uuid) { return "\(path) was called deleted" }
      let isTold = told[uuid]?.contains(item.path) == true
      return isTold == (item.path.string != path) ? nil : "\(path) is at \(item.path), told was \(told[uuid] ?? [])"
    }
  }
}
#endif
