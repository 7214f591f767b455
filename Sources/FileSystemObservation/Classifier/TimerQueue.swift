import HeapModule
import LinuxFileSystem

/// What a timer is about.
enum TimerTarget: Hashable, Sendable {
  case unresolved(NodeID)
  case arrival(Place)
  case writing(NodeID)
  case aheadOfLog(Place)
  case unprobed(Place)
  case unlisted(NodeID)
  case unfollowed(NodeID)
  case look(NodeID)
  case recheck(Place)
  case announcement(NodeID)
  case expiry
}

/// Timers by time.
///
/// A timer that is overtaken by events stays in the heap; whoever takes it out asks whether it still holds.
struct TimerQueue: Sendable {
  private struct Item: Comparable, Sendable {
    var time: MonotonicTime
    /// Timers of the same time come in the order in which they were set.
    var serial: UInt64
    var target: TimerTarget

    static func < (one: Item, other: Item) -> Bool { (one.time, one.serial) < (other.time, other.serial) }
    static func == (one: Item, other: Item) -> Bool { one.serial == other.serial }
  }

  private var heap = Heap<Item>()
  private var serial: UInt64 = 0
  /// The timer of each target that counts: the earliest.
  ///
  /// Others are passed over.
  private var earliest: [TimerTarget: MonotonicTime] = [:]

  /// When the first timer is due.
  var next: MonotonicTime? { heap.min?.time }
  var count: Int { heap.count }

  /// When the timer of a target is due; `nil` if it has none.
  func time(of target: TimerTarget) -> MonotonicTime? { earliest[target] }

  /// Sets a timer, unless there is an earlier one: whoever takes that out sets the next.
  mutating func schedule(_ target: TimerTarget, at time: MonotonicTime) {
    if let known = earliest[target], known <= time { return }
    earliest[target] = time
    serial += 1
    heap.insert(Item(time: time, serial: serial, target: target))
  }

  /// Takes out the first timer that is due.
  mutating func popDue(_ now: MonotonicTime) -> TimerTarget? {
    while let first = heap.min, first.time <= now {
      heap.removeMin()
      guard earliest[first.target] == first.time else { continue }
      earliest[first.target] = nil
      return first.target
    }
    return nil
  }
}
