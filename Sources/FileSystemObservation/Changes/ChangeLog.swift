package import FileIdentity
import LinuxFileSystem

/// One change of a set: no path objects, only ranges of bytes in the log.
package struct ChangeRecord: Sendable {
  /// What a change does to the tree.
  enum Effect: Sendable {
    /// Nothing: it is said of an item that stays where it is.
    case none
    /// An item comes, or goes.
    case comesOrGoes
    /// An item goes to another place, and what is below it follows.
    case moves
    /// An entry stands for another item than before; what is below it stays.
    case changesIdentity
  }

  package var kind: Change.Kind
  package var itemKind: ItemKind
  package var uuid: UUIDBits
  package var path: Range<Int>
  package var previousPath: Range<Int>?
  package var original: UUIDBits?
  package var originalPath: Range<Int>?
  package var reason: Change.Reason?
  package var isCopying = false
  package var isTagged = false
  /// The entry, for listing what lies below it.
  package var node: NodeID
  var effect = Effect.none
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
