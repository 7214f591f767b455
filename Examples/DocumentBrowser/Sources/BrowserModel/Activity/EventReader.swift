internal import FileSystemObservation

/// News of a folder.
enum FolderNews: Sendable {
  case changes(ChangeDigest)
  case event(FileSystemObserver.Event)
}

/// What a set of changes, or a new state, means to the app.
struct ChangeDigest: Sendable {
  let activity: ActivityDigest
  /// The set, or the state, which the annotations follow.
  let event: FileSystemObserver.Event
  let cursor: FileSystemObserver.Cursor?
}

/// Turns events into news.
struct EventReader {
  /// Whether the sets that come are of the time when the app was not running.
  ///
  /// First come the sets that were announced and not shown before, and then what the comparison with the store has found.
  private var isCatchingUp = true

  mutating func read(_ event: FileSystemObserver.Event) -> FolderNews {
    switch event {
    case .didChange(let changes):
      let activity = ActivityDigest(changes, isWhileAway: isCatchingUp)
      return .changes(ChangeDigest(activity: activity, event: event, cursor: changes.cursor))
    case .reset(let snapshot, let reason):
      let isGap = reason != .initial && isCatchingUp
      return .changes(ChangeDigest(activity: isGap ? .gap : .nothing, event: event, cursor: snapshot.cursor))
    case .didCompleteFullScan: isCatchingUp = false
    default: break
    }
    return .event(event)
  }
}
