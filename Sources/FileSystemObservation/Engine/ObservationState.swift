import Dispatch
import FileIdentity
import LinuxFileSystem

/// The engine's knowledge: one owner changes it, and readers lock it for a moment.
final class ObservationState: Sendable {
  struct Content: Sendable {
    var classifier: Classifier
    /// The number of the last change set.
    var sequence: UInt64 = 0
    /// Whether the first scan has been announced.
    var isLoaded = false
    /// Readers that wait for the end of a step.
    var waiting: [DispatchSemaphore] = []

    /// Takes all decided changes, under the number of the next change set; `nil` if there are none.
    mutating func takeChanges(
      reusingNumbers: Bool, for scopes: [FileSystemObserver.Scope]
    ) -> (log: ScopedLog, sequence: UInt64)? {
      defer { release() }
      let log = classifier.takeChanges(reusingNumbers: reusingNumbers, for: scopes)
      guard !log.whole.isEmpty else { return nil }
      sequence += 1
      return (log, sequence)
    }

    /// Wakes the readers: all decided changes have a number.
    mutating func release() {
      for waiter in waiting { waiter.signal() }
      waiting = []
    }
  }

  let content: Mutex<Content>

  init(_ classifier: Classifier) {
    content = Mutex(Content(classifier: classifier))
  }

  /// The state after a change set, and the number of that set; `nil` before the first scan is announced.
  ///
  /// Waits for the engine to end its step: no listener ever has the state of half a change set. The engine must not
  /// call this.
  func snapshot() -> (GraphStorage, sequence: UInt64)? {
    while true {
      let waiter = DispatchSemaphore(value: 0)
      let (found, mustWait) = content.withLock { content -> ((GraphStorage, UInt64)?, Bool) in
        guard content.isLoaded else { return (nil, false) }
        guard content.classifier.hasNews else {
          return ((content.classifier.announcedStorage, content.sequence), false)
        }
        content.waiting.append(waiter)
        return (nil, true)
      }
      if !mustWait { return found }
      waiter.wait()
    }
  }

  /// Calls `body` with the classifier in place, at a time.
  func classify<Result>(at now: MonotonicTime, _ body: (inout Classifier) -> sending Result) -> sending Result {
    content.withLock {
      $0.classifier.now = now
      return body(&$0.classifier)
    }
  }

  /// Calls `body` with the classifier in place, for work that does not depend on the time.
  func classify<Result>(_ body: (inout Classifier) -> sending Result) -> sending Result {
    content.withLock { body(&$0.classifier) }
  }
}
