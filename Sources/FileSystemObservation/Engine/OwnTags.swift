/// Where tags were written a moment ago.
///
/// Each makes a hint, which says nothing new, and which the source knows for one of this process. It does not know it
/// for a tag: the app is the same process.
struct OwnTags {
  private static let limit = 256
  private var places: Set<Place> = []

  mutating func insert(_ place: Place) {
    // Nothing tells of some: of directories that are not marked, or when events are lost.
    if places.count >= Self.limit { places.removeAll(keepingCapacity: true) }
    places.insert(place)
  }

  /// Takes a place out; whether it was there.
  mutating func remove(_ place: Place) -> Bool { places.remove(place) != nil }
}
