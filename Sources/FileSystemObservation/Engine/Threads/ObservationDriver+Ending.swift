import Dispatch
import FileEvents
import LinuxFileSystem

// The last saves before observation ends.

extension ObservationDriver {
  /// Tags the documents that are being saved.
  ///
  /// A program often saves a document and ends. Its tag has gone with the old file, and the new one would get it after
  /// the quiet period. Waits no longer than the last tags may take; before the end of the first scan, not at all.
  func tagLastSaves() {
    guard !threads.isCallerWithEngine, state.isLoaded else { return }
    let inbox = inbox
    let isDone = DispatchSemaphore(value: 0)
    perform { engine in
      if let engine { Self.tagLastSaves(engine, inbox) }
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + .nanoseconds(Int(Self.patienceAtEnd)))
  }

  private static func tagLastSaves(_ engine: HostEngine, _ inbox: HintInbox) {
    // The kernel may have queued a save that nobody has read yet.
    engine.source.deliverPending()
    handleHints(engine, inbox)
    let deadline = MonotonicTime.now + patienceAtEnd
    engine.lookAtAllUnlistedFolders(.now) { .now < deadline }
    engine.tagSavedDocuments(.now) { .now < deadline }
  }
}
