/// The number of one entry of the graph.
///
/// Numbers of removed entries are used again.
package struct NodeID: Hashable, Sendable {
  package let rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The observed directory.
  package static let root = NodeID(0)

  var index: Int { Int(rawValue) }
}

/// What is to be remembered of an entry besides its identity.
struct NodeFlags: OptionSet, Hashable, Sendable {
  var rawValue: UInt16

  /// The entry exists; without it the slot is free.
  static let live = Self(rawValue: 1 << 0)
  /// Announced, and still being written.
  static let copying = Self(rawValue: 1 << 1)
  /// The UUID stands in the file's tag.
  static let tagged = Self(rawValue: 1 << 2)
  /// The item arrived while observing: a tag that is set late may still tell that it is a copy.
  static let arrived = Self(rawValue: 1 << 3)
  /// The directory could not be listed.
  static let unreadable = Self(rawValue: 1 << 4)
  /// A copy whose original has been told.
  static let knownCopy = Self(rawValue: 1 << 5)
  /// The UUID was minted for the file when it was found: it bore none, or another's.
  static let minted = Self(rawValue: 1 << 6)
  /// The tag could not be read when the identity was made: what it says counts, once it can be read.
  static let tagUnread = Self(rawValue: 1 << 7)
  /// The file arrived while observing, and has had no other name since it was complete: it may be the next version of a
  /// document beside it.
  static let mayBeVersion = Self(rawValue: 1 << 8)
  /// The entry's name is missing, or stands for another inode.
  static let displaced = Self(rawValue: 1 << 9)
  /// The content is being changed under this name.
  static let written = Self(rawValue: 1 << 10)
  /// Another name of the same file is older.
  static let furtherName = Self(rawValue: 1 << 11)
}
