/// The number of a watch of an inotify instance.
///
/// The kernel counts upwards, and does not reuse numbers.
package struct WatchNumber: Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}
