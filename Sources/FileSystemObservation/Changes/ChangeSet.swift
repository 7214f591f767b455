internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// Changes that together take the tree from one state to the next.
///
/// A set is one step: it is the difference between the tree before it and the tree after it. Each item moves at most once in it (of a file
/// with several names, each name), whatever way it went. `previousPath` is always a path before the set, and `path` one after the set; for
/// `deleted` and `unlinked`, where there is none any more, `path` is the one before the set. So two documents that were exchanged are each
/// at the other's path, and a path leads through folders that were renamed in the same set.
///
/// Applying all change sets in the order of their ``sequence`` to an empty tree gives exactly what is on disk. ``FileSystemTree`` does
/// that. Whoever does it by paths applies a set so:
///
/// 1. Take out everything that goes from where it was (`deleted`, `unlinked`, `renamed`, `moved`), the deepest path first. What is `deleted`
///    or `unlinked` ends. What is `renamed` or `moved` is kept, with everything that is below it then.
/// 2. Put in everything that comes (`renamed`, `moved`, `discovered`, `duplicated`, `linked`), parents first.
///
/// Three things to know:
/// - A renamed or moved directory carries along what is below it; ``itemsMoved(with:)`` lists that.
/// - A directory is deleted after everything in it. There is one exception, which is rare: a directory that turns out to have another
///   identity than was told is deleted (`Change.Reason.replaced`), and what is in it stays. Another comes to the same path in the same set:
///   it is discovered or duplicated, as when the original of a copy is found after that, or it is moved there by copying.
/// - Where the name that stood for a file with several names is gone, it is `unlinked`, and the file `renamed` or `moved` to the name that
///   stands for it from now on, which is there already.
///
/// A change set is a value: it can be kept and sent anywhere. It stays as it is, whatever happens to the files afterwards.
public struct ChangeSet: Sendable {
  /// Counts the change sets of an observer since its start, from 1, without gaps.
  public let sequence: UInt64
  /// The observed directory.
  public let directory: FilePath

  private let contents: Contents
  private let snapshot: GraphStorage?

  private enum Contents: Sendable {
    case log(ChangeLog)
    case inventory(FirstInventory)
  }

  package init(_ log: ChangeLog, _ snapshot: GraphStorage?, sequence: UInt64, directory: FilePath) {
    contents = .log(log)
    self.snapshot = snapshot
    self.sequence = sequence
    self.directory = directory
  }

  package init(_ inventory: FirstInventory, sequence: UInt64, directory: FilePath) {
    contents = .inventory(inventory)
    snapshot = nil
    self.sequence = sequence
    self.directory = directory
  }

  /// The changes, in order.
  ///
  /// Each is made when it is asked for.
  public var changes: Changes { Changes(set: self) }

  /// The changes of one set.
  public struct Changes: RandomAccessCollection, Sendable {
    fileprivate let set: ChangeSet

    /// The position of the first change.
    public var startIndex: Int { 0 }

    /// The position after the last change.
    public var endIndex: Int {
      switch set.contents {
      case .log(let log): log.records.count
      case .inventory(let inventory): inventory.order.count
      }
    }

    /// The change at a position.
    public subscript(position: Int) -> Change {
      switch set.contents {
      case .log(let log): set.change(log.records[position], log)
      case .inventory(let inventory): set.change(inventory.order[position], inventory)
      }
    }
  }

  /// How much of a listener's buffer the set takes.
  ///
  /// The first inventory is read from a snapshot and takes next to nothing; a snapshot of a later moment keeps what has changed since.
  var weight: Int {
    switch contents {
    case .log(let log): log.records.count + (snapshot == nil ? 0 : Self.snapshotWeight)
    case .inventory: 1
    }
  }

  /// As much as this many changes: pages of names and nodes that the graph has replaced, about 100 KiB.
  private static let snapshotWeight = 64
}

extension ChangeSet {
  /// An item that has another path because a directory above it was renamed or moved.
  public struct MovedItem: Sendable {
    /// The item's identity.
    public let uuid: UUID
    /// Whether it is a file, a directory or a symbolic link.
    public let itemKind: ItemKind
    /// Where it is now.
    public let path: FilePath
    /// Where it was.
    public let previousPath: FilePath

    /// `path` as a file URL.
    public var url: URL { URL(path, itemKind) }
    /// `previousPath` as a file URL.
    public var previousURL: URL { URL(previousPath, itemKind) }
  }

