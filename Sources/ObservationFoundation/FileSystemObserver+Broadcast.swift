public import FileSystemObservation
internal import Foundation
import LinuxFileSystem

extension FileSystemObserver {
  /// Whether the events of the observer are also posted to `NotificationCenter.default`.
  ///
  /// Off at first. The notifications have the names in `Notification.Name`, the observer as their object, and the
  /// values of ``BroadcastKey`` in their user info. They are posted on a thread of the observer's own, in order and one
  /// after the other; turning the broadcast off waits for one that is being posted, unless it is turned off in a
  /// handler of one or on the main thread.
  public var broadcastsNotifications: Bool {
    get { broadcastToken.withLock { $0 != nil } }
    set { setBroadcasting(newValue) }
  }

  private func setBroadcasting(_ isOn: Bool) {
    // A token must be let go of outside of the lock: that may wait for a block that asks for this very property.
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
