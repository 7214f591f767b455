import LinuxFileSystem

/// An entry whose name is missing or stands for another inode; its announced state holds until it is resolved.
struct UnresolvedEntry: Sendable {
  enum BelievedLocation: Equatable, Sendable {
    /// Unknown: it may have been renamed, replaced or removed.
    case unknown
    /// At this place; whether by a rename or for a save is not decided.
    case at(Place)
    /// Nowhere: its name was removed or replaced.
    case gone
    /// At an unobserved place: the second half of its rename can no longer come.
    case outside
  }

  fileprivate(set) var believedLocation: BelievedLocation
  var since: MonotonicTime
  var due: MonotonicTime
  /// Whether it left its name by a rename.
  var leftByRename: Bool
  /// Whether it was exchanged with an arrival or an unobserved item.
  var isExchange = false
  /// Whether its location was found by a look, and no hint has reported that it left.
  var isFound = false
  /// Whether it was set aside for an arrival that was renamed to its place.
  var isSetAside = false

  /// The unobserved place to which it was renamed, as long as it is known to be there.
  fileprivate var unobservedPlace: Place?
  /// Its name if its inode had not been seen when it was missed.
  fileprivate var unseenName: FileName?

  /// Whether it left by a rename, and is not known to be gone.
  var hasLeft: Bool { leftByRename && believedLocation != .gone }

  /// Whether the inode in its place may be taken for its next version.
  var isDecided: Bool { believedLocation != .unknown }

  /// Whether its name was removed or replaced, as far as is known, and not renamed.
  var isGone: Bool { believedLocation == .gone || believedLocation == .unknown && !leftByRename }

  /// Where it is believed to be; `nil` if that is unknown or unobserved, or it is gone.
  var believedPlace: Place? { if case .at(let place) = believedLocation { place } else { nil } }
}

/// Unresolved entries, no two at one place, with an index by believed place, and one of unseen inodes by name.
struct UnresolvedEntries: Sendable {
  private var entries: [NodeID: UnresolvedEntry] = [:]
  private var places = PlaceTable<NodeID>()
  /// The entries that were renamed to unobserved places.
  private var unobserved = PlaceTable<NodeID>()
  /// The entries whose inodes had not been seen when they were missed, by name.
  private var unseen = Multimap<FileName, NodeID>()

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  /// All unresolved entries, in no order.
  var ids: some Collection<NodeID> { entries.keys }
  var all: some Collection<UnresolvedEntry> { entries.values }
  /// Whether an entry is believed to be at a place.
  var hasBelievedPlaces: Bool { !places.isEmpty }

  /// The state of an entry; `begin` adds one, and `setLocation` moves it.
  subscript(id: NodeID) -> UnresolvedEntry? {
    get { entries[id] }
    // Not `_modify`: a dictionary's accessor allocates memory for each call.
    set {
      guard let newValue, let index = entries.index(forKey: id) else {
        return assertionFailure("entries are added with begin(), and removed with remove()")
      }
      entries.values[index] = newValue
    }
  }

  /// The places where entries are believed to be, in no order.
  var believedPlaces: [Place] { places.keys }

  /// The entry that is believed to be at a place.
  func entry(at place: Place) -> NodeID? { places[place] }

  /// The entry that was renamed to an unobserved place.
  func entry(atUnobserved place: Place) -> NodeID? { unobserved[place] }

  /// The believed places in a directory, sorted by name.
  func places(in directory: NodeID) -> [Place] { places.places(in: directory) }

  /// The entries with a name whose inodes had not been seen when they were missed, in no order.
  func unseen(named name: FileName) -> [NodeID] { unseen.members(of: name) }

  /// Adds an entry, with an unknown location.
  ///
  /// - Parameter unseenName: The entry's name if its inode has not been seen.
  mutating func begin(
    _ id: NodeID, since: MonotonicTime, due: MonotonicTime, leftByRename: Bool, unseenName: FileName?
  ) {
    setLocation(of: id, .unknown)
    var entry = UnresolvedEntry(believedLocation: .unknown, since: since, due: due, leftByRename: leftByRename)
    entry.unseenName = unseenName
    if let name = entries[id]?.unseenName { unseen.remove(id, for: name) }
    if let unseenName { unseen.insert(id, for: unseenName) }
    entries[id] = entry
  }

  /// Sets the believed location of an unresolved entry; no other entry may be believed to be there.
  mutating func setLocation(of id: NodeID, _ location: UnresolvedEntry.BelievedLocation) {
    guard let index = entries.index(forKey: id) else { return }
    if let place = entries.values[index].believedPlace { places.removeValue(forKey: place) }
    if let place = entries.values[index].unobservedPlace {
      unobserved.removeValue(forKey: place)
      entries.values[index].unobservedPlace = nil
    }
    if case .at(let place) = location {
      assert(places[place] == nil, "two entries cannot be at one place")
      places[place] = id
    }
    entries.values[index].believedLocation = location
  }

  /// Sets the location of an unresolved entry to an unobserved place; no other entry may be there.
  mutating func setLocation(of id: NodeID, unobserved place: Place) {
    guard let index = entries.index(forKey: id) else { return }
    setLocation(of: id, .outside)
    assert(unobserved[place] == nil, "two entries cannot be at one place")
    unobserved[place] = id
    entries.values[index].unobservedPlace = place
  }

  /// Forgets which entries were renamed to unobserved places in a directory.
  mutating func forgetUnobservedPlaces(in directory: NodeID) {
    for place in unobserved.places(in: directory) {
      guard let id = unobserved.removeValue(forKey: place), let index = entries.index(forKey: id) else { continue }
      entries.values[index].unobservedPlace = nil
    }
  }

  mutating func remove(_ id: NodeID) -> UnresolvedEntry? {
    setLocation(of: id, .unknown)
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if let name = entry.unseenName { unseen.remove(id, for: name) }
    return entry
  }

  func checkInvariants(_ report: inout InvariantReport) {
    for place in places.keys {
      let location = places[place].flatMap { entries[$0] }?.believedLocation
      report.expect(
        location == .at(place), "an entry is believed at \(place), which is \(String(describing: location))")
    }
    report.expect(
      unobserved.count == entries.values.count { $0.unobservedPlace != nil }, "an entry is not at its unobserved place")
    for (id, entry) in entries {
      if let place = entry.unobservedPlace {
        report.expect(unobserved[place] == id && entry.believedLocation == .outside, "\(id) is not at \(place)")
      }
      if let place = entry.believedPlace { report.expect(places[place] == id, "\(id) is not at \(place)") }
      let isFound = entry.unseenName.map { unseen.contains($0) { $0 == id } } ?? true
      report.expect(isFound, "\(id) is not found by its name")
    }
  }
}
