/// The number of one watch of an inotify instance.
///
/// The kernel counts up, so that an old number does not come back.
package struct WatchNumber: Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}
