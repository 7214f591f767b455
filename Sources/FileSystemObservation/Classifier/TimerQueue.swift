import DequeModule
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
  /// Timers that were set in the order in which they are due, as those of new files are: they need no heap.
  private var inOrder = Deque<Item>()
  private var serial: UInt64 = 0
  /// The timer of each target that counts; others are passed over.
  private var earliest: [TimerTarget: MonotonicTime] = [:]

  /// When the first timer is due.
  var next: MonotonicTime? { first?.time }
  var count: Int { heap.count + inOrder.count }

  func time(of target: TimerTarget) -> MonotonicTime? { earliest[target] }

  /// Sets a timer, unless an earlier one is set: the receiver of that one sets the next.
  mutating func schedule(_ target: TimerTarget, at time: MonotonicTime) {
    guard earliest[target, default: .latest].lower(to: time) else { return }
    serial += 1
    let item = Item(time: time, serial: serial, target: target)
    if let last = inOrder.last, time < last.time { heap.insert(item) } else { inOrder.append(item) }
  }

  /// Removes the first timer that is due.
  mutating func popDue(_ now: MonotonicTime) -> TimerTarget? {
    while let first, first.time <= now {
      if first.serial == inOrder.first?.serial { inOrder.removeFirst() } else { heap.removeMin() }
      guard let index = earliest.index(forKey: first.target), earliest.values[index] == first.time else { continue }
      earliest.remove(at: index)
      return first.target
    }
    return nil
  }

  private var first: Item? {
    guard let ordered = inOrder.first else { return heap.min }
    guard let other = heap.min else { return ordered }
    return min(ordered, other)
  }
}

extension MonotonicTime {
  fileprivate static let latest = MonotonicTime(nanoseconds: .max)

  /// Takes an earlier time instead; whether the other is earlier.
  fileprivate mutating func lower(to time: MonotonicTime) -> Bool {
    guard time < self else { return false }
    self = time
    return true
  }
}
