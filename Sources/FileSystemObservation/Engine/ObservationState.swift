import FileIdentity
import LinuxFileSystem
import Synchronization

/// What the engine knows, shared with those who ask: one owner changes it, readers look at it for a moment.
final class ObservationState: Sendable {
  struct Content: Sendable {
    var classifier: Classifier
    /// The number of the last change set.
    var sequence: UInt64 = 0
  }

  let content: Mutex<Content>

  init(_ classifier: Classifier) {
    content = Mutex(Content(classifier: classifier))
  }

  /// The classifier, in place.
  func classify<Result>(_ body: (inout Classifier) -> sending Result) -> sending Result {
    content.withLock { body(&$0.classifier) }
  }
}
