import FileIdentity
import LinuxFileSystem

/// An inode that has not been announced.
struct Arrival: Sendable {
  /// What the last look found; `nil` if only the kernel has reported the arrival.
  var entry: Entry?
  /// The inode; `.unseen` before the first look, unless it is the old inode of a saved document.
  var key: FileKey
  var kind: FileKind?
  var activity: WriteActivity
  /// The place that it left by its last rename.
  var previous: Place?
  /// Whether the last look found a document that had ended.
  var mayBeBack = false
  /// The name under which it was found in a new folder, if it was moved into that, see `Classifier.isBrought`.
  var broughtAs: FileName?
  /// The document that had its name when the file system was unmounted, if a listing has found it.
  var absentItem: UUIDBits?
  /// Whether its first look was put off, see `Classifier.postponeFirstLook`.
  var awaitsFirstLook = false

  init(_ entry: Entry, _ activity: WriteActivity) {
    self.entry = entry
    key = entry.key
    kind = entry.kind
    self.activity = activity
  }

  /// Creates an arrival that has not been looked at.
  init(unseen key: FileKey = .unseen, _ kind: FileKind? = nil, at now: MonotonicTime, nextCheck: MonotonicTime) {
    self.key = key
    self.kind = kind
    activity = WriteActivity(now: now, size: -1, modified: 0, nextCheck: nextCheck)
    activity.isLookedAt = false
  }

  /// Takes in what a look has found; no other needs to be made.
  mutating func take(_ entry: Entry) {
    self.entry = entry
    key = entry.key
    kind = entry.kind
    awaitsFirstLook = false
  }

  /// Forgets what the last look found of a file, so that the next look identifies it.
  mutating func forgetLook() {
    guard entry?.kind == .file else { return }
    entry = nil
    key = .unseen
    kind = nil
    activity.isLookedAt = false
  }
}
