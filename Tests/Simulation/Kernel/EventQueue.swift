package import LinuxFileSystem

/// One event as inotify queues it.
package struct QueuedEvent: Equatable, Sendable {
  package var watch: Int32
  package var mask: InotifyMask
  package var cookie: UInt32 = 0
  package var name: NameNumber?
  /// When it happened.
  package var time: Int64 = 0
}

/// The queue of one inotify instance, as the kernel keeps it: it merges with its tail only, and when it is full, one
/// event says so and what follows is dropped.
package struct EventQueue {
  private var events: [QueuedEvent] = []
  private var head = 0
  private let capacity: Int
  private var hasOverflowed = false
  private var nextWatch: Int32 = 1

  package init(capacity: Int) {
    self.capacity = capacity
  }

  package var count: Int { events.count - head }
  package var isEmpty: Bool { head == events.count }

  /// Watch numbers count up and do not come back.
  mutating func newWatch() -> Int32 {
    defer { nextWatch += 1 }
    return nextWatch
  }

  /// When the event happened that has waited longest.
  package var oldest: Int64? { isEmpty ? nil : events[head].time }

  mutating func append(_ event: QueuedEvent, at time: Int64) {
    var event = event
    event.time = time
    if let last = events.last, head < events.count, Self.merges(last, event) { return }
    if count < capacity {
      events.append(event)
    } else if !hasOverflowed {
      hasOverflowed = true
      events.append(QueuedEvent(watch: -1, mask: .queueOverflow, time: time))
    }
  }

  /// The kernel compares everything but the cookie.
  private static func merges(_ last: QueuedEvent, _ event: QueuedEvent) -> Bool {
    last.mask == event.mask && last.watch == event.watch && last.name == event.name && !last.mask.contains(.ignored)
  }

  /// Forgets everything, and takes nothing any more.
  mutating func close() {
    events = []
    head = 0
  }

  /// Takes out the first event.
  mutating func popFirst() -> QueuedEvent? {
    guard head < events.count else { return nil }
    let event = events[head]
    head += 1
    if event.mask.contains(.queueOverflow) { hasOverflowed = false }
    if head == events.count {
      events.removeAll(keepingCapacity: true)
      head = 0
    }
    return event
  }
}
