import LinuxFileSystem

/// An entry whose name is missing, or stands for another inode by now.
///
/// What has been told of it still holds until it is resolved.
struct Displacement: Sendable {
  enum Whereabouts: Equatable, Sendable {
    /// Renamed perhaps; or overwritten, or removed while nobody looked.
    case unknown
    /// Its inode is at this place, and it is not decided whether that is a rename or a save.
    case at(Place)
    /// Its name was removed, or another file was moved over it.
    case gone
    /// Renamed to where nobody looks: the other half of the rename has not come, and cannot come any more.
    case outside
  }

  var whereabouts: Whereabouts
  var since: MonotonicTime
  var due: MonotonicTime
  /// Whether its name left by a rename.
  var leftByRename: Bool
  /// Whether it changed places with a newcomer.
  var isExchange = false
  /// Whether its inode was found where it is, and no hint has told of it.
  var isFound = false
  /// Whether it was put aside for a newcomer that was renamed to its place.
  var isAside = false

  /// Whether it left by a rename, and did not end after that.
  var hasLeft: Bool { leftByRename && whereabouts != .gone }

  /// Whether something that stands in the entry's place now may be taken for its successor.
  var isDecided: Bool {
    switch whereabouts {
    case .unknown: false
    case .at, .gone, .outside: true
    }
  }
}
