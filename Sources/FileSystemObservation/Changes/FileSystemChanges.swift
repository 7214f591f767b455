internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// A set of changes that takes the tree from one state to the next.
///
/// ```swift
/// for change in changes {
///   if case .renamed(let previous) = change.event { print(previous, "is now", change.item.path) }
/// }
/// ```
///
/// A set is one step: the difference between the tree before and the tree after it. Each item moves at most once in a
/// set (of a file with several names, each name). The previous path of a change is a path before the set, the path of
/// its item one after the set; for `deleted` and `unlinked` the latter is the path before the set. So after an exchange
/// each of two documents is at the other's path, and a path leads through directories renamed in the same set.
///
/// Applying all sets in the order of their ``sequence`` to an empty tree yields exactly the tree on disk.
/// ``FileSystemTree`` does that. To do it by paths:
///
/// 1. Remove every item that leaves its place (`deleted`, `unlinked`, `renamed`, `moved`), the deepest path first.
///    Discard a `deleted` or `unlinked` item. Keep a `renamed` or `moved` item, with everything below it at that
///    moment.
/// 2. Insert every item that arrives (`renamed`, `moved`, `discovered`, `duplicated`, `linked`), parents first.
///
/// Four rules:
/// - A `duplicated` item may be one that was `discovered` before, and has only now proved to be a copy: it stays at its
///   path.
/// - A renamed or moved directory takes along everything below it; ``movesBelow(_:)`` lists these items.
/// - A directory is deleted after everything in it. There is one rare exception: a directory whose identity turns out
///   to differ from the announced one is deleted (``DeletionReason/replaced``), and its contents stay. Another
///   directory arrives at the same path in the same set, with `discovered`, `duplicated`, or, after a move by copying,
///   `renamed` or `moved`.
/// - When the oldest of several names of a file is removed, that name is `unlinked`, and the file is `renamed` or
///   `moved` to the next oldest name, which exists already, or arrives there in the same set. Both leave one path: it
///   is removed once.
///
/// A set is an immutable value: it can be stored and sent anywhere.
public struct FileSystemChanges: RandomAccessCollection, Sendable {
  /// The number of the set, from 1 at the start of the observer, without gaps.
  ///
  /// A listener with a scope gets no set without a change in its scope, and so sees gaps.
  public let sequence: UInt64
  /// The cursor after the set, from which a listener can resume; `nil` for a set made by an app.
  public let cursor: FileSystemObserver.Cursor?
  /// The observed directory.
  public let directory: FilePath

  /// Whether the listener was left out when the set was announced; see ``FileSystemObserver/Audience``.
  ///
  /// The set is delivered with the next event, so that a copy of the tree has no gap. A view that shows these changes
  /// already ignores them.
  public private(set) var isForReplayOnly = false

  /// Whether the set has only details and no change of the tree: its number is that of the set before.
  private(set) var areDetails = false

  private let shared: Shared

  /// The part that all copies share: an event is copied several times on its way to a listener.
  private final class Shared: Sendable {
    let contents: Contents
    /// The tree after the set, if the set moves a directory.
    let treeAfter: KnownTree?
    /// The part of the tree that the changes are of.
    let scope: FileSystemObserver.Scope

    init(_ contents: Contents, _ treeAfter: KnownTree? = nil, _ scope: FileSystemObserver.Scope = .all) {
      self.contents = contents
      self.treeAfter = treeAfter
      self.scope = scope
    }
  }

  private var contents: Contents { shared.contents }
  private var snapshot: GraphStorage? { shared.treeAfter?.storage }
  private var scope: FileSystemObserver.Scope { shared.scope }

  /// The records, of a set that is neither a first scan nor made by an app.
  var log: ChangeLog? { if case .log(let log) = contents { log } else { nil } }

  private enum Contents: Sendable {
    case log(ChangeLog)
    case firstScan(FirstInventory, KnownTree)
    case made([FileSystemChange], MovedContents?)
  }

