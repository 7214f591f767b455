/// What listeners ask for besides the changes of the tree.
struct ListenerNews: Sendable {
  /// Whether a listener asks for activity.
  var notesActivity = false
  /// Entries whose activity has begun since the last call.
  var beginnings: Set<NodeID> = []
  /// Directories whose times have changed since the last call, and items that go on in other entries; noted
  /// whether or not a listener asks for properties.
  var changedTimes: Set<NodeID> = []

  mutating func forget(_ id: NodeID) {
    beginnings.remove(id)
    changedTimes.remove(id)
  }

  mutating func takeBeginnings() -> Set<NodeID> {
    if beginnings.isEmpty { return [] }
    defer { beginnings = [] }
    return beginnings
  }

  mutating func takeChangedTimes() -> Set<NodeID> {
    if changedTimes.isEmpty { return [] }
    defer { changedTimes = [] }
    return changedTimes
  }
}
