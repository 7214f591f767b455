/// The number of a marked directory in an event source.
package struct MarkID: Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

// Each kind of source has its own range. The kernel numbers watches of inotify upwards from 1, and an overflow has -1.
// Marks of fanotify are counted down from -2, polled directories up from the lowest number.
extension MarkID {
  /// The first number of a polled directory.
  static let firstOfPolling = MarkID(rawValue: .min)
  private static let lastOfPolling = MarkID(rawValue: .min / 2)
  /// The lowest number of inotify.
  static let lastOfInotify = MarkID(rawValue: -1)

  /// Whether the directory is polled.
  package var isOfPolling: Bool { rawValue < Self.lastOfPolling.rawValue }
  /// Whether fanotify reports the directory.
  var isOfFanotify: Bool { rawValue < Self.lastOfInotify.rawValue && !isOfPolling }
  /// Whether inotify reports the directory.
  ///
  /// Such a mark can be widened, but not narrowed.
  package var isOfInotify: Bool { rawValue >= Self.lastOfInotify.rawValue }
}
