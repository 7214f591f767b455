import LinuxFileSystem

/// An entry whose name is missing, or stands for another inode by now.
///
/// What has been told of it still holds until it is resolved.
struct UnresolvedEntry: Sendable {
  enum BelievedLocation: Equatable, Sendable {
    /// Renamed perhaps; or overwritten, or removed while nobody looked.
    case unknown
    /// Its inode is at this place, and it is not decided whether that is a rename or a save.
    case at(Place)
    /// Its name was removed, or another file was moved over it.
    case gone
    /// Renamed to where nobody looks: the other half of the rename has not come, and cannot come any more.
    case outside
  }

  fileprivate(set) var believedLocation: BelievedLocation
  var since: MonotonicTime
  var due: MonotonicTime
  /// Whether its name left by a rename.
  var leftByRename: Bool
  /// Whether it changed places with a newcomer.
  var isExchange = false
  /// Whether its inode was found where it is, and no hint has told of it.
  var isFound = false
  /// Whether it was put aside for a newcomer that was renamed to its place.
  var isSetAside = false

  /// Whether it left by a rename, and did not end after that.
  var hasLeft: Bool { leftByRename && believedLocation != .gone }

  /// Whether something that stands in the entry's place now may be taken for its successor.
  var isDecided: Bool {
    switch believedLocation {
    case .unknown: false
    case .at, .gone, .outside: true
    }
  }
}

/// Entries that are not resolved, and the places at which they are believed to be: no two at one place.
struct UnresolvedEntries: Sendable {
  private var entries: [NodeID: UnresolvedEntry] = [:]
  private var places = PlaceTable<NodeID>()

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  /// All of them, in no order.
  var ids: some Collection<NodeID> { entries.keys }
  var all: some Collection<UnresolvedEntry> { entries.values }
  /// Whether any of them is believed to be at another place.
  var hasBelievedPlaces: Bool { !places.isEmpty }

  /// What is known of an entry that is not resolved; one is added with `begin`, and moved with `setLocation`.
  subscript(id: NodeID) -> UnresolvedEntry? {
    get { entries[id] }
    _modify {
      let isKnown = entries[id] != nil
      yield &entries[id]
      assert((entries[id] != nil) == isKnown, "entries are added with begin(), and removed with remove()")
    }
  }

  /// The entry that is believed to be at a place.
  func entry(at place: Place) -> NodeID? { places[place] }

  /// The places in a directory at which entries are believed to be, in an order that depends on nothing but their names.
  func places(in directory: NodeID) -> [Place] { places.places(in: directory) }

  /// An entry is missing from now on, and where its inode is is unknown.
  mutating func begin(_ id: NodeID, since: MonotonicTime, due: MonotonicTime, leftByRename: Bool) {
    setLocation(of: id, .unknown)
    entries[id] = UnresolvedEntry(believedLocation: .unknown, since: since, due: due, leftByRename: leftByRename)
  }

  /// The inode of an entry is believed to be elsewhere from now on; nothing where the entry is resolved.
  ///
  /// No other entry may be believed to be there.
  mutating func setLocation(of id: NodeID, _ location: UnresolvedEntry.BelievedLocation) {
    guard let former = entries[id]?.believedLocation else { return }
    if case .at(let place) = former { places.removeValue(forKey: place) }
    if case .at(let place) = location {
      assert(places[place] == nil, "two entries cannot be at one place")
      places[place] = id
    }
    entries[id]?.believedLocation = location
  }

  /// An entry is resolved.
  mutating func remove(_ id: NodeID) -> UnresolvedEntry? {
    setLocation(of: id, .unknown)
    return entries.removeValue(forKey: id)
  }

  /// Adds to a report where entries and places do not agree.
  func checkInvariants(_ report: inout InvariantReport) {
    for place in places.keys {
      let location = places[place].flatMap { entries[$0] }?.believedLocation
      report.expect(
        location == .at(place), "an entry is believed at \(place), which is \(String(describing: location))")
    }
    for (id, entry) in entries {
      if case .at(let place) = entry.believedLocation { report.expect(places[place] == id, "\(id) is not at \(place)") }
    }
  }
}
