import FileEvents
import LinuxFileSystem

/// Places that hints were about, in the order in which they came, each with all that was said of it.
///
/// Each is looked at once, however many hints there were.
struct PlacesToInspect: Sendable {
  private(set) var places: [Place] = []
  private var kinds: [Place: HintKinds] = [:]

  var isEmpty: Bool { places.isEmpty }
  var count: Int { places.count }

  mutating func insert(_ place: Place, _ said: HintKinds) {
    if let known = kinds[place] {
      kinds[place] = known.union(said)
    } else {
      kinds[place] = said
      places.append(place)
    }
  }

  /// What was said of a place.
  func kinds(of place: Place) -> HintKinds { kinds[place] ?? [] }
}
