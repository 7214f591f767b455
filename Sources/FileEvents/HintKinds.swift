/// What happened, according to a hint.
///
/// It is a set without an order, because the kernel merges events.
@usableFromInline package struct HintKinds: OptionSet, Hashable, Sendable {
  @usableFromInline package var rawValue: UInt16

  @usableFromInline package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The name appeared.
  package static let created = Self(rawValue: 1 << 0)
  /// The name went away.
  package static let removed = Self(rawValue: 1 << 1)
  /// The name was renamed.
  ///
  /// The hint of the new name has the same cookie, if its directory is marked.
  package static let movedFrom = Self(rawValue: 1 << 2)
  /// The name is the new one of a rename.
  package static let movedTo = Self(rawValue: 1 << 3)
  /// Content was written.
  package static let written = Self(rawValue: 1 << 4)
  /// A descriptor opened for writing was closed.
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
  /// The kernel removed the mark.
  package static let markGone = Self(rawValue: 1 << 11)
  /// The marked directory must be marked and listed again: a better source is available now, or the path to it was
  /// lost.
  package static let markAgain = Self(rawValue: 1 << 12)
}

extension HintKinds {
  /// Something got the name.
  package static let appearances: Self = [.created, .movedTo]
  /// Something lost the name.
  package static let disappearances: Self = [.removed, .movedFrom]
  /// Any change of the name.
  package static let nameChanges: Self = [.created, .removed, .movedFrom, .movedTo]
  /// Any change of the content.
  package static let contentChanges: Self = [.written, .closed]

  /// Whether any of these happened.
  package func hasAny(of others: Self) -> Bool { !isDisjoint(with: others) }
}
