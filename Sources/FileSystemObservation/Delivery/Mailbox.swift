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
  }

  /// The maximum number of waiting events that are not changes.
  static let noticeLimit = 256

  private let limit: Int
  private var notices = NoticeCounter()
  private var items = Deque<FileSystemObserver.Event>()
  private var weight = 0
  private var reset: FileSystemObserver.ResetReason?
  /// The number of the last set that the listener has; sets up to it are not delivered again.
  private var known: UInt64

  /// - Parameters:
  ///   - reset: The reason for the initial snapshot, if the listener begins with one.
  ///   - known: The number of the last set that the listener has.
  init(limit: Int, startingWith reset: FileSystemObserver.ResetReason? = nil, after known: UInt64 = 0) {
    self.limit = max(1, limit)
    self.reset = reset
    self.known = known
  }

  var isEmpty: Bool { items.isEmpty && reset == nil }
  var isFull: Bool { weight >= limit }

  /// Adds an event; drops changes while a reset is due, since the snapshot will include them.
  ///
  /// A listener that has taken everything is not behind, and gets a set of any size: the set is in memory anyway.
  ///
  /// - Parameter isOverfilling: Whether changes are added even if they do not fit.
  mutating func put(_ event: FileSystemObserver.Event, overfilling isOverfilling: Bool = false) {
    guard case .didChange(let changes) = event else {
      // A new start restarts the numbers.
      if case .willBeginFullScan(.start) = event { known = 0 }
      return putNotice(event)
    }
    if reset != nil || changes.sequence <= known && !changes.areDetails { return }
    if weight > 0, !isOverfilling, weight + changes.weight > limit { return dropChanges(because: .fellBehind) }
    weight += changes.weight
    items.append(event)
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
  mutating func dropChanges(because reason: FileSystemObserver.ResetReason) {
    reset = reset ?? reason
    weight = 0
    items.removeAll {
      if case .didChange = $0 { true } else { false }
    }
  }

  /// Removes and returns the next item.
  mutating func take() -> Item? {
    if let reason = reset {
      reset = nil
      return .reset(reason)
    }
    guard let event = items.popFirst() else { return nil }
    switch event {
    case .didChange(let changes): weight -= changes.weight
    case .scanProgress: break
    default: return .event(notices.take(event))
    }
    return .event(event)
  }

  /// Drops the sets that a snapshot includes.
  mutating func discard(through sequence: UInt64) {
    known = sequence
    items.removeAll { item in
      guard case .didChange(let changes) = item, changes.sequence <= sequence else { return false }
      weight -= changes.weight
      return true
    }
  }

  /// Drops everything.
  mutating func clear() {
    self = Mailbox(limit: limit)
  }
}
