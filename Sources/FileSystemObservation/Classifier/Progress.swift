import FileEvents
import FileIdentity
import LinuxFileSystem

/// How far the writing of a file has come.
struct Progress: Equatable, Sendable {
  var firstSeen: MonotonicTime
  var lastActivity: MonotonicTime
  /// Whether a writer has closed the file, and no write has been seen since.
  var isClosed = false
  /// Whether content was seen to be written.
  var isWritten = false
  var size: Int64
  var modified: Int64
  /// Whether the file took the place of a document's old inode: then `modified` is due, whatever the contents.
  var isSave = false
  /// Whether its inode was there before: as a document that has a further name now, or was saved.
  var isOld = false
  /// Came to its place by a rename, so that it is no further name made there.
  var cameByRename = false
  /// Came by a rename from outside the tree, complete as far as anyone can tell.
  var cameFromOutside = false
  /// Which recovery has found it, where no hint did.
  var recovery: Int?
  /// Whether it was there before it was observed, and has rested since: it has not arrived.
  var isRevealed = false
  /// Whether it is known to be complete, so that no quiet period is awaited.
  var isComplete = false
  /// Whether it was announced under an identity that has ended since: its tag is of no account.
  var wasAbsorbed = false
  /// When a document is to be told as modified at the latest, though it is still being written; nothing for what has
  /// not been announced.
  var tellBy: MonotonicTime?
  /// Whether it was told as modified since the writing began.
  var isTold = false
  /// Whether `size` and `modified` are what was found at the last look, with no event since: then a difference is a
  /// write unseen.
  var isLookedAt = true
  /// Whether it stands for a document and was not renamed over it: so it may have been moved by copying.
  var mayBeCarried = false
  /// The inode that stood here before a save, should the save put it back.
  var former: FileKey?
  /// When that inode left by a rename whose other half nobody saw, so that it may turn up where nobody looked yet.
  var formerLeft: MonotonicTime?
  /// How often it was looked at without being finished.
  var checks = 0
  /// Whether it is no further name of a known file, though nobody has looked at it: such a name is made at its place,
  /// and not written.
  var isNoLink: Bool { isWritten || isClosed || cameByRename }
  var nextCheck: MonotonicTime

  init(_ entry: Entry, at now: MonotonicTime, nextCheck: MonotonicTime) {
    self.init(size: entry.size, modified: entry.modified, at: now, nextCheck: nextCheck)
  }

  init(size: Int64, modified: Int64, at now: MonotonicTime, nextCheck: MonotonicTime) {
    firstSeen = now
    lastActivity = now
    self.size = size
    self.modified = modified
    self.nextCheck = nextCheck
  }
}

extension Progress {
  init(now: MonotonicTime, size: Int64, modified: Int64, nextCheck: MonotonicTime) {
    firstSeen = now
    lastActivity = now
    self.size = size
    self.modified = modified
    self.nextCheck = nextCheck
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

  /// Whether a document has been written for so long that it must be told as modified.
  func isDue(_ now: MonotonicTime) -> Bool { tellBy.map { $0 <= now } ?? false }

  /// When to look, in time to tell what is due by then.
  func check(at time: MonotonicTime) -> MonotonicTime { tellBy.map { min($0, time) } ?? time }
}
