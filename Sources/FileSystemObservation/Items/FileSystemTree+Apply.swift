package import FileIdentity
import LinuxFileSystem

// Applying sets of changes: first all removals, then all insertions.

/// The effect of one change on a tree; paths are relative to the observed directory.
package struct TreeStep: Sendable {
  package var kind: FileSystemChange.Kind
  package var uuid: UUIDBits
  package var itemKind: FileSystemItem.Kind
  package var path: ArraySlice<UInt8>
  package var previousPath: ArraySlice<UInt8>?
  package var isCopying: Bool
  package var isTagged: Bool
  /// The item's other properties.
  var facts: ItemFacts?

  package init(
    kind: FileSystemChange.Kind, uuid: UUIDBits, itemKind: FileSystemItem.Kind, path: ArraySlice<UInt8>,
    previousPath: ArraySlice<UInt8>? = nil, isCopying: Bool = false, isTagged: Bool = true
  ) {
    self.kind = kind
    self.uuid = uuid
    self.itemKind = itemKind
    self.path = path
    self.previousPath = previousPath
    self.isCopying = isCopying
    self.isTagged = isTagged
  }

  init(_ record: ChangeRecord, _ log: ChangeLog) {
    self.init(
      kind: record.kind, uuid: record.uuid, itemKind: record.itemKind, path: log.paths[record.path],
      previousPath: record.previousPath.map { log.paths[$0] }, isCopying: record.isCopying, isTagged: record.isTagged)
    facts = record.facts
  }

  init(_ change: FileSystemChange, below directory: FilePath) {
    let item = change.item
    self.init(
      kind: change.kind, uuid: UUIDBits(item.uuid), itemKind: item.kind, path: item.relativePath.bytes[...],
      previousPath: change.previousPath.map { directory.bytes(ofPathBelow: $0) ?? [] }, isCopying: item.isCopying,
      isTagged: item.identity == .tag)
    facts = ItemFacts(item)
  }

  /// The path before the set of an item that leaves it.
  package var formerPath: ArraySlice<UInt8>? {
    switch kind {
    case .deleted, .unlinked: path
    case .renamed, .moved: previousPath
    case .discovered, .duplicated, .linked, .copyFinished, .modified: nil
    case .attributesChanged, .activity, .propertiesChanged: nil
    }
  }

  /// The path after the set of an item that is there.
  package var newPath: ArraySlice<UInt8>? {
    switch kind {
    case .deleted, .unlinked, .attributesChanged, .activity: nil
    case .renamed, .moved, .discovered, .duplicated, .linked, .copyFinished, .modified, .propertiesChanged: path
    }
  }
}

extension FileSystemTree {
  /// Applies an event: a reset, a set of changes, or a move of the directory; other events do not change the tree.
  public mutating func apply(_ event: FileSystemObserver.Event) {
    switch event {
    case .reset(let snapshot, _): self = FileSystemTree(snapshot)
    case .didChange(let changes): apply(changes)
    // A new run restarts the numbers; its first set is the whole tree.
    case .willBeginFullScan(.start): sequence = 0
    case .rootMoved(_, let path): directory = path
    case .willBeginFullScan, .scanProgress, .didCompleteFullScan, .diagnostic, .didEnd: break
    }
  }

  /// Applies a set of changes.
  ///
  /// Apply sets in the order of their numbers and without gaps; a set whose number is not higher than ``sequence`` is
  /// ignored. The set of a first scan replaces all items. If a set is missing, changes of items that the tree does
  /// not have are skipped.
  ///
  /// - Complexity: O(*n* · *d*) for *n* changes with paths of depth *d*; the contents of a moved folder cost nothing.
  public mutating func apply(_ changes: FileSystemChanges) {
    if let storage = changes.firstScan {
      if changes.isFirstScanOfPart {
        becomePart(of: storage, with: changes.lazy.map(\.item))
      } else {
        (graph, foldersAbove) = (FileGraph(storage), nil)
      }
    } else if changes.sequence > sequence || changes.areDetails && changes.sequence == sequence {
      apply(changes.steps)
    } else {
      return
    }
    sequence = changes.sequence
    cursor = changes.cursor ?? cursor
  }

  /// Applies the changes of one set.
  package mutating func apply(_ steps: [TreeStep]) {
    var replay = TreeReplay(graph, isShallow: foldersAbove != nil, foldersAbove: foldersAbove)
    // The replay must be the only owner, to change the graph in place.
    graph = .empty
    replay.apply(steps)
    foldersAbove = replay.foldersAbove
    graph = replay.finished()
    graph.reuseRemoved()
  }
}
