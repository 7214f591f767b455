package import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// One change of a set: no path objects, only ranges of bytes in the log.
package struct ChangeRecord: Sendable {
  /// What a change does to the tree.
  enum Effect: Sendable {
    /// Nothing: the item stays where it is.
    case none
    /// An item arrives, or ends.
    case comesOrGoes
    /// An item goes to another place, and what is below it follows.
    case moves
    /// An entry stands for another item than before; what is below it stays.
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
  /// The names of a file that has several, as far as an item lists them.
  var names: [Range<Int>] = []
  /// The entry, for listing what lies below it.
  package var node: NodeID
  /// The entry of the directory that the item was in before, where it moved.
  var formerParent: NodeID?
  var effect = Effect.none
}

extension ChangeRecord {
  /// What happened, with paths made of the bytes in the log.
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
    // Announced by themselves.
    case .attributesChanged, .activity: .activity
    }
  }

  func item(_ log: ChangeLog, below directory: FilePath) -> FileSystemItem.Snapshot {
    FileSystemItem.Snapshot(
      uuid, itemKind, facts, relativePath: log.paths[path], below: directory, isCopying: isCopying, isTagged: isTagged,
      names: names.map { log.path($0, below: directory) })
  }
}

/// What is asked of an inode that has left the tree: whether it is in a trash folder.
struct TrashQuestion: Sendable {
  var key: FileKey
  /// The name it had.
  var name: FileName
  /// When it was known to have left.
  var since: MonotonicTime
}

/// The changes of one set, as they are told.
package struct ChangeLog: Sendable {
  package internal(set) var records: [ChangeRecord] = []
  /// Paths relative to the observed directory, one after the other.
  package internal(set) var paths: [UInt8] = []
  /// What ended because an inode is gone that may be in a trash folder.
  var mayBeTrashed: [(node: NodeID, question: TrashQuestion)] = []
  /// Whether a directory was renamed or moved: only then is a snapshot worth keeping.
  var movesDirectory: Bool { records.contains { $0.effect == .moves && $0.itemKind == .directory } }

  var isEmpty: Bool { records.isEmpty }

  /// A path of which the log has the bytes below the observed directory.
  func path(_ range: Range<Int>?, below directory: FilePath) -> FilePath {
    range.map { directory.appending(bytes: paths[$0]) } ?? directory
  }

  /// Where something went is found out before it is told: only the file system knows.
  mutating func noteTrashed(where isInTrash: (TrashQuestion) -> Bool) {
    if mayBeTrashed.isEmpty { return }
    var answers: [FileKey: Bool] = [:]
    var trashed: Set<NodeID> = []
    for (node, question) in mayBeTrashed {
      let answer = answers[question.key] ?? isInTrash(question)
      answers[question.key] = answer
      if answer { trashed.insert(node) }
    }
    mayBeTrashed = []
    if trashed.isEmpty { return }
    for index in records.indices where records[index].kind == .deleted && trashed.contains(records[index].node) {
      records[index].reason = .trashed
    }
  }
}
