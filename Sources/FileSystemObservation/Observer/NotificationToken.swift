import LinuxFileSystem

/// Keeps a notification block registered.
///
/// You must keep the token as long as you want to be told: letting go of it, or calling ``invalidate()``, ends that.
///
/// ```swift
/// var tokens: Set<NotificationToken> = []
/// observer.addNotificationBlock { _, event in print(event) }.store(in: &tokens)
/// ```
public final class NotificationToken: Sendable {
  private struct State: Sendable {
    /// Nothing once the notifications have ended.
    var cancel: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>

  package init(_ cancel: @escaping @Sendable () -> Void) {
    state = Mutex(State(cancel: cancel))
  }

  deinit {
    invalidate()
  }

  /// Ends the notifications.
  ///
  /// When it returns, the block does not run any more and will not again: a block that is running on another thread is
  /// waited for. There are two exceptions, in which nothing is waited for: in a notification block, and on the main
  /// thread or the main actor, for the block may wait for that. A block that is running on another thread then may
  /// still be at it.
  ///
  /// Doing it twice does nothing.
  public func invalidate() {
    let cancel = state.withLock { $0.cancel.take() }
    cancel?()
  }

  /// Adds the token to a set that keeps it.
  public func store(in tokens: inout Set<NotificationToken>) { tokens.insert(self) }

  /// Adds the token to a collection that keeps it.
  public func store(in tokens: inout some RangeReplaceableCollection<NotificationToken>) { tokens.append(self) }
}

extension NotificationToken: Hashable {
  /// Whether both are the same token.
  public static func == (left: NotificationToken, right: NotificationToken) -> Bool { left === right }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
