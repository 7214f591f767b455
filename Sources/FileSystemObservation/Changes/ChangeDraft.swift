import FileIdentity
import LinuxFileSystem

/// What the classifier writes down while it decides: what happened to which entry, in its order, and no paths.
///
/// ``ChangeComposer`` makes a change set of it: entries may go several ways before that is taken.
struct ChangeDraft: Sendable {
  /// One thing that happened to one entry.
  struct Note: Sendable {
    var kind: FileSystemChange.Kind
    var node: NodeID
    /// The identity that the entry stood for.
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
    /// What was known of an item that is gone.
    var facts: ItemFacts?
    /// For a file with several names: the one that stood for it until now.
    var formerName: NodeID?
  }

  private(set) var notes: [Note] = []
  /// What ended because an inode is gone that may be in a trash folder.
  var mayBeTrashed: [(node: NodeID, question: TrashQuestion)] = []

  var isEmpty: Bool { notes.isEmpty }

  /// Writes down again what was written down before.
  mutating func append(_ note: Note) { notes.append(note) }

  /// Writes down a change of an entry.
  ///
  /// That an entry is gone is written down before it is removed from the graph, everything else after the graph has it.
  mutating func append(
    _ kind: FileSystemChange.Kind, _ id: NodeID, in graph: FileGraph, original: NodeID? = nil,
    reason: DeletionReason? = nil
  ) {
    let node = graph[id]
    notes.append(
      Note(
        kind: kind, node: id, uuid: node.uuid, itemKind: FileSystemItem.Kind(node.kind), original: original,
        originalUUID: original.map { graph[$0].uuid }, reason: reason, isCopying: node.flags.contains(.copying),
        isTagged: node.flags.contains(.tagged),
        facts: kind == .deleted || kind == .unlinked ? ItemFacts(id, graph) : nil))
  }

  /// Writes down that an item is new here, or is back.
  mutating func appendDiscovery(of id: NodeID, in graph: FileGraph, isReturned: Bool) {
    append(.discovered, id, in: graph)
    notes[notes.count - 1].isReturned = isReturned
  }

  /// Writes down that an entry is at another place; from where, and whether its folder is another, is seen in the end.
  mutating func appendMove(of id: NodeID, in graph: FileGraph) {
    append(.moved, id, in: graph)
  }

  /// Writes down that another name stands for a file from now on.
  mutating func appendSuccession(of id: NodeID, after former: NodeID, in graph: FileGraph) {
    append(.moved, id, in: graph)
    notes[notes.count - 1].formerName = former
  }

  /// Notes that an entry was told to be gone with an inode that may be in a trash folder.
  mutating func noteMayBeTrashed(_ id: NodeID, _ question: TrashQuestion) {
    mayBeTrashed.append((id, question))
  }

  /// Forgets what was written down; the memory of usual numbers of changes is kept.
  mutating func removeAll() {
    notes.removeAll(keepingCapacity: notes.count <= 256)
    mayBeTrashed.removeAll()
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
