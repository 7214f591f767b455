/// What listeners ask for besides the changes of the tree.
struct ListenerNews: Sendable {
  /// The most names of a file whose changes are announced together with the change of one.
  static var nameLimit: Int { 1_024 }

  /// Whether a listener asks for activity.
  var notesActivity = false
  /// Entries whose activity has begun since the last call.
  var beginnings: Set<NodeID> = []
  /// Directories whose times have changed since the last call, and items that go on in other entries; noted whether or
  /// not a listener asks for properties.
  var changedTimes: Set<NodeID> = []
  /// Items that have got or lost a tag since the last set of changes, unless that tells of it; noted likewise.
  var changedTags: Set<NodeID> = []

  mutating func forget(_ id: NodeID) {
    beginnings.remove(id)
    changedTimes.remove(id)
    changedTags.remove(id)
  }

  mutating func takeBeginnings() -> Set<NodeID> {
    if beginnings.isEmpty { return [] }
    defer { beginnings = [] }
    return beginnings
  }

  /// A set of changes tells of the tags of its items.
  mutating func forgetTags(toldBy log: ChangeLog) {
    if changedTags.isEmpty { return }
    for record in log.records { changedTags.remove(record.node) }
  }

  mutating func takeChangedProperties() -> Set<NodeID> {
    if changedTimes.isEmpty && changedTags.isEmpty { return [] }
    defer { (changedTimes, changedTags) = ([], []) }
    return changedTimes.union(changedTags)
  }
}
