internal import FileSystemObservation
internal import FoundationEssentials
internal import SystemPackage

/// What a watcher has told of the items directly in its directory, by their names.
///
/// A value without clock and disk.
struct DirectoryContents: Sendable {
  /// What is to be told: names relative to the directory.
  struct Difference: Sendable, Equatable {
    var added: [FilePath] = []
    var removed: [FilePath] = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }
  }

  /// Items that are complete.
  private var known: [FilePath: UUID] = [:]
  /// Files that are being copied, and folders that are being filled.
  private var awaited: [FilePath: UUID] = [:]

  /// Whether no item is still arriving.
  var isComplete: Bool { awaited.isEmpty }

  // MARK: Changes

  /// Takes in a set of changes.
  mutating func apply(_ changes: some Sequence<FileSystemChange>, below directory: FilePath) -> Difference {
    var difference = Difference()
    var passing = Passing()
    for change in changes { leave(change, below: directory, &difference, &passing) }
    for change in changes where change.item.relativePath.components.count == 1 { arrive(change, &difference, passing) }
    return difference
  }

  /// What leaves its place in a set.
  private struct Passing {
    /// Items that were awaited, and may be at another place after the set.
    var awaited: Set<UUID> = []
    /// Places whose item has another identity, and has not arrived.
    var renewed: Set<FilePath> = []
  }

  private mutating func leave(
    _ change: FileSystemChange, below directory: FilePath, _ difference: inout Difference, _ passing: inout Passing
  ) {
    guard let place = change.placeLeft(below: directory), place.components.count == 1 else { return }
    if change.deletionReason == .replaced { passing.renewed.insert(place) }
    if let uuid = awaited.removeValue(forKey: place) { passing.awaited.insert(uuid) }
    if known.removeValue(forKey: place) != nil { difference.removed.append(place) }
  }

  private mutating func arrive(_ change: FileSystemChange, _ difference: inout Difference, _ passing: Passing) {
    let (item, place) = (change.item, change.item.relativePath)
    switch change.event {
    case .discovered, .duplicated:
      let isFilled = item.kind == .directory && !passing.renewed.contains(place)
      arrive(item, isAwaited: item.isCopying || isFilled, &difference)
    case .linked, .renamed, .moved:
      arrive(item, isAwaited: item.isCopying || passing.awaited.contains(item.uuid), &difference)
    case .copyFinished:
      if awaited[place] == item.uuid { arrive(item, isAwaited: false, &difference) }
    default: break
    }
  }

  private mutating func arrive(_ item: FileSystemItem.Snapshot, isAwaited: Bool, _ difference: inout Difference) {
    let place = item.relativePath
    awaited[place] = isAwaited ? item.uuid : nil
    if isAwaited || known.updateValue(item.uuid, forKey: place) == item.uuid { return }
    difference.added.append(place)
  }

  // MARK: A whole state

  /// Takes in all items of the directory, and compares them by identity with what was told.
  mutating func replace(with items: some Sequence<FileSystemItem.Snapshot>) -> Difference {
    let former = known
    (known, awaited) = ([:], [:])
    for item in items {
      if item.isCopying { awaited[item.relativePath] = item.uuid } else { known[item.relativePath] = item.uuid }
    }
    return Difference(
      added: known.filter { former[$0.key] != $0.value }.keys.sorted { $0.string < $1.string },
      removed: former.filter { known[$0.key] != $0.value }.keys.sorted { $0.string < $1.string })
  }
}

extension FileSystemChange {
  /// The place that the item leaves, below the observed directory.
  fileprivate func placeLeft(below directory: FilePath) -> FilePath? {
    switch event {
    case .deleted, .unlinked: return item.relativePath
    case .renamed(let former), .moved(let former):
      var place = former
      return place.removePrefix(directory) ? place : nil
    default: return nil
    }
  }
}
