internal import Dispatch
import LinuxFileSystem

/// A sequence of elements that grows, with a way to await further ones.
package final class Feed<Element: Sendable>: Sendable {
  private struct Waiter {
    let start: Int
    let match: @Sendable (Element) -> Bool
    let continuation: CheckedContinuation<Int?, Never>
  }

  private struct State {
    var elements: [Element] = []
    /// The number of elements that were taken out.
    var dropped = 0
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var elements: [Element] { state.withLock { $0.elements } }
  package var count: Int { state.withLock { $0.dropped + $0.elements.count } }

  /// The elements from an index on.
  package func elements(from start: Int) -> [Element] {
    state.withLock { state in Array(state.elements.dropFirst(start - state.dropped)) }
  }

  /// Takes out the elements before an index; indices stay valid.
  package func take(upTo end: Int) -> [Element] {
    state.withLock { state in
      let taken = Array(state.elements.prefix(end - state.dropped))
      state.elements.removeFirst(taken.count)
      state.dropped += taken.count
      return taken
    }
  }

  package func append(_ element: Element) {
    let (index, done) = state.withLock { state in
      state.elements.append(element)
      let index = state.dropped + state.elements.count - 1
      let done = state.waiters.filter { index >= $0.value.start && $0.value.match(element) }
      for id in done.keys { state.waiters[id] = nil }
      return (index, done.values.map(\.continuation))
    }
    for continuation in done { continuation.resume(returning: index) }
  }

  /// The index of the first matching element from `start` on, as soon as it arrives; `nil` after the time limit.
  package func firstIndex(
    from start: Int = 0, within time: Duration, where match: @escaping @Sendable (Element) -> Bool
  ) async -> Int? {
    await withCheckedContinuation { continuation in
      let (found, id) = state.withLock { state -> (Int?, Int) in
        let known = min(max(0, start - state.dropped), state.elements.count)
        if let found = state.elements[known...].firstIndex(where: match) { return (state.dropped + found, 0) }
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = Waiter(start: start, match: match, continuation: continuation)
        return (nil, state.lastWaiter)
      }
      if let found { return continuation.resume(returning: found) }
      DispatchQueue.global().asyncAfter(deadline: .now() + time.seconds) { self.giveUp(id) }
    }
  }

  private func giveUp(_ id: Int) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.continuation.resume(returning: nil)
  }
}

/// An awaited element did not arrive in time.
package struct TimedOut: Error, CustomStringConvertible {
  package var description: String

  package init(_ what: String) {
    description = "timed out waiting for \(what)"
  }
}

extension Duration {
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
