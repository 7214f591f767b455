import LinuxFileSystem

/// Places that operations have changed where the source polls.
struct PolledPlaces {
  /// How long to wait before asking the source again whether it has looked, in nanoseconds.
  static let pause: Int64 = 20_000_000

  private var places: [Place] = []
  /// When the last operation took effect.
  private(set) var since = MonotonicTime(nanoseconds: 0)
  /// When to ask the source.
  var due: MonotonicTime?

  mutating func insert(_ place: Place, _ now: MonotonicTime) {
    if !places.contains(place) { places.append(place) }
    since = now
    due = now + Self.pause
  }

  mutating func take() -> [Place] {
    defer { (places, due) = ([], nil) }
    return places
  }
}
