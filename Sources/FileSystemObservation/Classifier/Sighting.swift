import FileEvents
import FileIdentity
import LinuxFileSystem

/// What the prober found at a place: a fact.
struct Entry: Equatable, Sendable {
  var key: FileKey
  var kind: FileKind
  /// How many names it has; a directory has one, whatever the file system counts.
  var linkCount: UInt32
  var size: Int64
  /// Time of the last change of content.
  var modified: Int64
  /// Time of the last change of anything, tags among it.
  var changed: Int64
  var tag: TagReading
  /// The identifier of the file system, for minting.
  var fileSystem: UInt64
  /// Whether the inode changed so recently that somebody may still be at it.
  var isRecent: Bool

  init(_ status: FileStatus, tag: TagReading, fileSystem: UInt64, isRecent: Bool) {
    key = FileKey(status)
    kind = status.kind
    linkCount = status.kind == .directory ? 1 : status.linkCount
    size = status.size
    modified = status.modified
    changed = status.changed
    self.tag = tag
    self.fileSystem = fileSystem
    self.isRecent = isRecent
  }

  /// Whether its tag was minted for its own inode: nobody copied it here.
  var bearsOwnTag: Bool { tag.uuid?.isMinted(for: key, on: fileSystem) ?? false }
}

/// Why a place was looked at.
enum Cause: Equatable, Sendable {
  /// Hints of these kinds; there may be more that have not been read.
  case hint(HintKinds)
  /// A listing of the directory.
  case scan
  /// The classifier wanted to know.
  case check
}

/// A fact and how it came to be known.
struct Sighting: Sendable {
  var place: Place
  var entry: Entry?
  var cause: Cause
  /// Whether the entries that the classifier asked about have been looked at: what the graph says of them is now true.
  var isVerified = false

  /// Whether hints that have not been read may tell more.
  var isHinted: Bool { if case .hint = cause { true } else { false } }
}

/// What the classifier asks of the engine.
///
/// Every request is answered by a call back into the classifier, or needs no answer.
enum Request: Sendable {
  /// Look at a place, and `observe` what is there.
  case look(Place, Cause)
  /// The same, wherever this entry is by then.
  case lookAt(NodeID)
  /// Look at the places of these entries and `observe` each; then look at this place again, with `isVerified`.
  case verify([NodeID], then: Place, Cause)
  /// An arrival may be finished: look at it, probe for writers, and `finish` it.
  case finish(Place)
  /// Look at these entries, then `finish` the arrival.
  case verifyThenFinish([NodeID], Place, probeWriters: Bool)
  /// A file that is written in place, or announced as copying, may be done: look at it and `settleWriting` it.
  case checkWriting(NodeID, probeWriters: Bool)
  /// Look at these entries, then `settleWriting` the file.
  case verifyThenCheckWriting([NodeID], NodeID)
  /// Whether a displaced entry is back, or where it was put as far as is known by then: look at both and `resolve` it.
  case examine(NodeID)
  /// Give an entry's file its tag. `claiming`: only where there is none.
  case writeTag(NodeID, claiming: Bool)
  /// The same for a file that bears none, when a burst of such files is over.
  case writeTagInTime(NodeID, claiming: Bool)
  /// Put back the tag that an entry's file had, and tell the app.
  case restoreTag(NodeID)
  /// Mark a directory and list it.
  case scan(NodeID)
  /// Mark and list a directory, and everything below it, as if nothing were known of them.
  case scanAnew(NodeID)
  /// A directory has another place, or is back, and was in this one: catch up with what could not be looked at
  /// meanwhile.
  case moved(NodeID, from: NodeID)
  /// A directory is not observed any more.
  case forget(NodeID)
  /// The same directory is seen at two places.
  case reportLoop(Place)
}
