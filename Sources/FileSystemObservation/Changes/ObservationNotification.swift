public import SystemPackage

/// What an observer tells.
public enum ObservationNotification: Sendable {
  /// The whole tree is about to be scanned: at the start, and whenever events were lost.
  case willBeginFullScan(ScanReason)
  /// The scan is done. All its changes were told before, save those that wait for their settle window.
  case didCompleteFullScan(ScanSummary)
  /// The tree went from one state to the next.
  case didChange(ChangeSet)
  /// This listener fell behind, and what it had not taken was dropped. Forget what was told before and start from the inventory:
  /// the next change set follows upon it.
  case mustRescan(Inventory)
  /// Something the app or its user should know. Observation goes on.
  case diagnostic(Diagnostic)
  /// Observation has ended by itself, because of this error. Not sent after `stop()`.
  case didEnd(ObservationError)
}

/// Why the whole tree is scanned.
public enum ScanReason: String, Hashable, Sendable, CaseIterable {
  /// Observation starts.
  case start
  /// The kernel's queue of events overflowed, or the engine's own.
  case eventsLost
  /// The observed directory had gone and is back.
  case rootReturned
}

/// What a full scan found and did.
public struct ScanSummary: Sendable, Equatable {
  /// Why it was done.
  public var reason: ScanReason
  /// Items in the inventory afterwards, the observed directory itself not counted.
  public var itemCount: Int
  /// Of these, directories.
  public var directoryCount: Int
  /// Files and directories that were given a tag.
  public var taggedCount: Int
  /// Copies that bore another's UUID and were given their own.
  public var duplicateCount: Int
  /// What was left out or left without a tag, and how often.
  public var skipped: [SkipReason: Int]
  /// How long it took.
  public var duration: Duration
}

/// Why a scan left something out, or without a tag.
public enum SkipReason: String, Hashable, Sendable, CaseIterable {
  /// The folder may not be listed.
  case unreadableFolder
  /// A pattern excludes it, or none includes it.
  case excluded
  /// The name begins with a dot, and hidden items are not wanted.
  case hidden
  /// A FIFO, socket or device.
  case special
  /// The item lies deeper than the levels included.
  case belowLevels
  /// The tag may not be written: another's file, or a read-only one (EACCES, EPERM).
  case tagNotPermitted
  /// The file system keeps no `user.*` attributes, or the item is a symbolic link (ENOTSUP).
  case tagNotSupported
  /// No room for the tag (ENOSPC, EDQUOT).
  case noRoomForTag
  /// The file system is read-only (EROFS).
  case readOnly
  /// The item is in a lower layer of an overlay file system, so that a tag would have it copied into the upper layer; see
  /// ``ObservationOptions/tagsLowerFiles``.
  case onlyInLowerLayer
}

/// Something the app or its user should know while observation goes on.
public struct Diagnostic: Sendable, Equatable {
  /// What it is about.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A folder cannot be listed. It is watched as soon as it can be.
    case unreadableFolder
    /// A file system below the observed directory, or its own, does not answer (FUSE, NFS, …). What is known of it is kept, and it is
    /// looked at again when it answers.
    case mountNotAnswering
    /// A limit of the kernel is reached; the message names it and how to raise it.
    case limitReached
    /// The tag of a file could not be written; it is known by its inode instead.
    case tagNotWritten
    /// Another program removed or changed the tags of items that stayed where they were; they are put back.
    case tagRestored
    /// The observed directory is gone; observation waits for its return.
    case rootLost
    /// Something else than the observed directory is at its path: it is not looked into, and observation waits on.
    case rootReplaced
    /// The same directory is reached by a second way (a bind mount): it is observed once.
    case directoryLoop
    /// This listener did not take diagnostics in time, and some were left out; the message says how many.
    case diagnosticsLeftOut
  }

  /// What it is about.
  public var code: Code
  /// One sentence for a person, with what to do.
  ///
  /// File names in it are escaped, so that they can neither forge a line nor command a terminal; ``path`` has the name as it is.
  public var message: String
  /// Where.
  public var path: FilePath?
  /// What the system said.
  public var errno: Errno?

  init(code: Code, message: Message, path: FilePath?, errno: Errno?) {
    self.code = code
    self.message = message.text
    self.path = path
    self.errno = errno
  }
}
