import FileEvents
import FileIdentity
import LinuxFileSystem

/// The writing of a file, from its first sign to its end.
struct WriteActivity: Equatable, Sendable {
  var firstSeen: MonotonicTime
  var lastActivity: MonotonicTime
  /// Whether a writer has closed the file, and no write came since.
  var isClosed = false
  /// Whether a write was seen.
  var isWritten = false
  var size: Int64
  var modified: Int64
  /// Whether the file replaced a document's old inode, so that the document is announced as modified whatever its
  /// content.
  var isSave = false
  /// Whether its inode was known before: the file has a further name, or a document was saved.
  var isKnownInode = false
  /// Whether a rename brought it to its place, so that it is no hard link made there.
  var cameByRename = false
  /// Whether a look found it, and no hint has told how it came: what leaves its place by a rename may be another file.
  var wasFound = false
  /// Whether a rename brought it from outside the tree, where it is taken to be complete.
  var cameFromOutside = false
  /// The recovery that found it, if no hint did.
  var recovery: Int?
  /// Whether it existed before it was observed, and has not changed since.
  var isRevealed = false
  /// Whether it is known to be complete, so that it needs no quiet period.
  var isComplete = false
  /// Whether it was announced under an identity that has ended since, so that its tag does not count.
  var wasMerged = false
  /// When a document must be announced as modified, though it is still being written; `nil` before its first
  /// announcement.
  var announceBy: MonotonicTime?
  /// Whether it was announced as modified since the writing began.
  var wasAnnounced = false
  /// Whether `size` and `modified` are from the last look, without an event since: then a difference is an unseen
  /// write.
  var isLookedAt = true
  /// Whether it is in a document's place and was not renamed over it, so that it may be its copy in a move by copying.
  var mayBeCarried = false
  /// The inode here before a save, in case the save puts it back.
  var former: FileKey?
  /// When that inode left by a rename without a second half, so that it may turn up where nobody has looked yet.
  var formerLeft: MonotonicTime?
  /// The number of looks that found it unfinished.
  var checks = 0
  /// Whether this cannot be a hard link: links are made in place, and are not written, closed or renamed first.
  var cannotBeHardLink: Bool { isWritten || isClosed || cameByRename }
  var nextCheck: MonotonicTime

  init(now: MonotonicTime, size: Int64, modified: Int64, nextCheck: MonotonicTime) {
    firstSeen = now
    lastActivity = now
    self.size = size
    self.modified = modified
    self.nextCheck = nextCheck
  }
}

extension WriteActivity {
  init(_ entry: Entry, at now: MonotonicTime, nextCheck: MonotonicTime) {
    self.init(now: now, size: entry.size, modified: entry.modified, nextCheck: nextCheck)
  }

  mutating func noteActivity(_ kinds: HintKinds, _ now: MonotonicTime, quiet: Int64) {
    lastActivity = now
    isComplete = false
    isLookedAt = false
    isRevealed = false
    checks = 0
    if kinds.contains(.written) {
      isWritten = true
      isClosed = false
    }
    if kinds.contains(.closed) {
      isClosed = true
      nextCheck = check(at: now + quiet)
    }
  }

  /// Whether a document that is being written must be announced as modified.
  func isDue(_ now: MonotonicTime) -> Bool { announceBy.map { $0 <= now } ?? false }

  /// The time of the next look, no later than the next announcement.
  func check(at time: MonotonicTime) -> MonotonicTime { announceBy.map { min($0, time) } ?? time }
}
