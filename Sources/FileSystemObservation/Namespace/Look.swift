import FileEvents

/// The reason for a look.
enum LookReason: Equatable, Sendable {
  /// Hints of these kinds. Further hints may be unread.
  case hint(HintKinds)
  /// A listing of the directory.
  case scan
  /// A question of the classifier.
  case check

  /// The kinds of the hints; none without hints.
  var kinds: HintKinds { if case .hint(let kinds) = self { kinds } else { [] } }
}

/// What was found at a place, and why it was looked at.
struct Look: Sendable {
  var place: Place
  var entry: Entry?
  var cause: LookReason
  /// Whether the entries that the classifier asked about have been looked at, so that the graph is right about them.
  var isVerified = false
}
