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
@usableFromInline package struct HintKinds: OptionSet, Hashable, Sendable {
  @usableFromInline package var rawValue: UInt16

  @usableFromInline package init(rawValue: UInt16) {
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
  /// The file system of the marked directory was unmounted, or may have been.
  package static let unmounted = Self(rawValue: 1 << 10)
  /// The kernel let go of the mark.
  package static let markGone = Self(rawValue: 1 << 11)
  /// The marked directory is to be marked and listed again: there is a better way to be told of it now, or the way to
  /// it was lost.
  package static let markAgain = Self(rawValue: 1 << 12)
}

/// How a hint is to be taken.
@usableFromInline package struct HintTraits: OptionSet, Hashable, Sendable {
  @usableFromInline package var rawValue: UInt8

  @usableFromInline package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// More may have happened since than will be told, so that what the hint says may be over: it tells where to look,
  /// and nothing else.
  package static let unordered = Self(rawValue: 1 << 0)
  /// The name is to be looked at besides: it may have been taken again untold.
  package static let look = Self(rawValue: 1 << 1)
  /// This process did it.
  package static let own = Self(rawValue: 1 << 2)
}

/// The file that a hint is about, as far as the kernel names it.
package struct HintedFile: Hashable, Sendable {
  package var handle: FileHandle
  /// Its inode number; 0 where the handle does not show it.
  package var inode: UInt64

  package init(handle: FileHandle, inode: UInt64) {
    self.handle = handle
    self.inode = inode
  }
}

/// One hint: "look at this name in this directory".
///
/// It is no fact: it may be merged, late, doubled or out of date.
package struct Hint: Equatable, Sendable {
  package var directory: MarkID
  package var kinds: HintKinds
  package var traits: HintTraits
  /// Joins the two hints of one rename; 0 otherwise.
  package var cookie: UInt32
  /// The entry; none where the hint is about the marked directory itself.
  package var name: FileName?
  /// The file, where the source knows.
  package var file: HintedFile?

  package init(
    directory: MarkID, kinds: HintKinds, traits: HintTraits = [], cookie: UInt32 = 0, name: FileName? = nil,
    file: HintedFile? = nil
  ) {
    self.directory = directory
    self.kinds = kinds
    self.traits = traits
    self.cookie = cookie
    self.name = name
    self.file = file
  }
}

/// Hints in the order the source learnt of them.
package struct HintBatch: Sendable {
  package var hints: [Hint]
  /// How many of the hints come before the first that was lost; none if none was.
  package private(set) var lossIndex: Int?
  /// The number of the first hint: the source counts them.
  package var first: UInt64
  /// The number that follows: that of the next hint to come.
  package var next: UInt64

  package init(hints: [Hint] = [], overflowed: Bool = false, first: UInt64 = 0) {
    self.hints = hints
    lossIndex = overflowed ? 0 : nil
    self.first = first
    next = first + UInt64(hints.count)
  }

  /// Whether hints were lost: only a rescan of the whole tree tells what happened.
  package var overflowed: Bool { lossIndex != nil }

  /// Hints were lost after those that are here, and perhaps more of them among those that follow.
  package mutating func noteLoss() {
    lossIndex = lossIndex ?? hints.count
  }

  /// Takes in the batch that follows.
  package mutating func append(_ other: HintBatch) {
    if let index = other.lossIndex { lossIndex = lossIndex ?? hints.count + index }
    hints += other.hints
    next = other.next
  }

  package var isEmpty: Bool { hints.isEmpty && !overflowed }
}

extension HintBatch {
  /// Merges a hint with the last one, if it says nothing new.
  ///
  /// Writes and closes of one file that follow each other are one hint: the probe sees the end of them anyway. The name
  /// is compared as it stands in the kernel's buffer, so that the thousand writes of a copy do not make a thousand
  /// names.
  mutating func extendLast(
    _ directory: MarkID, _ kinds: HintKinds, _ traits: HintTraits, _ name: UnsafeBufferPointer<UInt8>,
    _ file: HintedFile?
  ) -> Bool {
    guard let index = hints.indices.last, kinds.isSubset(of: [.written, .closed, .attributes]) else { return false }
    let last = hints[index]
    guard directory == last.directory, last.kinds.isSubset(of: [.created, .written, .closed, .attributes]),
      traits == last.traits, file == last.file, let lastName = last.name,
      unsafe lastName.bytes.elementsEqual(name)
    else { return false }
    hints[index].kinds.formUnion(kinds)
    // A write after a close: the file is open again, and the close says nothing any more.
    if kinds.contains(.written) && !kinds.contains(.closed) { hints[index].kinds.remove(.closed) }
    return true
  }
}
