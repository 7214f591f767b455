package import LinuxFileSystem

/// The number under which an event source knows one marked directory.
package struct MarkID: Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

/// What a hint says has happened.
///
/// A set, because events may be merged; their order is then lost.
package struct HintKinds: OptionSet, Hashable, Sendable {
  package var rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The name appeared.
  package static let created = Self(rawValue: 1 << 0)
  /// The name went away.
  package static let removed = Self(rawValue: 1 << 1)
  /// The name was renamed to another, which a hint with the same cookie tells, if it is in a marked directory.
  package static let movedFrom = Self(rawValue: 1 << 2)
  /// The name was renamed from another.
  package static let movedTo = Self(rawValue: 1 << 3)
  /// Content was written.
  package static let written = Self(rawValue: 1 << 4)
  /// A descriptor that could write was closed.
  package static let closed = Self(rawValue: 1 << 5)
  /// Mode, owner, times, link count or an extended attribute changed.
  package static let attributes = Self(rawValue: 1 << 6)
  /// The entry is a directory.
  package static let directory = Self(rawValue: 1 << 7)
  /// The marked directory itself was removed.
  package static let selfRemoved = Self(rawValue: 1 << 8)
  /// The marked directory itself was renamed.
  package static let selfMoved = Self(rawValue: 1 << 9)
  /// The file system of the marked directory was unmounted.
  package static let unmounted = Self(rawValue: 1 << 10)
  /// The kernel let go of the mark.
  package static let markGone = Self(rawValue: 1 << 11)
}

/// One hint: "look at this name in this directory".
///
/// It is no fact: it may be merged, late, doubled or out of date.
package struct Hint: Equatable, Sendable {
  package var directory: MarkID
  package var kinds: HintKinds
  /// Joins the two hints of one rename; 0 otherwise.
  package var cookie: UInt32
  /// The entry; none where the hint is about the marked directory itself.
  package var name: FileName?

  package init(directory: MarkID, kinds: HintKinds, cookie: UInt32 = 0, name: FileName? = nil) {
    self.directory = directory
    self.kinds = kinds
    self.cookie = cookie
    self.name = name
  }
}

/// Hints in the order the source learnt of them.
package struct HintBatch: Sendable {
  package var hints: [Hint]
  /// Whether hints were lost before these: only a rescan of the whole tree tells what happened.
  package var overflowed: Bool
  /// The number of the first hint: the source counts them.
  package var first: UInt64
  /// The number that follows: that of the next hint to come.
  package var next: UInt64

  package init(hints: [Hint] = [], overflowed: Bool = false, first: UInt64 = 0) {
    self.hints = hints
    self.overflowed = overflowed
    self.first = first
    next = first + UInt64(hints.count)
  }

  package var isEmpty: Bool { hints.isEmpty && !overflowed }
}
