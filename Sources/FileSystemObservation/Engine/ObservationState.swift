import Dispatch
import FileIdentity
import LinuxFileSystem

/// What the engine knows, shared with those who ask: one owner changes it, readers look at it for a moment.
final class ObservationState: Sendable {
  struct Content: Sendable {
    var classifier: Classifier
    /// The number of the last change set.
    var sequence: UInt64 = 0
    /// Whether the first scan has been told.
    var isLoaded = false
    /// Those who wait for the end of a step.
    var waiting: [DispatchSemaphore] = []

    /// Takes everything that was decided, under the number of the next change set; nothing where there is nothing to
    /// tell.
    mutating func takeChanges(
      reusingNumbers: Bool, for scopes: [FileSystemObserver.Scope]
    ) -> (log: ScopedLog, sequence: UInt64)? {
      defer { release() }
      let log = classifier.takeChanges(reusingNumbers: reusingNumbers, for: scopes)
      guard !log.whole.isEmpty else { return nil }
      sequence += 1
      return (log, sequence)
    }

    /// Everything that was decided has its number: what is known may be looked at.
    mutating func release() {
      for waiter in waiting { waiter.signal() }
      waiting = []
    }
  }

  let content: Mutex<Content>

  init(_ classifier: Classifier) {
    content = Mutex(Content(classifier: classifier))
  }

  /// What is known after a change set, and the number of that.
  ///
  /// Waits for the engine to end its step: half of a change set is no state that anyone was told of. Not to be called
  /// by the engine.
  func snapshot() -> (GraphStorage, sequence: UInt64)? {
    while true {
      let waiter = DispatchSemaphore(value: 0)
      let (found, mustWait) = content.withLock { content -> ((GraphStorage, UInt64)?, Bool) in
        guard content.isLoaded else { return (nil, false) }
        guard !content.classifier.log.isEmpty else {
          return ((content.classifier.toldStorage, content.sequence), false)
        }
        content.waiting.append(waiter)
        return (nil, true)
      }
      if !mustWait { return found }
      waiter.wait()
    }
  }

  /// The classifier, in place.
  func classify<Result>(_ body: (inout Classifier) -> sending Result) -> sending Result {
    content.withLock { body(&$0.classifier) }
  }
}
