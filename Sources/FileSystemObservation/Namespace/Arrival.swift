import FileIdentity
import LinuxFileSystem

/// A newcomer that has not been announced.
struct Arrival: Sendable {
  /// What was found when it was looked at; nothing while only the kernel has told of it.
  var entry: Entry?
  /// Its inode, where that is known: an unseen newcomer's is not, unless it is the old inode of a document that was
  /// saved.
  var key: FileKey
  /// What it is, where that is known.
  var kind: FileKind?
  var activity: WriteActivity
  /// Where it was before it was renamed to where it is.
  var previous: Place?
  /// Whether it came from a name of which it was not known what had it: an entry that is missing, perhaps.
  var mayBeMissed = false
  /// Whether what was found when it was looked at last was a document that had gone away.
  var mayBeBack = false

  init(_ entry: Entry, _ activity: WriteActivity) {
    self.entry = entry
    key = entry.key
    kind = entry.kind
    self.activity = activity
  }

  /// A newcomer that nobody has looked at.
  init(unseen key: FileKey = .unseen, _ kind: FileKind? = nil, at now: MonotonicTime, nextCheck: MonotonicTime) {
    self.key = key
    self.kind = kind
    activity = WriteActivity(now: now, size: -1, modified: 0, nextCheck: nextCheck)
    activity.isLookedAt = false
  }

  /// From now on, a file is whatever is found at the next look.
  mutating func forgetLook() {
    guard entry?.kind == .file else { return }
    entry = nil
    key = .unseen
    kind = nil
    activity.isLookedAt = false
  }
}
