import FileIdentity

/// Places where tags were written a moment ago.
///
/// Each write makes a hint, which is no news. The source recognizes that this process caused the hint, but not that a
/// tag did: the app is the same process. inotify recognizes nothing: there, the file's time of change shows whether
/// anything has happened since.
struct OwnTags {
  /// A tag that was written.
  struct Written {
    var key: FileKey
    /// The time of change that the file had afterwards, if a later change gives it another.
    var changed: Int64?
  }

  private static let limit = 65_536
  private var places: [Place: Written] = [:]

  mutating func insert(_ place: Place, _ written: Written = Written(key: .unseen)) {
    // Some hints never come: those of unmarked directories, and lost ones.
    if places.count >= Self.limit { places.removeAll() }
    places[place] = written
  }

  /// Removes a place, and returns the tag that was written there.
  mutating func take(_ place: Place) -> Written? { places.removeValue(forKey: place) }
}
