public import FoundationEssentials

extension FileSystemObserver {
  /// What follows a cursor.
  public enum Catchup: Sendable {
    /// All sets of changes after the cursor, in order.
    case changes([FileSystemChanges])
    /// The changes after the cursor are not known: this is the tree to go on from, and the reason is
    /// ``FileSystemObserver/ResetReason/resumed`` or ``FileSystemObserver/ResetReason/tooOld``.
    case reset(FileSystemSnapshot, ResetReason)
  }

  /// A change in the history of an item.
  public struct HistoryEntry: Sendable, Hashable {
    /// What happened, and what the item was then.
    public let change: FileSystemChange
    /// When it was announced.
    public let date: Date
    /// The cursor after the set of the change.
    public let cursor: Cursor
    /// The number of that set.
    public var sequence: UInt64 { cursor.number }

    package init(_ entry: StoredJournal.Entry) {
      change = entry.change
      date = Date(timeIntervalSince1970: Double(entry.date) / 1e9)
      cursor = entry.cursor
    }
  }
}
