import FileIdentity

/// Who made the changes of a set.
struct ChangeOrigins: Sendable {
  /// The origin of changes that no operation of this process made.
  var others = FileSystemChange.Origin.other
  /// The changes of the current operation of this process.
  var own: OwnChanges?

  func origin(of note: ChangeDraft.Note, in graph: FileGraph) -> FileSystemChange.Origin {
    if let own, own.includes(note, in: graph) { return .thisProcess }
    return others
  }

  /// The reason for a deletion: an operation knows its own better than anyone who only sees the item leave.
  func reason(of note: ChangeDraft.Note, _ origin: FileSystemChange.Origin) -> DeletionReason? {
    guard let reason = note.reason, origin == .thisProcess, let own else { return note.reason }
    // Another program may have put an item in the place of one that the operation has taken away.
    let isOwn = reason == .removed || reason == .movedOut || reason == .replaced && own.isDeparture
    return isOwn ? own.reason ?? reason : reason
  }
}

/// The items that an operation of this process changes.
struct OwnChanges: Sendable {
  /// The items that end or leave: what the operation removes, and what it puts another item over.
  var leaving: Set<UUIDBits> = []
  /// Whether the item of the operation leaves the tree: what comes to its place is another.
  var isDeparture = false
  /// Why they end, if the operation removes them.
  var reason: DeletionReason?
  /// The entry that the operation moves.
  var moved: NodeID?
  /// The entry at the operation's last place, after the operation.
  var arrived: NodeID?
  /// Whether the operation made the contents of that entry; otherwise it has moved the entry.
  var isMade = false
  /// The inode that the operation made.
  var key: FileKey?
  /// The original of each copy, by the UUID of the copy.
  var originals: [UUIDBits: UUIDBits] = [:]
  /// Whether the operation has moved its item by copying.
  var isMovedByCopying = false

  /// Notes the result of the operation.
  mutating func note(_ item: CommittedItem) {
    key = item.key
    originals = item.originals
    isMovedByCopying = item.isMovedByCopying
  }

  /// Whether the operation made a change.
  func includes(_ note: ChangeDraft.Note, in graph: FileGraph) -> Bool {
    switch note.kind {
    case .deleted, .unlinked: leaving.contains(note.uuid)
    // Another name succeeds the oldest one of a file, which the operation has removed.
    case .renamed, .moved: note.node == arrived || note.formerName != nil && leaving.contains(note.uuid)
    case .discovered, .duplicated, .copyFinished, .modified, .linked: isMade && isInArrived(note.node, in: graph)
    case .attributesChanged, .activity, .propertiesChanged: false
    }
  }

  /// Whether an entry is the arrived one or below it, with the inode that the operation made.
  private func isInArrived(_ id: NodeID, in graph: FileGraph) -> Bool {
    guard let arrived, graph.isLive(arrived), graph.isLive(id), graph.storage.isEntry(id, inside: arrived) else {
      return false
    }
    // Another program may have replaced the item since.
    return id != arrived || key == nil || graph.key(id) == key
  }
}
