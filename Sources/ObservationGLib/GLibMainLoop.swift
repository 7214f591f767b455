import CGLibMainQueue
// Links libdispatch, whose functions CGLibMainQueue calls.
import Dispatch
import Synchronization

/// Lets a GLib main loop, such as GTK's, run the jobs of the main thread: `DispatchQueue.main` and `@MainActor`.
///
/// Without it, these jobs do not run in a program whose main thread is in `g_main_loop_run()` or `g_application_run()`.
///
/// - A program must not call `dispatchMain()` as well, and its `main` must not be `async`: at its first `await`, Swift
///   hands the main queue to other threads for good.
/// - A job of the main queue (for example a `@MainActor` function) that runs a nested loop (`g_main_loop_run()`,
///   `gtk_dialog_run()`) delays all other jobs until it returns, since libdispatch runs one at a time. GLib's own
///   sources continue. In a loop that a GLib callback runs, jobs run too.
/// - GLib callbacks on the main thread may use `MainActor.assumeIsolated(_:)`.
public enum GLibMainLoop {
  /// Lets GLib's default context, which GTK uses, run the main queue.
  ///
  /// Jobs queued before run, too. If the main queue is already attached, its context and priority stay the same until
  /// all attachments have ended.
  ///
  /// Call this on the main thread, before or while the loop runs; on another thread it ends the program. Does not
  /// block.
  ///
  /// - Parameter priority: The priority of the main queue among the sources of the context. 0 is `G_PRIORITY_DEFAULT`,
  ///   that of events and timers. While the main queue has work, sources with a higher number wait: GTK draws at 120.
  /// - Returns: The attachment, which you need not keep: deallocation does not end it.
  @discardableResult
  public static func attachMainQueue(priority: Int32 = 0) -> Attachment {
    unsafe attachMainQueue(to: nil, priority: priority)
  }

  /// Lets a context of the caller's choice run the main queue.
  ///
  /// Call this on the main thread, before or while the loop runs; on another thread it ends the program. Does not
  /// block.
  ///
  /// - Parameters:
  ///   - context: A `GMainContext` that the main thread runs; `nil` for the default context. The caller need not retain
  ///     it.
  ///   - priority: The priority of the main queue among the sources of the context.
  /// - Returns: The attachment, which you need not keep: deallocation does not end it.
  @discardableResult
  public static func attachMainQueue(to context: OpaquePointer?, priority: Int32 = 0) -> Attachment {
    precondition(cglib_is_main_thread(), "the main queue can be attached on the main thread only")
    unsafe cglib_attach_main_queue(context, priority)
    return Attachment()
  }

  /// An attachment of the main queue, which lasts until it is detached.
  public final class Attachment: Sendable {
    private let isAttached = Atomic<Bool>(true)

    fileprivate init() {}

    /// Ends this attachment; a second call does nothing.
    ///
    /// When the last attachment has ended, no loop runs the main queue. Its jobs then wait for the next attachment,
    /// except the job that detaches and those that libdispatch dequeued with it, which are completed first.
    ///
    /// Call this on the main thread; on another thread it ends the program. Does not block.
    public func detach() {
      precondition(cglib_is_main_thread(), "the main queue can be detached on the main thread only")
      guard isAttached.exchange(false, ordering: .relaxed) else { return }
      cglib_detach_main_queue()
    }
  }
}
