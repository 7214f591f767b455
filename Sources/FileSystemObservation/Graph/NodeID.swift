/// The ID of an entry: the index of its slot, and the slot's generation.
///
/// Slots of removed entries are reused, each time in the next of 16 generations. So the ID of a removed entry does not
/// denote the entry that has its slot now.
package struct NodeID: Hashable, Sendable {
  private static let generationBits: UInt32 = 4
  private static let generationMask: UInt32 = 1 << generationBits - 1
  /// The largest number of slots; with 80 bytes each, they take 20 GiB.
  static let slotLimit = Int(UInt32.max >> generationBits)

  /// The index in the upper bits, so that IDs sort by slot.
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  init(index: Int, generation: UInt8 = 0) {
    precondition(index < Self.slotLimit, "more than \(Self.slotLimit) items are observed")
    rawValue = UInt32(index) << Self.generationBits | UInt32(generation) & Self.generationMask
  }

  /// The observed directory.
  package static let root = NodeID(rawValue: 0)

  var index: Int { Int(rawValue >> Self.generationBits) }
  var generation: UInt8 { UInt8(rawValue & Self.generationMask) }
  /// The ID of the next entry in this slot.
  var successor: NodeID { NodeID(index: index, generation: generation &+ 1) }
}

extension NodeID: Comparable {
  package static func < (one: NodeID, other: NodeID) -> Bool { one.rawValue < other.rawValue }

  /// The hash in sets and dictionaries, which ask for this one first.
  ///
  /// Nobody can choose the numbers of entries, so their bits are only mixed: an arrival and a rename hash some thirty
  /// IDs, each of which took more than a hundred instructions with SipHash.
  package func _rawHashValue(seed: Int) -> Int {
    Int(truncatingIfNeeded: KeyedHash.mixed(UInt64(rawValue) ^ UInt64(bitPattern: Int64(seed))))
  }
}

/// The flags of a name, and those of its file.
struct NodeFlags: OptionSet, Hashable, Sendable {
  var rawValue: UInt16

  /// The flags that all names of a file share.
  static let ofFile: Self = [.tagged, .arrived, .knownCopy, .minted, .tagUnread]

  /// The entry exists; without this flag the slot is free.
  static let live = Self(rawValue: 1 << 0)
  /// Announced while still being written.
  static let copying = Self(rawValue: 1 << 1)
  /// The file's tag has the UUID.
  static let tagged = Self(rawValue: 1 << 2)
  /// The item arrived during observation, so that a later tag may still show that it is a copy.
  static let arrived = Self(rawValue: 1 << 3)
  /// A copy whose original was announced.
  static let knownCopy = Self(rawValue: 1 << 5)
  /// The UUID was minted when the file was found, because it had no tag, or the tag of another file.
  static let minted = Self(rawValue: 1 << 6)
  /// The tag could not be read when the identity was made; it counts as soon as it is read.
  static let tagUnread = Self(rawValue: 1 << 7)
  /// The file arrived during observation, and has not been renamed since it was complete, so that it may be the next
  /// version of a document beside it.
  static let mayBeVersion = Self(rawValue: 1 << 8)
  /// The entry's name is missing, or belongs to another inode.
  static let unresolved = Self(rawValue: 1 << 9)
  /// The content is being changed through this name.
  static let written = Self(rawValue: 1 << 10)
  /// The same file has an older name.
  static let furtherName = Self(rawValue: 1 << 11)
}
