/// The number of one entry of the graph.
///
/// Numbers of removed entries are reused.
package struct NodeID: Hashable, Sendable {
  package let rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The observed directory.
  package static let root = NodeID(0)

  var index: Int { Int(rawValue) }
}

/// Facts about an entry besides its identity.
struct NodeFlags: OptionSet, Hashable, Sendable {
  var rawValue: UInt16

  /// The entry exists; without it the slot is free.
  static let live = Self(rawValue: 1 << 0)
  /// Announced, and still being written.
  static let copying = Self(rawValue: 1 << 1)
  /// The file's tag has the UUID.
  static let tagged = Self(rawValue: 1 << 2)
  /// The item arrived during observation: a tag that is set later may still show that it is a copy.
  static let arrived = Self(rawValue: 1 << 3)
  /// The directory could not be listed.
  static let unreadable = Self(rawValue: 1 << 4)
  /// A copy whose original was announced.
  static let knownCopy = Self(rawValue: 1 << 5)
  /// The UUID was minted when the file was found, because it had no tag, or the tag of another file.
  static let minted = Self(rawValue: 1 << 6)
  /// The tag could not be read when the identity was made; it counts as soon as it can be read.
  static let tagUnread = Self(rawValue: 1 << 7)
  /// The file arrived during observation, and has had no other name since it was complete: it may be the next version
  /// of a document beside it.
  static let mayBeVersion = Self(rawValue: 1 << 8)
  /// The entry's name is missing, or belongs to another inode.
  static let displaced = Self(rawValue: 1 << 9)
  /// The content is being changed through this name.
  static let written = Self(rawValue: 1 << 10)
  /// The same file has an older name.
  static let furtherName = Self(rawValue: 1 << 11)
}
