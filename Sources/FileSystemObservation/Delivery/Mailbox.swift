import DequeModule
import LinuxFileSystem

/// The events that one listener has not taken yet: bounded, and without silent gaps.
///
/// When the mailbox is full, it drops the listener's changes and delivers a snapshot instead. Other events are bounded,
/// too: those beyond the limit are counted, and a diagnostic reports their number. A pure value: the caller holds a
/// lock.
struct Mailbox: Sendable {
  /// The listener's next item.
  enum Item: Sendable {
    case event(FileSystemObserver.Event)
    /// Take a snapshot, pass its number to `discard(through:)`, and give it to the listener.
    case reset(FileSystemObserver.ResetReason)
    /// Pass the sets after the cursor to `insert(_:)`, or drop the changes if they are unknown.
    case catchUp(FileSystemObserver.Cursor)
  }

  /// What the listener gets before the waiting events.
  private enum Debt: Sendable {
    case snapshot(FileSystemObserver.ResetReason)
    /// The sets after a cursor. Waiting sets that do not fit may be dropped: they are among them.
    case sets(after: FileSystemObserver.Cursor)
  }

  /// The maximum number of waiting events that are not changes.
  static let noticeLimit = 256

  private let limit: Int
  private var notices = NoticeCounter()
  private var items = Deque<FileSystemObserver.Event>()
  private var weight = 0
  private var debt: Debt?
  /// What comes before the sets that were missed: the observed directory has another path now, and so have they.
  private var first: FileSystemObserver.Event?
  /// Sets that were missed, which come before all that waits.
  private var missed = Deque<FileSystemChanges>()
  /// Whether waiting sets were dropped since the last missed sets were asked for.
  private var hasDropped = false
  /// The number of the last set that the listener has, or that waits; sets up to it are not added again.
  private var known: UInt64
  /// Whether the numbers have begun anew since the last reset was taken.
  private var hasBegunAnew = false

  /// - Parameters:
  ///   - reset: The reason for the initial snapshot, if the listener begins with one.
  ///   - cursor: The cursor that the listener resumes after.
  init(
    limit: Int, startingWith reset: FileSystemObserver.ResetReason? = nil,
    after cursor: FileSystemObserver.Cursor? = nil
  ) {
    self.limit = max(1, limit)
    debt = cursor.map { .sets(after: $0) } ?? reset.map { .snapshot($0) }
    known = cursor?.number ?? 0
  }

  var isEmpty: Bool { items.isEmpty && missed.isEmpty && debt == nil }
  var isFull: Bool { weight >= limit }

  /// Adds an event; drops changes while a reset is due, since the snapshot will include them.
  ///
  /// A listener that has taken everything is not behind, and gets a set of any size: the set is in memory anyway.
  ///
  /// - Parameter isOverfilling: Whether changes are added even if they do not fit.
  mutating func put(_ event: FileSystemObserver.Event, overfilling isOverfilling: Bool = false) {
    guard case .didChange(let changes) = event else {
      // A new start restarts the numbers.
      if case .willBeginFullScan(.start) = event { (known, hasBegunAnew) = (0, true) }
      return putNotice(event)
    }
    if isResetDue || changes.sequence <= known && !changes.areDetails { return }
    if weight > 0, !isOverfilling, weight + changes.weight > limit { return overflow() }
    weight += changes.weight
    known = max(known, changes.sequence)
    items.append(event)
  }

  /// Adds the news of a start that the directory has another path; a snapshot has that path anyway.
  mutating func putFirst(_ event: FileSystemObserver.Event) {
    switch debt {
    case .snapshot: break
    case .sets: first = event
    case nil: putNotice(event)
    }
  }

  private var isResetDue: Bool { if case .snapshot? = debt { true } else { false } }

  /// Drops the changes, because the next set does not fit.
  private mutating func overflow() {
    guard case .sets? = debt else { return dropChanges(because: .fellBehind) }
    hasDropped = true
    dropWaitingChanges()
  }

  /// Adds an event that is not a change, or only counts it if too many wait.
  private mutating func putNotice(_ event: FileSystemObserver.Event) {
    if case .scanProgress = event { return putProgress(event) }
    switch notices.place(for: event) {
    case .inLine: items.append(event)
    case .leftOut: break
    // The report keeps their place in the order; their number is filled in when it is taken.
    case .countedFrom: items.append(notices.report)
    case .scanLeftOut: dropChanges(because: .fellBehind)
    }
  }

  /// Adds a progress report, which replaces a waiting one.
  private mutating func putProgress(_ event: FileSystemObserver.Event) {
    if case .scanProgress? = items.last { items.removeLast() }
    if notices.isScanLeftOut { return }
    items.append(event)
  }

  /// Drops all changes; the next item is a reset.
  ///
  /// Whatever comes after the reset is taken may not be in the snapshot, whatever number the listener had before.
  mutating func dropChanges(because reason: FileSystemObserver.ResetReason) {
    if !isResetDue { debt = .snapshot(reason) }
    known = 0
    first = nil
    missed.removeAll()
    dropWaitingChanges()
  }

  private mutating func dropWaitingChanges() {
    weight = 0
    items.removeAll {
      if case .didChange = $0 { true } else { false }
    }
  }

  /// Removes and returns the next item.
  mutating func take() -> Item? {
    if let event = first.take() { return .event(event) }
    if let changes = missed.popFirst() { return .event(.didChange(changes)) }
    switch debt {
    case .snapshot(let reason):
      (debt, hasBegunAnew) = (nil, false)
      return .reset(reason)
    case .sets(let cursor):
      hasDropped = false
      return .catchUp(cursor)
    case nil: break
    }
    guard let event = items.popFirst() else { return nil }
    switch event {
    case .didChange(let changes): weight -= changes.weight
    case .scanProgress: break
    default: return .event(notices.take(event))
    }
    return .event(event)
  }

  /// Drops the sets that a snapshot includes, unless it is of the run before.
  mutating func discard(through sequence: UInt64) {
    if hasBegunAnew { return }
    known = max(known, sequence)
    removeSets(through: sequence)
  }

  private mutating func removeSets(through sequence: UInt64) {
    items.removeAll { item in
      guard case .didChange(let changes) = item, changes.sequence <= sequence else { return false }
      weight -= changes.weight
      return true
    }
  }

  /// Adds a set of details of the snapshot that was just taken.
  mutating func putAfterReset(_ details: FileSystemChanges) { missed.append(details) }

  /// Adds sets that were missed, which follow the cursor of the last `catchUp`.
  mutating func insert(_ sets: MissedSets) {
    guard case .sets? = debt else { return }
    missed.append(contentsOf: sets.sets)
    removeSets(through: sets.end.number)
    known = max(known, sets.end.number)
    debt = sets.isAll && !hasDropped ? nil : .sets(after: sets.end)
  }

  /// Takes note of the current cursor: if the listener has missed nothing, there is nothing to ask for.
  mutating func note(current: FileSystemObserver.Cursor) {
    guard case .sets(let cursor)? = debt, cursor.epoch == current.epoch, !hasDropped else { return }
    if current == cursor || firstWaitingNumber == cursor.number + 1 { debt = nil }
  }

  private var firstWaitingNumber: UInt64? {
    for case .didChange(let changes) in items { return changes.sequence }
    return nil
  }

  /// Goes on after a set: unless the listener has had it or asks for what it has missed, it begins anew.
  mutating func resume(after number: UInt64) {
    if case .sets? = debt { return }
    if known != number { dropChanges(because: .resumed) }
  }

  /// Drops everything.
  mutating func clear() {
    self = Mailbox(limit: limit)
  }
}
