internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// Changes that together take the tree from one state to the next.
///
/// Applying all change sets in the order of their ``sequence`` to an empty inventory gives exactly what is on disk. Within a set the
/// changes apply in order, except that renames and moves of one set happen together: two documents that were exchanged are each at
/// the other's path. A renamed or moved directory carries along what is below it; ``itemsMoved(with:)`` lists that.
///
/// A directory is deleted after everything in it, the deepest first. There is one exception, which is rare: a directory that turns out to
/// have another identity than was told, as when the original of a copied directory is found after the copy, is deleted
/// (`Change.Reason.replaced`) and discovered or duplicated at the same path in the same set, and what is in it stays.
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

  /// What lies below a directory that was renamed or moved in this change set, parents before children.
  ///
  /// Made from a snapshot of the moment of the change; it takes time and memory in proportion to the number of items.
  ///
  /// - Returns: Nothing where the change is not a rename or move of a directory.
  public func itemsMoved(with change: Change) -> [MovedItem] {
    guard case .log(let log) = contents, let storage = snapshot, change.itemKind == .directory,
      let previous = change.previousPath,
      let record = log.records.first(where: { UUID($0.uuid) == change.uuid && $0.previousPath != nil })
    else { return [] }
    var items: [MovedItem] = []
    storage.forEachDescendant(of: record.node) { id in
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

extension ChangeSet {
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

extension GraphStorage {
  func path(of id: NodeID, below directory: FilePath) -> FilePath {
    var bytes: [UInt8] = []
    appendPath(of: id, to: &bytes)
    return directory.appending(bytes: bytes)
  }
}
