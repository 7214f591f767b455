public import FileSystemObservation
internal import Foundation
import LinuxFileSystem

extension FileSystemObserver {
  /// Whether the observer's events are also posted to `NotificationCenter.default`.
  ///
  /// False by default. The notifications have the names in `Notification.Name`, the observer as their object, and the
  /// values of ``BroadcastKey`` in their user info. They are posted on the observer's own threads, serially and in
  /// order. Setting this to false waits for a notification that is being posted, except in a notification handler or on
  /// the main thread.
  public var broadcastsNotifications: Bool {
    get { broadcastToken.withLock { $0 != nil } }
    set { setBroadcasting(newValue) }
  }

  private func setBroadcasting(_ isOn: Bool) {
    // Release the token outside the lock: invalidation may wait for a block that reads this property.
    let retired: NotificationToken? = broadcastToken.withLock { token in
      defer { token = isOn ? token ?? makeBroadcastToken() : nil }
      return isOn ? nil : token
    }
    retired?.invalidate()
  }

  private func makeBroadcastToken() -> NotificationToken {
    addNotificationBlock { observer, event in
      NotificationCenter.default.post(Notification(event, from: observer))
    }
  }
}
