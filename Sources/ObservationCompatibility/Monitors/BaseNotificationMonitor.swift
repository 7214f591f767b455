public import Foundation

/// A monitor of notifications to derive others from.
///
/// ```swift
/// final class ClockMonitor: BaseNotificationMonitor {
///   override func addNotificationObservers() {
///     super.addNotificationObservers()
///     observe(.NSSystemClockDidChange) { notification in print(notification.name) }
///   }
/// }
/// ```
open class BaseNotificationMonitor: BaseMonitor {
  /// The queue on which the blocks run.
  public final let queue: OperationQueue

  private var observers: [any NSObjectProtocol] = []

  /// Makes a monitor that is not started.
  ///
  /// - Parameter queue: The queue on which the blocks run; by default the main queue.
  public init(queue: OperationQueue = .main) {
    self.queue = queue
  }

  /// Calls ``observe(_:object:using:)`` for each notification to monitor; called when monitoring starts.
  ///
  /// Override it, and call the superclass.
  open func addNotificationObservers() {}

  /// Ends the observation of all notifications; called when monitoring stops.
  open func removeNotificationObservers() {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    observers = []
  }

  /// Calls a block for each notification of a name, until monitoring stops.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The object whose notifications are meant; if `nil`, those of all.
  ///   - block: Called on ``queue``. It should not retain the monitor.
  public final func observe(
    _ name: Notification.Name, object: Any? = nil, using block: @escaping @Sendable (Notification) -> Void
  ) {
    observers.append(
      NotificationCenter.default.addObserver(forName: name, object: object, queue: queue, using: block))
  }

  /// Begins to monitor: calls ``addNotificationObservers()``.
  open override func configureMonitor() {
    super.configureMonitor()
    addNotificationObservers()
  }

  /// Ends monitoring: calls ``removeNotificationObservers()``.
  open override func cleanupMonitor() {
    removeNotificationObservers()
    super.cleanupMonitor()
  }
}