  package init(
    _ log: ChangeLog, _ snapshot: GraphStorage?, sequence: UInt64, directory: FilePath, epoch: UInt64? = nil,
    scope: FileSystemObserver.Scope = .all
  ) {
    shared = Shared(.log(log), snapshot.map { KnownTree($0, directory: directory) }, scope)
    self.sequence = sequence
    self.directory = directory
    cursor = epoch.map { FileSystemObserver.Cursor(epoch: $0, number: sequence) }
  }

  package init(_ inventory: FirstInventory, sequence: UInt64, directory: FilePath, epoch: UInt64? = nil) {
    shared = Shared(.firstScan(inventory, KnownTree(inventory.storage, directory: directory)))
    self.sequence = sequence
    self.directory = directory
    cursor = epoch.map { FileSystemObserver.Cursor(epoch: $0, number: sequence) }
  }

  /// Makes a set of details: the tree is the same as after the set before.
  init(details: [FileSystemChange], sequence: UInt64, directory: FilePath, epoch: UInt64) {
    shared = Shared(.made(details, nil))
    self.sequence = sequence
    self.directory = directory
    cursor = FileSystemObserver.Cursor(epoch: epoch, number: sequence)
    areDetails = true
  }

  /// The same set, for a listener that is left out.
  var forReplayOnly: FileSystemChanges {
    var changes = self
    changes.isForReplayOnly = true
    return changes
  }

  /// Makes a set of changes, for tests.
  ///
  /// - Parameters:
  ///   - changes: The changes, in the order described above.
  ///   - directory: The observed directory.
  ///   - sequence: The number of the set.
  ///   - treeBefore: The tree before the set, from which ``movesBelow(_:)`` follows; without it, that is empty.
  /// - Complexity: O(*n*) for *n* changes; with a tree, also a copy of it.
  public init(
    _ changes: some Sequence<FileSystemChange>, directory: FilePath, sequence: UInt64 = 1,
    treeBefore: FileSystemTree? = nil
  ) {
    let changes = Array(changes)
    let moved = treeBefore.map { MovedContents(changes, before: $0, below: directory) }
    shared = Shared(.made(changes, moved), moved.map { KnownTree($0.storage, directory: directory) })
    self.sequence = sequence
    self.directory = directory
    cursor = nil
  }
}

// MARK: - Changes

extension FileSystemChanges {
  /// The position of the first change.
  public var startIndex: Int { 0 }

  /// The position after the last change.
  public var endIndex: Int {
    switch contents {
    case .log(let log): log.records.count
    case .firstScan(let inventory, _): inventory.order.count
    case .made(let changes, _): changes.count
    }
  }

  /// The change at a position, created on access.
  public subscript(position: Int) -> FileSystemChange {
    switch contents {
    case .log(let log): change(log.records[position], log)
    case .firstScan(let inventory, let tree): change(inventory.order[position], inventory, tree)
    case .made(let changes, _): changes[position]
    }
  }

  /// The changes of one item, in order.
  ///
  /// - Complexity: O(*n*) for *n* changes.
  public subscript(uuid: UUID) -> [FileSystemChange] {
    switch contents {
    case .log(let log):
      let uuid = UUIDBits(uuid)
      return log.records.filter { $0.uuid == uuid }.map { change($0, log) }
    case .firstScan, .made: return filter { $0.item.uuid == uuid }
    }
  }

  /// The changes of one kind, in order.
  public func changes(ofKind kind: FileSystemChange.Kind) -> [FileSystemChange] {
    switch contents {
    case .log(let log): log.records.filter { $0.kind == kind }.map { change($0, log) }
    case .firstScan, .made: filter { $0.kind == kind }
    }
  }

  /// Whether the set announces the whole tree, as found by the first scan of a run.
  public var isFirstScan: Bool { if case .firstScan = contents { true } else { false } }

