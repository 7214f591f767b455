import FileEvents
import LinuxFileSystem

/// Places of hints, each once, in the order of their first hint, with the kinds of all their hints.
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

  func kinds(of place: Place) -> HintKinds { kinds[place] ?? [] }
}
