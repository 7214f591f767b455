import LinuxFileSystem

/// What a timer is about.
enum TimerTarget: Hashable, Sendable {
  case displaced(NodeID)
  case arrival(Place)
  case writing(NodeID)
  case unexplained(Place)
  case unprobed(Place)
  case unlisted(NodeID)
  case unfollowed(NodeID)
  case look(NodeID)
  case secondLook(Place)
  case announcement(NodeID)
  case expiry
}

/// Timers by time: a binary heap.
///
/// A timer that is overtaken by events stays in the heap; whoever takes it out asks whether it still holds.
struct TimerQueue: Sendable {
  private struct Item: Sendable {
    var time: MonotonicTime
    var target: TimerTarget
  }

  private var heap: [Item] = []
  /// The timer of each target that counts: the earliest.
  ///
  /// Others are passed over.
  private var earliest: [TimerTarget: MonotonicTime] = [:]

  /// When the first timer is due.
  var next: MonotonicTime? { heap.first?.time }
  var count: Int { heap.count }

  /// When the timer of a target is due; `nil` if it has none.
  func time(of target: TimerTarget) -> MonotonicTime? { earliest[target] }

  /// Sets a timer, unless there is an earlier one: whoever takes that out sets the next.
  mutating func schedule(_ target: TimerTarget, at time: MonotonicTime) {
    if let known = earliest[target], known <= time { return }
    earliest[target] = time
    heap.append(Item(time: time, target: target))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      if heap[parent].time <= heap[child].time { break }
      heap.swapAt(parent, child)
      child = parent
    }
  }

  /// Takes out the first timer that is due.
  mutating func popDue(_ now: MonotonicTime) -> TimerTarget? {
    while let first = heap.first, first.time <= now {
      removeFirst()
      guard earliest[first.target] == first.time else { continue }
      earliest[first.target] = nil
      return first.target
    }
    return nil
  }

  private mutating func removeFirst() {
    let last = heap.removeLast()
    if heap.isEmpty { return }
    heap[0] = last
    siftDown()
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right].time < heap[left].time ? right : left
      if heap[parent].time <= heap[child].time { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