  /// The set's share of a listener's buffer.
  ///
  /// The set of the first scan is read from a snapshot and takes next to nothing; a later snapshot retains the pages
  /// replaced since.
  var weight: Int {
    switch contents {
    case .log(let log): log.records.count + (snapshot == nil ? 0 : Self.snapshotWeight)
    case .firstScan: 1
    case .made(let changes, _): changes.count
    }
  }

  /// The weight of a snapshot in changes: replaced pages of names and nodes of the graph, about 100 KiB.
  private static let snapshotWeight = 64

  private func change(_ record: ChangeRecord, _ log: ChangeLog) -> FileSystemChange {
    FileSystemChange(
      record.event(log, below: directory), record.item(log, below: directory), origin: record.origin)
  }

  private func change(_ id: NodeID, _ inventory: FirstInventory, _ tree: KnownTree) -> FileSystemChange {
    let item = tree.item(id)
    if let original = inventory.originals[id] {
      return FileSystemChange(.duplicated(of: tree.original(original)), item, origin: .unknown)
    }
    if inventory.furtherNames.contains(id) { return FileSystemChange(.linked, item, origin: .unknown) }
    return FileSystemChange(.discovered(isCopying: item.isCopying, isReturned: false), item, origin: .unknown)
  }
}

extension KnownTree {
  fileprivate func original(_ id: NodeID) -> FileSystemChange.Original {
    FileSystemChange.Original(
      uuid: UUID(storage.nodes[id.index].uuid), path: storage.path(of: id, below: directory))
  }
}

// MARK: - Items moved with a directory

extension FileSystemChanges {
  /// The items that a directory renamed or moved in this set took along, each as `moved`, parents before children.
  ///
  /// These are all items that keep their UUIDs and have other paths by this change alone: also those that continue in
  /// the copies when a directory is moved by copying, where the set says of the copies only that they are `deleted`.
  /// Items that arrived below the directory in the same set, or were renamed or moved themselves, have changes of their
  /// own and are not listed.
  ///
  /// The tree after the set tells them. A set from a store, or of the changes since a cursor, has it; after a move by
  /// copying, it may also list what was only in the copy. A decoded set has no tree. A set made by an app has it if it
  /// is made with the tree before.
  ///
  /// - Parameter change: A change of this set.
  /// - Returns: Empty if the change is not a rename or move of a directory, or not of this set.
  /// - Complexity: O(*n*) time and memory for *n* items below the directory.
  public func movesBelow(_ change: FileSystemChange) -> [FileSystemChange] {
    guard change.item.kind == .directory, change.previousPath != nil, let moved = movedContents else { return [] }
    return moved.moves(below: change, directory: directory).filter { scope.containsFollower($0.item) }
  }

  /// What moved with directories; `nil` if none was renamed or moved, or the tree is not known.
  private var movedContents: MovedContents? {
    switch contents {
    case .log(let log): snapshot.map { MovedContents(log, $0) }
    case .made(_, let moved): moved
    case .firstScan: nil
    }
  }
}

// MARK: - Replay

extension FileSystemChanges {
  /// The item at a path in the tree after the set; `nil` if the set has no tree.
  func itemAfter(at path: FilePath) -> FileSystemItem.Snapshot? {
    shared.treeAfter.flatMap { tree in tree.node(at: path).map(tree.item) }
  }

  /// The tree that a first scan found.
  var firstScan: GraphStorage? { if case .firstScan(_, let tree) = contents { tree.storage } else { nil } }

  /// Whether this is what a first scan has found in a part of the tree.
  var isFirstScanOfPart: Bool {
    if case .firstScan(let inventory, _) = contents { inventory.isPart } else { false }
  }

  /// The effects of the changes on a tree.
  package var steps: [TreeStep] {
    switch contents {
    case .log(let log): (log.records + log.continuations).map { TreeStep($0, log) }
    case .firstScan, .made: map { TreeStep($0, below: directory) }
    }
  }
}
