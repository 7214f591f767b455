/// Who bears a tag while it is not decided what it says.
enum TagHolder: Hashable, Sendable {
  case arrival(Place)
  /// An entry that is being written.
  case entry(NodeID)
}
