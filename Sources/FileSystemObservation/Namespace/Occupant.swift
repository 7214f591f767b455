/// What is believed to be at a place, announced or not.
enum Occupant: Sendable {
  case entry(NodeID)
  case arrival(Arrival)
  /// Nothing known: the name is unobserved, or its inode came unseen.
  case unknown
}
