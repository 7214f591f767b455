import Dispatch
import Foundation

/// What happened so far, in order, with a way to await more.
final class Log<Entry: Sendable>: @unchecked Sendable {
  private struct Waiter {
    let isReady: ([Entry]) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private let lock = NSLock()
  private var known: [Entry] = []
  private var waiters: [Int: Waiter] = [:]
  private var lastWaiter = 0

  var entries: [Entry] { lock.withLock { known } }

  func append(_ entry: Entry) {
    let ready = lock.withLock { () -> [Waiter] in
      known.append(entry)
      let ready = waiters.filter { $0.value.isReady(known) }
      for number in ready.keys { waiters[number] = nil }
      return Array(ready.values)
    }
    for waiter in ready { waiter.continuation.resume(returning: true) }
  }

  /// Whether the entries become what is wanted within a minute.
  func become(_ isReady: @escaping @Sendable ([Entry]) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      let (isReadyNow, number) = lock.withLock { () -> (Bool, Int) in
        if isReady(known) { return (true, 0) }
        lastWaiter += 1
        waiters[lastWaiter] = Waiter(isReady: isReady, continuation: continuation)
        return (false, lastWaiter)
      }
      if isReadyNow { return continuation.resume(returning: true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) { self.giveUp(number) }
    }
  }

  func append(contentsOf entries: [Entry]) {
    for entry in entries { append(entry) }
  }

  private func giveUp(_ number: Int) {
    let waiter = lock.withLock { waiters.removeValue(forKey: number) }
    waiter?.continuation.resume(returning: false)
  }
}

extension Log where Entry: Equatable {
  /// Whether an entry is there, or comes within a minute.
  func gets(_ entry: Entry) async -> Bool { await become { $0.contains(entry) } }
}

/// Whether a condition without an event becomes true within a minute.
func comesTrue(_ condition: () throws -> Bool) async throws -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while try !condition() {
    if ContinuousClock.now > deadline { return false }
    try await Task.sleep(for: .milliseconds(1))
  }
  return true
}
