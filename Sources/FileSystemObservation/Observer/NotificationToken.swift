import LinuxFileSystem

/// Keeps a notification block registered.
///
/// Keep the token for as long as you listen: releasing the last reference, or calling ``invalidate()``, ends the
/// registration. Both may block; see ``invalidate()``.
///
/// ```swift
/// var tokens: Set<NotificationToken> = []
/// observer.addNotificationBlock { _, event in print(event) }.store(in: &tokens)
/// ```
public final class NotificationToken: Sendable {
  private struct State: Sendable {
    /// `nil` once the registration has ended.
    var cancel: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>
  /// The registration, for operations that leave it out.
  let subscription: Subscription?

  package convenience init(_ cancel: @escaping @Sendable () -> Void) { self.init(nil, cancel) }

  init(_ subscription: Subscription?, _ cancel: @escaping @Sendable () -> Void) {
    self.subscription = subscription
    state = Mutex(State(cancel: cancel))
  }

  deinit {
    invalidate()
  }

  /// Ends the registration.
  ///
  /// When it returns, the block does not run and will not run again: the call waits for a block that is running on
  /// another thread. There are two exceptions: in a notification block, and on the main thread or the main actor, it
  /// does not wait, since the block may be waiting for that thread. A block on another thread may then still be
  /// running.
  ///
  /// A second call does nothing.
  public func invalidate() {
    let cancel = state.withLock { $0.cancel.take() }
    cancel?()
  }

  /// Adds the token to a set that retains it.
  public func store(in tokens: inout Set<NotificationToken>) { tokens.insert(self) }

  /// Adds the token to a collection that retains it.
  public func store(in tokens: inout some RangeReplaceableCollection<NotificationToken>) { tokens.append(self) }
}

extension NotificationToken: Hashable {
  /// Whether both are the same token.
  public static func == (left: NotificationToken, right: NotificationToken) -> Bool { left === right }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
