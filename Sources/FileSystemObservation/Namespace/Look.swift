import FileEvents

/// Why a place was looked at.
enum LookReason: Equatable, Sendable {
  /// Hints of these kinds; there may be more that have not been read.
  case hint(HintKinds)
  /// A listing of the directory.
  case scan
  /// The classifier wanted to know.
  case check
}

/// A fact and how it came to be known.
struct Look: Sendable {
  var place: Place
  var entry: Entry?
  var cause: LookReason
  /// Whether the entries that the classifier asked about have been looked at: what the graph says of them is now true.
  var isVerified = false

  /// Whether hints that have not been read may tell more.
  var isHinted: Bool { if case .hint = cause { true } else { false } }
}
