package import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// One change of a set, with byte ranges in the log instead of path objects.
package struct ChangeRecord: Sendable {
  /// The effect of a change on the tree.
  enum Effect: Sendable {
    /// The item keeps its place.
    case none
    /// An item arrives, or ends.
    case comesOrGoes
    /// An item moves, with everything below it.
    case moves
    /// An entry has another identity; everything below it stays.
    case changesIdentity
  }

  package var kind: FileSystemChange.Kind
  package var itemKind: FileSystemItem.Kind
  package var uuid: UUIDBits
  package var path: Range<Int>
  package var previousPath: Range<Int>?
  package var original: UUIDBits?
  package var originalPath: Range<Int>?
  /// For `deleted`.
  package var reason: DeletionReason?
  /// For `discovered`.
  package var isReturned = false
  package var isCopying = false
  package var isTagged = false
  var facts: ItemFacts
  /// For `deleted`: the inode with which the item ended.
  var key: FileKey?
  /// The names of a file with several, as many as an item lists.
  var names: [Range<Int>] = []
  /// The entry, for listing everything below it.
  package var node: NodeID
  /// The entry of the former parent, for a move.
  var formerParent: NodeID?
  var effect = Effect.none
  var origin = FileSystemChange.Origin.other
  /// Whether an operation of this process made the change.
  package var isOwn: Bool { origin == .thisProcess }
}

extension ChangeRecord {
  /// The event, with paths from the bytes in the log.
  func event(_ log: ChangeLog, below directory: FilePath) -> FileSystemChange.Event {
    switch kind {
    case .discovered: .discovered(isCopying: isCopying, isReturned: isReturned)
    case .copyFinished: .copyFinished
    case .modified: .modified
    case .renamed: .renamed(from: log.path(previousPath, below: directory))
    case .moved: .moved(from: log.path(previousPath, below: directory))
    case .duplicated:
      .duplicated(
        of: FileSystemChange.Original(
          uuid: UUID(original ?? uuid), path: log.path(originalPath ?? path, below: directory)))
    case .linked: .linked
    case .unlinked: .unlinked
    case .deleted: .deleted(reason ?? .removed)
    // Announced in sets of their own.
    case .attributesChanged, .activity, .propertiesChanged: .activity
    }
  }

  func item(_ log: ChangeLog, below directory: FilePath) -> FileSystemItem.Snapshot {
    FileSystemItem.Snapshot(
      uuid, itemKind, facts, relativePath: log.paths[path], below: directory, isCopying: isCopying, isTagged: isTagged,
      names: names.map { log.path($0, below: directory) })
  }
}

/// The changes of one set, in the order of announcement.
package struct ChangeLog: Sendable {
  package internal(set) var records: [ChangeRecord] = []
  /// Paths relative to the observed directory, concatenated.
  package internal(set) var paths: [UInt8] = []
  /// The entries whose inode is gone and may be in a trash folder.
  var mayBeTrashed: [(node: NodeID, question: TrashQuestion)] = []
  /// The contents of files that were removed, where they are known.
  var removedContents: [UUIDBits: ContentDigest] = [:]
  /// The entries that were in a copy of a directory before the directory continued there; a stored set lacks them.
  var staying: Set<NodeID> = []
  /// The items that go on in other entries, which their directories took along: not announced, but part of a replay,
  /// since the entries have properties of their own.
  var continuations: [ChangeRecord] = []
  /// The entries in which items go on at the same paths: details tell their properties, since there may be no set.
  var unmoved: Set<NodeID> = []
  /// Whether a directory was renamed or moved; only then the set needs a snapshot.
  var movesDirectory: Bool { records.contains { $0.effect == .moves && $0.itemKind == .directory } }
  /// Whether a copy is announced.
  var hasCopies: Bool { records.contains { $0.kind == .duplicated } }

  var isEmpty: Bool { records.isEmpty }

  /// Whether an operation of this process made all changes.
  var isOwn: Bool { records.allSatisfy(\.isOwn) }

  /// The path of a range of bytes below the observed directory.
  func path(_ range: Range<Int>?, below directory: FilePath) -> FilePath {
    range.map { directory.appending(bytes: paths[$0]) } ?? directory
  }

  /// Sets the reason of trashed items before the announcement; only the file system knows where they are.
  mutating func noteTrashed(_ inodesInTrash: ([TrashQuestion]) -> Set<FileKey>) {
    if mayBeTrashed.isEmpty { return }
    let inodes = inodesInTrash(mayBeTrashed.map(\.question))
    let trashed = Set(mayBeTrashed.lazy.filter { inodes.contains($0.question.key) }.map(\.node))
    mayBeTrashed = []
    if trashed.isEmpty { return }
    for index in records.indices where records[index].kind == .deleted && trashed.contains(records[index].node) {
      records[index].reason = .trashed
    }
  }
}
