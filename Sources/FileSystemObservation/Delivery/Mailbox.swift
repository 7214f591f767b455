import LinuxFileSystem

/// What one listener has not taken yet: bounded, and never with a silent gap.
///
/// When it is full, its changes are dropped and the listener is told to start from an inventory. Diagnostics and news of scans are bounded
/// too: those that find no room are counted, and the listener is told how many were left out. A pure value: the caller holds a lock.
struct Mailbox: Sendable {
  /// What the listener gets next.
  enum Item: Sendable {
    case notification(ObservationNotification)
    /// Take an inventory, tell `discard(through:)` its sequence, and give it to the listener.
    case rescan
  }

  /// How many notifications may wait that are no changes.
  static let noticeLimit = 256

  private let limit: Int
  private var notices = NoticeCounter()
  private var items: [ObservationNotification] = []
  private var taken = 0
  private var weight = 0
  private var needsRescan = false
  /// The change set up to which the listener's inventory has everything: one that was on its way then is not told again.
  private var known: UInt64 = 0

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  var isEmpty: Bool { taken == items.count && !needsRescan }
  var isFull: Bool { weight >= limit }

  /// Puts a notification in; changes are dropped while a rescan is due, for the inventory will have them.
  ///
  /// Whoever has taken everything is not behind, and is told of any set, however large: it has been made, and others have it too.
  mutating func put(_ notification: ObservationNotification) {
    guard case .didChange(let set) = notification else {
      // A new start counts its change sets anew.
      if case .willBeginFullScan(.start) = notification { known = 0 }
      return putNotice(notification)
    }
    if needsRescan || set.sequence <= known { return }
    if weight > 0, weight + set.weight > limit {
      dropChanges()
      return
    }
    weight += set.weight
    items.append(notification)
  }

  /// Puts in what is no change, unless so much waits that it is only counted.
  private mutating func putNotice(_ notification: ObservationNotification) {
    switch notices.place(for: notification) {
    case .inLine: items.append(notification)
    case .leftOut: break
    // It keeps their place in the order; how many they are is told when its turn comes.
    case .countedFrom: items.append(notices.report)
    case .scanLeftOut: dropChanges()
    }
  }

  private mutating func dropChanges() {
    needsRescan = true
    weight = 0
    items.removeFirst(taken)
    taken = 0
    items.removeAll {
      if case .didChange = $0 { true } else { false }
    }
  }

  /// Takes the next item out.
  mutating func take() -> Item? {
    if needsRescan {
      needsRescan = false
      return .rescan
    }
    guard taken < items.count else { return nil }
    let notification = items[taken]
    taken += 1
    if taken == items.count || taken > 1024 && taken > items.count / 2 {
      items.removeFirst(taken)
      taken = 0
    }
    guard case .didChange(let set) = notification else { return .notification(notices.take(notification)) }
    weight -= set.weight
    return .notification(notification)
  }

  /// Drops change sets that an inventory includes.
  mutating func discard(through sequence: UInt64) {
    known = sequence
    items.removeFirst(taken)
    taken = 0
    items.removeAll { item in
      guard case .didChange(let set) = item, set.sequence <= sequence else { return false }
      weight -= set.weight
      return true
    }
  }

  /// Drops everything.
  mutating func clear() {
    self = Mailbox(limit: limit)
  }
}
