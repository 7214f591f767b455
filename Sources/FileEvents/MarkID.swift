/// The number under which an event source knows one marked directory.
package struct MarkID: Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

// The kernel numbers watches of inotify upwards from 1, and an overflow has -1. Marks of fanotify are counted down
// from there, polled directories up from the lowest number.
extension MarkID {
  /// The first number of a polled directory.
  static let firstOfPolling = MarkID(rawValue: .min)
  private static let lastOfPolling = MarkID(rawValue: .min / 2)
  /// The number before which fanotify's begin.
  static let lastOfInotify = MarkID(rawValue: -1)

  /// Whether the directory is polled.
  package var isOfPolling: Bool { rawValue < Self.lastOfPolling.rawValue }
  /// Whether the mark is one of fanotify, and not a watch of inotify.
  var isOfFanotify: Bool { rawValue < Self.lastOfInotify.rawValue && !isOfPolling }
  /// Whether the mark is a watch of inotify, which can be added to and not be narrowed.
  package var isOfInotify: Bool { rawValue >= Self.lastOfInotify.rawValue }
}
