import HeapModule
import LinuxFileSystem

/// The purpose of a timer.
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
/// A timer that is no longer needed stays in the heap. Its receiver checks whether it still applies.
struct TimerQueue: Sendable {
  private struct Item: Comparable, Sendable {
    var time: MonotonicTime
    /// Orders timers of the same time as they were set.
    var serial: UInt64
    var target: TimerTarget

    static func < (one: Item, other: Item) -> Bool { (one.time, one.serial) < (other.time, other.serial) }
    static func == (one: Item, other: Item) -> Bool { one.serial == other.serial }
  }

  private var heap = Heap<Item>()
  private var serial: UInt64 = 0
  /// The timer of each target that counts; others are passed over.
  private var earliest: [TimerTarget: MonotonicTime] = [:]

  var next: MonotonicTime? { heap.min?.time }
  var count: Int { heap.count }

  func time(of target: TimerTarget) -> MonotonicTime? { earliest[target] }

  /// Sets a timer, unless an earlier one is set: the receiver of that one sets the next.
  mutating func schedule(_ target: TimerTarget, at time: MonotonicTime) {
    if let known = earliest[target], known <= time { return }
    earliest[target] = time
    serial += 1
    heap.insert(Item(time: time, serial: serial, target: target))
  }

  /// Removes the first timer that is due.
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