  /// What was below a directory before it was renamed or moved in this change set, and still is, parents before children.
  ///
  /// What came to be below it in the same set, or was renamed or moved itself, is told on its own and is not among them.
  ///
  /// Made from a snapshot of the moment of the change; it takes time and memory in proportion to the number of items.
  ///
  /// - Returns: Nothing where the change is not a rename or move of a directory.
  public func itemsMoved(with change: Change) -> [MovedItem] {
    guard case .log(let log) = contents, let storage = snapshot, change.itemKind == .directory,
      let previous = change.previousPath, let record = log.record(of: change)
    else { return [] }
    let others = log.effects
    var items: [MovedItem] = []
    storage.forEachDescendant(of: record.node, unless: { others[$0] == .moves || others[$0] == .comesOrGoes }) { id in
      if others[id] != nil { return }
      var below: [UInt8] = []
      storage.appendPath(of: id, to: &below)
      let path = directory.appending(bytes: below)
      let tail = below.dropFirst(record.path.count + 1)
      items.append(
        MovedItem(
          uuid: UUID(storage.nodes[id.index].uuid), itemKind: ItemKind(storage.nodes[id.index].kind), path: path,
          previousPath: previous.appending(bytes: tail)))
    }
    return items
  }
}

extension ChangeLog {
  /// The record that a change was made from.
  fileprivate func record(of change: Change) -> ChangeRecord? {
    records.first { $0.effect == .moves && UUID($0.uuid) == change.uuid }
  }

  /// What is said of entries that makes a difference to where they are.
  fileprivate var effects: [NodeID: ChangeRecord.Effect] {
    var effects: [NodeID: ChangeRecord.Effect] = [:]
    for record in records where record.effect != .none { effects[record.node] = record.effect }
    return effects
  }
}

extension ChangeSet {
  /// The tree that a first scan found.
  var firstScan: GraphStorage? { if case .inventory(let inventory) = contents { inventory.storage } else { nil } }

  /// What the changes do to a tree.
  package var steps: [TreeStep] {
    switch contents {
    case .log(let log): log.records.map { TreeStep($0, log) }
    case .inventory(let inventory): inventory.order.map { TreeStep(change($0, inventory), directory) }
    }
  }

  private func change(_ record: ChangeRecord, _ log: ChangeLog) -> Change {
    func path(_ range: Range<Int>) -> FilePath { directory.appending(bytes: log.paths[range]) }
    return Change(
      kind: record.kind, uuid: UUID(record.uuid), itemKind: record.itemKind, path: path(record.path),
      previousPath: record.previousPath.map(path), originalUUID: record.original.map { UUID($0) },
      originalPath: record.originalPath.map(path), isCopying: record.isCopying && record.kind == .discovered,
      reason: record.reason, identityKind: record.isTagged ? .tag : .fileKey)
  }

  private func change(_ id: NodeID, _ inventory: FirstInventory) -> Change {
    let storage = inventory.storage
    let node = storage.nodes[id.index]
    let original = inventory.originals[id]
    var kind = Change.Kind.discovered
    if original != nil { kind = .duplicated }
    if inventory.furtherNames.contains(id) { kind = .linked }
    return Change(
      kind: kind, uuid: UUID(node.uuid), itemKind: ItemKind(node.kind), path: storage.path(of: id, below: directory),
      originalUUID: original.map { UUID(storage.nodes[$0.index].uuid) },
      originalPath: original.map { storage.path(of: $0, below: directory) },
      isCopying: kind == .discovered && node.flags.contains(.copying),
      identityKind: node.flags.contains(.tagged) ? .tag : .fileKey)
  }
}

extension TreeStep {
  fileprivate init(_ record: ChangeRecord, _ log: ChangeLog) {
    self.init(
      kind: record.kind, uuid: record.uuid, itemKind: record.itemKind, path: log.paths[record.path],
      previousPath: record.previousPath.map { log.paths[$0] },
      isCopying: record.isCopying && record.kind == .discovered, isTagged: record.isTagged)
  }

  fileprivate init(_ change: Change, _ directory: FilePath) {
    self.init(
      kind: change.kind, uuid: UUIDBits(change.uuid), itemKind: change.itemKind,
      path: directory.bytes(ofPathBelow: change.path) ?? [], isCopying: change.isCopying,
      isTagged: change.identityKind == .tag)
  }
}

extension GraphStorage {
  func path(of id: NodeID, below directory: FilePath) -> FilePath {
    var bytes: [UInt8] = []
    appendPath(of: id, to: &bytes)
    return directory.appending(bytes: bytes)
  }
}
