public import FoundationEssentials

extension FileSystemObserver {
  /// What a listener begins with.
  public enum Start: Sendable, Hashable {
    /// What happens from now on.
    case now
    /// The state, as ``Event/reset(_:_:)``, and then what happens. Nothing can be missed.
    ///
    /// It is the state of the moment at which the listener takes it. Where the first scan is complete already,
    /// ``Event/didCompleteFullScan(_:)`` follows.
    case snapshot
    /// What happened after a moment. Where that is not known any more, the state as ``Event/reset(_:_:)`` with
    /// ``ResetReason/resumed``.
    ///
    /// Without a store, only the moment after the last set of changes is known.
    case after(Cursor)
  }

  /// Of which items a listener gets changes.
  ///
  /// What crosses the border of a scope is announced as seen from inside: an item that leaves is `deleted`
  /// (``DeletionReason/movedOut``), one that enters is `discovered`, each with what is in it. Where the item that the
  /// scope is named after gets another path because a directory above it moved, it is announced as `moved`. So
  /// replaying what a listener gets always gives what is in its scope.
  ///
  /// Events that are not changes go to every listener.
  public enum Scope: Sendable, Hashable {
    /// All items.
    case all
    /// A directory and the items directly in it.
    case folder(UUID)
    /// A directory and everything below it.
    case subtree(UUID)
    /// One item.
    case item(UUID)
  }

  /// What a listener gets besides the changes of the tree.
  ///
  /// It comes in sets of its own, which have the number of the set before: the tree is the same. Other listeners do not
  /// get them.
  public struct Details: OptionSet, Sendable, Hashable {
    /// Bits, one for each detail.
    public let rawValue: Int

    /// A set of details.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Changes of permissions, owner and extended attributes, as ``FileSystemChange/Event/attributesChanged(_:)``.
    ///
    /// To tell what changed, the observer must know how it was: where somebody asks for this, it reads the attributes
    /// of every item once, and keeps about 100 bytes for each. A time of modification that is set by hand is
    /// `modified`, for every listener.
    public static let attributes = Details(rawValue: 1)

    /// That something happens to an item, as ``FileSystemChange/Event/activity``, up to a second before it is known
    /// what.
    ///
    /// It is being written, or its name is missing. A list may show a spinner. Announced once for each time that
    /// something begins, and not for an item that has not been announced yet. It may lead to nothing: a document that a
    /// program moves out of its place and back.
    public static let activity = Details(rawValue: 2)
  }

  /// What happens when a listener has not taken as many changes as fit into its buffer.
  public enum WhenFull: Sendable, Hashable {
    /// The changes are dropped, and the listener gets the state as ``Event/reset(_:_:)`` with
    /// ``ResetReason/fellBehind``.
    case reset
    /// Observation waits for the listener, and with it everybody else. What happens meanwhile is not lost: if the
    /// kernel's queue of events overflows, a full scan makes up for it. ``FileSystemObserver/stop()`` ends the waiting.
    case wait
  }

  /// How many changes fit into a listener's buffer unless it asks for another number.
  public static let defaultBufferLimit = 65_536
}

extension FileSystemObserver.Scope {
  /// Whether an item below a moved directory of the scope is in the scope, too.
  func containsFollower(_ item: FileSystemItem.Snapshot) -> Bool {
    switch self {
    case .all, .subtree: true
    case .folder(let uuid): item.parent == uuid
    case .item(let uuid): item.uuid == uuid
    }
  }
}
