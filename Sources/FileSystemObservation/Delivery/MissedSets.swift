/// Sets of changes that a listener has missed, in order and without gaps.
struct MissedSets: Sendable {
  var sets: [FileSystemChanges] = []
  /// The cursor after the last of them.
  var end: FileSystemObserver.Cursor
  /// Whether these are all that there were when they were looked up.
  var isAll = true
}

/// What is known of the sets that a listener has missed.
enum MissedAnswer: Sendable {
  case sets(MissedSets)
  /// They are unknown: the listener begins anew.
  case unknown(FileSystemObserver.ResetReason)
  /// Nobody can say before the observer runs.
  case later
}
