import FileIdentity
import LinuxFileSystem

/// The notes that the classifier takes while it decides: each change with its entry, in order and without paths.
///
/// ``ChangeComposer`` makes a set of changes from them: entries may change again before that.
struct ChangeDraft: Sendable {
  /// One change of one entry.
  struct Note: Sendable {
    var kind: FileSystemChange.Kind
    var node: NodeID
    /// The identity of the entry.
    var uuid: UUIDBits
    var itemKind: FileSystemItem.Kind
    var original: NodeID?
    var originalUUID: UUIDBits?
    /// For a deletion.
    var reason: DeletionReason?
    /// For a discovery: the item was deleted before.
    var isReturned = false
    var isCopying: Bool
    var isTagged: Bool
    /// The last properties of an item that is gone.
    var facts: ItemFacts?
    /// The inode with which an item ended.
    var key: FileKey?
    /// For a succession: the former oldest name.
    var formerName: NodeID?
  }

  private(set) var notes: [Note] = []
  /// Takes a note of each decision, if there is one.
  var recorder: FlightRecorder?
  /// The rule by which whatever is decided now is decided.
  var rule: DecisionReason?
  /// The entries whose inode is gone and may be in a trash folder.
  var mayBeTrashed: [(node: NodeID, question: TrashQuestion)] = []
  /// The contents of files that were removed, where they are known.
  var removedContents: [UUIDBits: ContentDigest] = [:]

  var isEmpty: Bool { notes.isEmpty }

  /// Adds an existing note.
  mutating func append(_ note: Note) { notes.append(note) }

  /// Adds a note of a change.
  ///
  /// Note a removal before the graph removes the entry, and any other change after the graph has it.
  ///
  /// - Parameter rule: Why, where the entry itself says; otherwise `rule` says why, or the kind of change.
  mutating func append(
    _ kind: FileSystemChange.Kind, _ id: NodeID, in graph: FileGraph, original: NodeID? = nil,
    reason: DeletionReason? = nil, by rule: DecisionReason? = nil
  ) {
    if recorder != nil { record(DecisionKind(kind), id, in: graph, by: rule) }
    let node = graph[id]
    notes.append(
      Note(
        kind: kind, node: id, uuid: node.uuid, itemKind: FileSystemItem.Kind(node.kind), original: original,
        originalUUID: original.map { graph[$0].uuid }, reason: reason, isCopying: node.flags.contains(.copying),
        isTagged: node.flags.contains(.tagged),
        facts: kind == .deleted || kind == .unlinked ? ItemFacts(id, graph) : nil,
        key: kind == .deleted ? graph.key(id) : nil))
  }

  /// Keeps a decision in the flight recorder.
  func record(_ kind: DecisionKind, _ id: NodeID, in graph: FileGraph, by rule: DecisionReason? = nil) {
    recorder?.note(kind, rule ?? self.rule ?? kind.usualReason, id, in: graph)
  }

  /// Notes a new or returned item.
  mutating func appendDiscovery(
    of id: NodeID, in graph: FileGraph, isReturned: Bool, by rule: DecisionReason? = nil
  ) {
    append(.discovered, id, in: graph, by: rule ?? (isReturned ? .returned : nil))
    notes[notes.count - 1].isReturned = isReturned
  }

  /// Notes a move; the composer finds the origin and whether the folder differs.
  mutating func appendMove(of id: NodeID, in graph: FileGraph, isFound: Bool = false) {
    append(.moved, id, in: graph, by: rule ?? (isFound ? .foundElsewhere : .renamedByHint))
  }

  /// Notes that another name succeeds the oldest name of a file.
  mutating func appendSuccession(of id: NodeID, after former: NodeID, in graph: FileGraph) {
    append(.moved, id, in: graph, by: .successionOfName)
    notes[notes.count - 1].formerName = former
  }

  /// Notes a deletion whose inode may be in a trash folder.
  mutating func noteMayBeTrashed(_ id: NodeID, _ question: TrashQuestion) {
    mayBeTrashed.append((id, question))
  }

  /// Puts the last note before those from an index on.
  mutating func moveLast(to index: Int) {
    if index < notes.count { notes.insert(notes.removeLast(), at: index) }
  }

  /// Removes all notes; keeps the memory for a usual number of changes.
  mutating func removeAll() {
    notes.removeAll(keepingCapacity: notes.count <= 256)
    mayBeTrashed.removeAll()
    removedContents.removeAll()
  }
}

extension FileSystemItem.Kind {
  init(_ kind: FileKind) {
    switch kind {
    case .directory: self = .directory
    case .symlink: self = .symlink
    case .file, .special: self = .file
    }
  }
}

extension FileKind {
  init(_ kind: FileSystemItem.Kind) {
    switch kind {
    case .directory: self = .directory
    case .symlink: self = .symlink
    case .file: self = .file
    }
  }
}
