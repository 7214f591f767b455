import CGLibMainQueue
// Links libdispatch, whose functions CGLibMainQueue calls.
import Dispatch
import Synchronization

/// Has a GLib main loop, such as GTK's, run what is meant for the main thread: `DispatchQueue.main` and `@MainActor`.
///
/// Without it, nobody runs that in a program whose main thread is in `g_main_loop_run()` or `g_application_run()`.
///
/// - A program must not call `dispatchMain()` as well, and its `main` must not be `async`: with its first `await`,
///   Swift gives the main queue to other threads for good.
/// - A job of the main queue, a `@MainActor` function for example, that runs a loop of its own (`g_main_loop_run()`,
///   `gtk_dialog_run()`) holds up all other jobs until it returns, for libdispatch runs one at a time. GLib's own
///   sources go on. In a loop that a GLib callback runs, jobs run too.
/// - In callbacks of GLib on the main thread, `MainActor.assumeIsolated(_:)` may be used.
public enum GLibMainLoop {
  /// Has GLib's default context, which is GTK's, run the main queue.
  ///
  /// What was in the main queue before runs, too. Where the main queue is attached already, it stays as and where it
  /// is, until all attachments have ended.
  ///
  /// Call this on the main thread, before or while the loop runs; on another thread it ends the program. It does not
  /// block.
  ///
  /// - Parameter priority: The priority of the main queue among the sources of the context. 0 is `G_PRIORITY_DEFAULT`,
  ///   that of events and timers. While the main queue has work, sources with a higher number wait: GTK draws at 120.
  /// - Returns: What ends this attachment. It need not be kept: letting go of it ends nothing.
  @discardableResult
  public static func attachMainQueue(priority: Int32 = 0) -> Attachment {
    unsafe attachMainQueue(to: nil, priority: priority)
  }

  /// The same with a context of the caller's choice.
  ///
  /// Call this on the main thread, before or while the loop runs; on another thread it ends the program. It does not
  /// block.
  ///
  /// - Parameters:
  ///   - context: A `GMainContext` that the main thread runs; for `nil` the default context. It need not be kept.
  ///   - priority: The priority of the main queue among the sources of the context.
  /// - Returns: What ends this attachment. It need not be kept: letting go of it ends nothing.
  @discardableResult
  public static func attachMainQueue(to context: OpaquePointer?, priority: Int32 = 0) -> Attachment {
    precondition(cglib_is_main_thread(), "the main queue can be attached on the main thread only")
    unsafe cglib_attach_main_queue(context, priority)
    return Attachment()
  }

  /// One attachment of the main queue, which lasts until it is detached.
  public final class Attachment: Sendable {
    private let isAttached = Atomic<Bool>(true)

    fileprivate init() {}

    /// Ends this attachment; does nothing when called again.
    ///
    /// When the last one has ended, no loop runs the main queue any more. What is in it then waits for the next
    /// attachment; a job that detaches, and those that libdispatch has taken out with it, are done first.
    ///
    /// Call this on the main thread; on another it ends the program. It does not block.
    public func detach() {
      precondition(cglib_is_main_thread(), "the main queue can be detached on the main thread only")
      guard isAttached.exchange(false, ordering: .relaxed) else { return }
      cglib_detach_main_queue()
    }
  }
}
