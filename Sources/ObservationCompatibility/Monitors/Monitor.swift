/// Something that monitors, until it is stopped.
///
/// Apps keep monitors of any kind in one array, and start and stop them together. There are three ways to write one:
/// conform to this protocol, derive a class from ``BaseMonitor``, or from ``BaseNotificationMonitor`` for what is
/// posted to a notification centre.
public protocol Monitor: AnyObject {
  /// Whether the monitor was started and not stopped since.
  var isMonitoring: Bool { get }

  /// Starts monitoring; does nothing if it was started before.
  func startMonitoring()

  /// Stops monitoring; does nothing if it was not started.
  func stopMonitoring()
}

/// A monitor to derive others from.
///
/// Override ``configureMonitor()`` and ``cleanupMonitor()``, and call the superclass in both. Use a monitor from one
/// thread at a time: it is not `Sendable`. Deallocation stops it.
open class BaseMonitor: Monitor {
  /// Whether the monitor was started and not stopped since.
  public final private(set) var isMonitoring = false

  /// Makes a monitor that is not started.
  public init() {}

  deinit {
    stopMonitoring()
  }

  /// Begins to monitor; called once for each start.
  open func configureMonitor() {}

  /// Ends monitoring; called once for each stop, also by deallocation.
  open func cleanupMonitor() {}

  /// Starts monitoring: calls ``configureMonitor()``, unless the monitor was started before.
  public final func startMonitoring() {
    if isMonitoring { return }
    isMonitoring = true
    configureMonitor()
  }

  /// Stops monitoring: calls ``cleanupMonitor()``, unless the monitor was not started.
  public final func stopMonitoring() {
    guard isMonitoring else { return }
    isMonitoring = false
    cleanupMonitor()
  }
}
