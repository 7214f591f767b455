package import FileIdentity
import LinuxFileSystem

/// One change as the classifier writes it down: no path objects, only ranges of bytes in the log.
package struct ChangeRecord: Sendable {
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
  /// The directory that moved, for listing what lies below it.
  package var node: NodeID
}

/// What is asked of an inode that has left the tree: whether it is in a trash folder.
struct TrashQuestion: Sendable {
  var key: FileKey
  /// The name it had.
  var name: FileName
  /// When it was known to have left.
  var since: MonotonicTime
}

/// The changes of one step of the engine, in the order in which they take the graph from one state to the next.
package struct ChangeLog: Sendable {
  package private(set) var records: [ChangeRecord] = []
  /// Paths relative to the observed directory, one after the other.
  package private(set) var paths: [UInt8] = []
  /// Whether a directory was renamed or moved: only then is a snapshot worth keeping.
  private(set) var movesDirectory = false
  /// What ended because an inode is gone that may be in a trash folder.
  private var mayBeTrashed: [(node: NodeID, question: TrashQuestion)] = []

  var isEmpty: Bool { records.isEmpty }

  /// Writes down where an entry is now.
  mutating func storePath(of id: NodeID, in graph: FileGraph) -> Range<Int> {
    let start = paths.count
    graph.storage.appendPath(of: id, to: &paths)
    return start..<paths.count
  }

  /// Writes down a place that has no entry.
  mutating func storePath(of place: Place, in graph: FileGraph) -> Range<Int> {
    let start = paths.count
    graph.storage.appendPath(of: place.parent, to: &paths)
    if paths.count > start { paths.append(UInt8(ascii: "/")) }
    paths.append(contentsOf: place.name.bytes)
    return start..<paths.count
  }

  /// Tags are written after the change is decided and before it is told: what the identity rests on is noted last.
  mutating func noteTags(in graph: FileGraph) {
    for index in records.indices where !records[index].isTagged {
      let record = records[index]
      guard graph.isLive(record.node), graph[record.node].uuid == record.uuid else { continue }
      records[index].isTagged = graph[record.node].flags.contains(.tagged)
    }
  }

  /// Notes that an entry was told to be gone with an inode that may be in a trash folder.
  mutating func noteMayBeTrashed(_ id: NodeID, _ question: TrashQuestion) {
    mayBeTrashed.append((id, question))
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

  /// Writes down a change of an entry that is where the graph has it.
  mutating func append(
    _ kind: Change.Kind, _ id: NodeID, in graph: FileGraph, previousPath: Range<Int>? = nil,
    original: NodeID? = nil, reason: Change.Reason? = nil
  ) {
    let node = graph[id]
    let path = storePath(of: id, in: graph)
    let originalPath = original.map { storePath(of: $0, in: graph) }
    records.append(
      ChangeRecord(
        kind: kind, itemKind: ItemKind(node.kind), uuid: node.uuid, path: path, previousPath: previousPath,
        original: original.map { graph[$0].uuid }, originalPath: originalPath, reason: reason,
        isCopying: node.flags.contains(.copying), isTagged: node.flags.contains(.tagged), node: id))
    if previousPath != nil && node.kind == .directory { movesDirectory = true }
  }
}

extension ItemKind {
  init(_ kind: FileKind) {
    switch kind {
    case .directory: self = .directory
    case .symlink: self = .symlink
    case .file, .special: self = .file
    }
  }
}
