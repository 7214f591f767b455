public import FoundationEssentials

extension FileSystemObserver {
  /// Where a listener starts.
  public enum Start: Sendable, Hashable, Codable {
    /// Events from now on.
    case now
    /// A snapshot as ``Event/reset(_:_:)``, then events. No change is missed.
    ///
    /// The snapshot is taken when the listener takes the event. If the first scan is already complete,
    /// ``Event/didCompleteFullScan(_:)`` follows.
    case snapshot
    /// The changes after a cursor, first those since then, set by set, and then what happens.
    ///
    /// If they are unknown, a snapshot as ``Event/reset(_:_:)`` with ``ResetReason/resumed`` or ``ResetReason/tooOld``.
    /// Without a store, and for a listener of a part of the tree, only the cursor of the last set of changes is known.
    /// With one, cursors of earlier runs are known too; the sets are read from the store when the listener takes them,
    /// also after the observer was stopped: then up to the end of its last run.
    case after(Cursor)
  }

  /// The items whose changes a listener gets.
  ///
  /// Changes across the border of a scope are announced as seen from inside: an item that leaves is `deleted`
  /// (``DeletionReason/movedOut``), one that enters is `discovered`, each with its contents. If the scope's own item
  /// gets another path because a directory above it moved, it is announced as `moved`. Replaying a listener's changes
  /// thus always yields the contents of its scope.
  ///
  /// Events that are not changes go to every listener.
  public enum Scope: Sendable, Hashable, Codable {
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
  /// Details come in sets of their own. Such a set has the number of the set before, since the tree is the same. Other
  /// listeners do not get it.
  public struct Details: OptionSet, Sendable, Hashable, Codable {
    /// The bits, one for each detail.
    public let rawValue: Int

    /// Makes a set of details.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Changes of permissions, owner and extended attributes, as ``FileSystemChange/Event/attributesChanged(_:)``.
    ///
    /// To find out what changed, the observer needs the values before: once a listener asks for this detail, it reads
    /// the attributes of every item once and keeps about 100 bytes for each. A modification time set by hand is
    /// announced as `modified` to every listener.
    public static let attributes = Details(rawValue: 1)

    /// The beginning of a change, as ``FileSystemChange/Event/activity``, up to a second before its kind is known.
    ///
    /// A program is writing the item, or its name is missing. A list may show a spinner. Announced once for each
    /// beginning, and not for an item that is not announced yet. No change need follow, for example if a program moves
    /// a document away and back.
    public static let activity = Details(rawValue: 2)

    /// Changes of properties that are no change of the tree, as ``FileSystemChange/Event/propertiesChanged``.
    ///
    /// Announced when the number of items in a directory or its modification time has changed, after the set with the
    /// changes of its contents, and while a file that is being copied grows, at most once a second; of a file with
    /// several names, when it has more or fewer of them; and when an item gets its tag after it was announced. The
    /// observed directory itself is announced, too, and an item that was lost and found at its path as another file.
    public static let properties = Details(rawValue: 4)

    /// The completion of folders that arrive, as ``FileSystemChange/Event/copyFinished`` of a directory.
    ///
    /// For importers: announced once for each folder that is made, copied, moved in or unpacked while the observer runs
    /// and a listener asks for this detail. It comes when everything below the folder is announced and complete, and
    /// nothing has arrived there for ``FileSystemObserver/Configuration/quietPeriod``; so it waits for a file that a
    /// program still writes. Of nested folders, the deepest comes first. A folder that is renamed or moved meanwhile
    /// keeps waiting, and one that is removed is forgotten.
    ///
    /// Nobody knows whether a program that copies slowly will go on: after a pause longer than the quiet period the
    /// folder counts as complete, and what arrives in it later is announced for itself only. A folder that the first
    /// scan finds has not arrived, nor one that moves within the tree, nor one that a new filter admits.
    public static let folderArrivals = Details(rawValue: 8)
  }

  /// What happens when a listener's buffer is full.
  public enum WhenFull: String, Sendable, Hashable, Codable, CaseIterable {
    /// The changes are dropped, and the listener gets a snapshot as ``Event/reset(_:_:)`` with
    /// ``ResetReason/fellBehind``.
    case reset
    /// Observation, and with it every other listener, waits for this listener.
    ///
    /// No change is lost meanwhile: if the kernel's event queue overflows, a full scan follows.
    /// ``FileSystemObserver/stop()`` ends the wait.
    case wait
  }

  /// The default number of changes that fit into a listener's buffer.
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
