import FileSystemObservation
import SystemPackage

/// A note on a change, in parentheses.
struct Note {
  var text: String
  /// The path that follows the text.
  var path: FilePath?

  init(_ text: String, _ path: FilePath? = nil) {
    self.text = text
    self.path = path
  }
}

extension FileSystemChange {
  /// The notes of a change.
  var notes: [Note] {
    var notes: [Note] = []
    if let previousPath { notes.append(Note("was", previousPath)) }
    if let original { notes.append(Note("copy of", original.path)) }
    if let deletionReason { notes.append(Note(deletionReason.text)) }
    if isReturned { notes.append(Note("returned")) }
    if case .discovered(isCopying: true, _) = event { notes.append(Note("still being written")) }
    if item.kind == .symlink { notes.append(Note("symlink")) }
    return notes
  }
}

extension DeletionReason {
  fileprivate var text: String {
    switch self {
    case .removed: "removed"
    case .trashed: "into the trash"
    case .movedOut: "moved out"
    case .replaced: "replaced by another"
    case .unmounted: "unmounted"
    @unknown default: rawValue
    }
  }
}

extension FileSystemObserver.SkipReason {
  /// The reason for people.
  var text: String {
    switch self {
    case .unreadableFolder: "folders that may not be listed"
    case .excluded: "excluded"
    case .hidden: "hidden"
    case .special: "FIFOs, sockets and devices"
    case .belowLevels: "below the levels included"
    case .tagNotPermitted: "no permission to tag"
    case .tagNotSupported: "cannot bear a tag"
    case .noRoomForTag: "no room for the tag"
    case .readOnly: "read-only file system"
    case .onlyInLowerLayer: "in a lower layer of an overlay (--tag-lower tags them)"
    @unknown default: rawValue
    }
  }
}
