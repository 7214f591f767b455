/// Places where tags were written a moment ago.
///
/// Each writing makes a hint, which is no news. The source recognizes it as caused by this process, but not as caused
/// by a tag: the app is the same process.
struct OwnTags {
  private static let limit = 65_536
  private var places: Set<Place> = []

  mutating func insert(_ place: Place) {
    // Some have no hint: those of unmarked directories, and those among lost events.
    if places.count >= Self.limit { places.removeAll() }
    places.insert(place)
  }

  /// Removes a place; whether it was there.
  mutating func remove(_ place: Place) -> Bool { places.remove(place) != nil }
}
