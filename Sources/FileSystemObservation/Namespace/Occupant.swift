/// What stands at a place as far as the hints have told, whether or not it is told or even known what it is.
enum Occupant: Sendable {
  case entry(NodeID)
  case arrival(Arrival)
  /// Nothing that is known: the name is not observed, or what is there came unseen.
  case unknown
}
