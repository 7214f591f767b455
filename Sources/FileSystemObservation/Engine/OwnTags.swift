/// Places where tags were written a moment ago.
///
/// Each write makes a hint, which is no news. The source recognizes that this process caused the hint, but not that a
/// tag did: the app is the same process.
struct OwnTags {
  private static let limit = 65_536
  private var places: Set<Place> = []

  mutating func insert(_ place: Place) {
    // Some hints never come: those of unmarked directories, and lost ones.
    if places.count >= Self.limit { places.removeAll() }
    places.insert(place)
  }

  mutating func remove(_ place: Place) -> Bool { places.remove(place) != nil }
}
