import LinuxFileSystem

/// The events that one listener has not taken yet: bounded, and never with a silent gap.
///
/// When it is full, its changes are dropped and the listener gets the whole state instead. Other events are bounded,
/// too: those that find no room are counted, and the listener is told how many were left out. A pure value: the caller
/// holds a lock.
struct Mailbox: Sendable {
  /// What the listener gets next.
  enum Item: Sendable {
    case event(FileSystemObserver.Event)
    /// Take a snapshot, tell `discard(through:)` its number, and give it to the listener.
    case reset(FileSystemObserver.ResetReason)
  }

  /// How many events may wait that are no changes.
  static let noticeLimit = 256

  private let limit: Int
  private var notices = NoticeCounter()
  private var items: [FileSystemObserver.Event] = []
  private var taken = 0
  private var weight = 0
  private var reset: FileSystemObserver.ResetReason?
  /// The set of changes up to which the listener has everything: one that is on its way meanwhile is not given again.
  private var known: UInt64

  /// - Parameters:
  ///   - reset: Why the listener begins with the whole state, if it does.
  ///   - known: The set of changes up to which the listener has everything.
  init(limit: Int, startingWith reset: FileSystemObserver.ResetReason? = nil, after known: UInt64 = 0) {
    self.limit = max(1, limit)
    self.reset = reset
    self.known = known
  }

  var isEmpty: Bool { taken == items.count && reset == nil }
  var isFull: Bool { weight >= limit }

  /// Puts an event in; changes are dropped while a reset is due, for the snapshot will have them.
  ///
  /// A listener that has taken everything is not behind, and gets any set, however large: it has been made, and others
  /// have it, too.
  mutating func put(_ event: FileSystemObserver.Event) {
    guard case .didChange(let changes) = event else {
      // A new start counts its sets anew.
      if case .willBeginFullScan(.start) = event { known = 0 }
      return putNotice(event)
    }
    if reset != nil || changes.sequence <= known && !changes.areDetails { return }
    if weight > 0, weight + changes.weight > limit { return dropChanges(because: .fellBehind) }
    weight += changes.weight
    items.append(event)
  }

  /// Puts in what is no change, unless so much waits that it is only counted.
  private mutating func putNotice(_ event: FileSystemObserver.Event) {
    if case .scanProgress = event { return putProgress(event) }
    switch notices.place(for: event) {
    case .inLine: items.append(event)
    case .leftOut: break
    // It keeps their place in the order; how many they are is said when its turn comes.
    case .countedFrom: items.append(notices.report)
    case .scanLeftOut: dropChanges(because: .fellBehind)
    }
  }

  /// Of how far a scan has come, only the last report counts.
  private mutating func putProgress(_ event: FileSystemObserver.Event) {
    if taken < items.count, case .scanProgress? = items.last { items.removeLast() }
    if notices.isScanLeftOut { return }
    items.append(event)
  }

  /// Drops all changes; the listener gets the whole state next.
  mutating func dropChanges(because reason: FileSystemObserver.ResetReason) {
    reset = reset ?? reason
    weight = 0
    items.removeFirst(taken)
    taken = 0
    items.removeAll {
      if case .didChange = $0 { true } else { false }
    }
  }

  /// Takes the next item out.
  mutating func take() -> Item? {
    if let reason = reset {
      reset = nil
      return .reset(reason)
    }
    guard taken < items.count else { return nil }
    let event = items[taken]
    taken += 1
    if taken == items.count || taken > 1024 && taken > items.count / 2 {
      items.removeFirst(taken)
      taken = 0
    }
    switch event {
    case .didChange(let changes): weight -= changes.weight
    case .scanProgress: break
    default: return .event(notices.take(event))
    }
    return .event(event)
  }

  /// Drops sets of changes that a snapshot includes.
  mutating func discard(through sequence: UInt64) {
    known = sequence
    items.removeFirst(taken)
    taken = 0
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
