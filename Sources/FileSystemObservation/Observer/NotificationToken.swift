import LinuxFileSystem

/// Keeps a notification block registered.
///
/// You must keep the token as long as you want notifications: dropping it, or calling ``invalidate()``, ends them. When
/// `invalidate()` returns, the block does not run any more and will not again; a block that runs on another thread at that moment
/// is waited for. Called from within a notification block it does not wait.
public final class NotificationToken: Sendable {
  private let cancellation: Mutex<(@Sendable () -> Void)?>

  package init(_ cancel: @escaping @Sendable () -> Void) {
    cancellation = Mutex(cancel)
  }

  deinit {
    invalidate()
  }

  /// Ends the notifications.
  ///
  /// Doing it twice does nothing.
  public func invalidate() {
    let cancel = cancellation.withLock { cancellation in
      defer { cancellation = nil }
      return cancellation
    }
    cancel?()
  }
}
