extension FileSystemObserver {
  /// The listeners that an operation notifies.
  ///
  /// ```swift
  /// // The view has moved the row already, while the user dragged it.
  /// try observer.moveItem(at: row.path, to: destination, notifying: .others(than: token))
  /// ```
  ///
  /// A listener that is left out is not called for the operation. It gets the changes before its next event, in a set
  /// that is ``FileSystemChanges/isForReplayOnly``: so replaying has no gap. Live items and lists are never left out:
  /// they show what there is.
  public struct Audience: Sendable, Hashable {
    private enum Extent: Sendable, Hashable {
      case everyone, nobody
      case others(than: Set<ObjectIdentifier>)
    }

    private var extent: Extent

    /// All listeners.
    public static let everyone = Audience(extent: .everyone)
    /// No listener.
    public static let nobody = Audience(extent: .nobody)

    /// All listeners but one.
    public static func others(than token: NotificationToken) -> Audience { others(than: [token]) }

    /// All listeners but some.
    public static func others(than tokens: some Sequence<NotificationToken>) -> Audience {
      Audience(extent: .others(than: Set(tokens.compactMap { $0.subscription.map { ObjectIdentifier($0) } })))
    }

    func includes(_ subscription: Subscription) -> Bool {
      switch extent {
      case .everyone: true
      case .nobody: false
      case .others(let left): !left.contains(ObjectIdentifier(subscription))
      }
    }
  }
}
