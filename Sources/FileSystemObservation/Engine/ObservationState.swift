import Dispatch
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The engine's knowledge: one owner changes it, and readers lock it for a moment.
final class ObservationState: Sendable {
  struct Content: ~Copyable, Sendable {
    var classifier: Classifier
    /// The number of the last change set.
    var sequence: UInt64 = 0
    /// The path of the observed directory without symbolic links.
    var rootPath = FilePath()
    /// Whether the first scan has been announced.
    var isLoaded = false
    /// The tree of an earlier run, until what has happened since is announced.
    var stored: GraphStorage?
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

    /// The announced tree, with what has changed since the last call.
    ///
    /// An entry that is not announced yet is removed from the picture: it counts as changed again the next time.
    fileprivate mutating func takePicture() -> GraphPicture {
      let changed = classifier.takeChangedNodes()
      let told = classifier.announcedStorage
      let removed = told.nodes.changed
      classifier.markChanged(removed)
      let all = changed.map { changed in
        var all = changed
        all.formUnion(removed)
        return all
      }
      return GraphPicture(told, changed: all, sequence: sequence, contents: classifier.takeContentPicture())
    }

    /// Wakes the readers: all decided changes have a number.
    mutating func release() {
      for waiter in waiting { waiter.signal() }
      waiting = []
    }
  }

  let content: Mutex<Content>

  /// - Parameter resumed: The tree of an earlier run, from which the classifier goes on.
  init(_ classifier: consuming sending Classifier, after resumed: ResumedTree? = nil) {
    let storage = classifier.graph.storage
    var content = Content(classifier: classifier)
    if let resumed {
      content.sequence = resumed.sequence
      content.isLoaded = true
      content.stored = storage
    }
    self.content = Mutex(content)
  }

  /// The state after a change set, and the number of that set; `nil` before the first scan is announced.
  ///
  /// Waits for the engine to end its step: no listener ever has the state of half a change set. The engine must not
  /// call this.
  func snapshot() -> (GraphStorage, sequence: UInt64)? {
    betweenSteps { ($0.stored ?? $0.classifier.announcedStorage, $0.sequence) }
  }

  /// The state after a change set, with what has changed since the last call; `nil` before the first scan is announced.
  ///
  /// Waits for the engine to end its step, like `snapshot()`.
  func takePicture() -> GraphPicture? {
    betweenSteps { $0.stored == nil ? $0.takePicture() : nil }
  }

  /// Whether the first scan has been announced.
  var isLoaded: Bool { content.withLock { $0.isLoaded } }

  /// Calls `body` when the engine has ended its step; `nil` before the first scan is announced.
  ///
  /// The tree of an earlier run does not change, so that nobody waits for it.
  private func betweenSteps<Result: Sendable>(_ body: (inout Content) -> Result?) -> Result? {
    while true {
      let waiter = DispatchSemaphore(value: 0)
      let (found, mustWait) = content.withLock { content -> (Result?, Bool) in
        guard content.isLoaded else { return (nil, false) }
        guard content.stored == nil, content.classifier.hasNews else { return (body(&content), false) }
        content.waiting.append(waiter)
        return (nil, true)
      }
      if !mustWait { return found }
      waiter.wait()
    }
  }

  /// Calls `body` with the classifier in place, at a time that is never earlier than that of the call before.
  ///
  /// An operation of this process may have brought forward what was due a moment later.
  func classify<Result>(at now: MonotonicTime, _ body: (inout Classifier) -> sending Result) -> sending Result {
    content.withLock {
      $0.classifier.now = max($0.classifier.now, now)
      return body(&$0.classifier)
    }
  }

  /// Calls `body` with the classifier in place, for work that does not depend on the time.
  func classify<Result>(_ body: (inout Classifier) -> sending Result) -> sending Result {
    content.withLock { body(&$0.classifier) }
  }
}
