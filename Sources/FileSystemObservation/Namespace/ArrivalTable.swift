import FileIdentity
import LinuxFileSystem

/// Arrivals by place, with indexes by inode, by partial name, by directory, and of what new folders brought.
struct ArrivalTable: Sendable {
  private let patterns: NameRules
  private var table = PlaceTable<Arrival>()
  private var places = Multimap<FileKey, Place>()
  /// The inode that was last found with a number.
  private var inodes: [InodeNumber: FileKey] = [:]
  private var partialNames = Multimap<PartialName, Place>()
  /// The number of arrivals with new inodes, by directory.
  private var newCounts: [NodeID: Int] = [:]
  /// The number of arrivals that are further names, by known inode.
  private var knownInodeCounts: [FileKey: Int] = [:]

  /// Arrivals that were moved into new folders, by the names under which they were found.
  private var brought = Multimap<FileName, Place>()

  /// Directories that have had arrivals whose names may mark others as unfinished, since they had no arrival at all.
  private var pendingSiblings: Set<NodeID> = []

  init(patterns: NameRules) { self.patterns = patterns }

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }
  /// All places of arrivals, in no order.
  var keys: [Place] { table.keys }

  subscript(place: Place) -> Arrival? { table[place] }

  /// The places of arrivals in a directory, sorted by name.
  func places(in directory: NodeID) -> [Place] { table.places(in: directory) }

  /// The places of an inode, in no order.
  func places(of key: FileKey) -> [Place] { places.members(of: key) }

  /// The inode with a number that an arrival has.
  func key(with number: InodeNumber) -> FileKey? { inodes[number] }

  /// Whether a directory has an arrival with a new inode.
  func hasNewInode(in directory: NodeID) -> Bool { newCounts[directory] != nil }

  /// Whether an arrival is a further name of this inode.
  func hasFurtherName(of key: FileKey) -> Bool { knownInodeCounts[key] != nil }

  /// The places of arrivals that were moved into new folders under a name, in no order.
  func brought(named name: FileName) -> [Place] { brought.members(of: name) }

  /// Forgets that an arrival was moved into a new folder.
  mutating func forgetBrought(at place: Place) {
    guard let name = table[place]?.broughtAs else { return }
    table.update(place) { $0.broughtAs = nil }
    brought.remove(place, for: name)
  }

  func contains(_ name: PartialName) -> Bool { partialNames.hasMembers(name) }

  var hasPartialNames: Bool { !partialNames.isEmpty }

  /// Whether a directory may have an arrival whose name marks another file as unfinished.
  func mayHavePendingSibling(in directory: NodeID) -> Bool { pendingSiblings.contains(directory) }

  /// Adds an arrival to a place that has none.
  mutating func insert(_ arrival: Arrival, at place: Place) {
    assert(table[place] == nil, "a place has one arrival")
    table[place] = arrival
    if arrival.key != .unseen {
      places.insert(place, for: arrival.key)
      inodes[InodeNumber(arrival.key)] = arrival.key
    }
    for name in patterns.partialNames(at: place) { partialNames.insert(place, for: name) }
    if patterns.isPendingSibling(place.name) { pendingSiblings.insert(place.parent) }
    if let name = arrival.broughtAs { brought.insert(place, for: name) }
    if arrival.activity.isKnownInode {
      knownInodeCounts[arrival.key, default: 0] += 1
    } else {
      newCounts[place.parent, default: 0] += 1
    }
  }

  mutating func remove(at place: Place) -> Arrival? {
    guard let arrival = table.removeValue(forKey: place) else { return nil }
    places.remove(place, for: arrival.key)
    if !places.hasMembers(arrival.key), inodes[InodeNumber(arrival.key)] == arrival.key {
      inodes[InodeNumber(arrival.key)] = nil
    }
    for name in patterns.partialNames(at: place) { partialNames.remove(place, for: name) }
    if let name = arrival.broughtAs { brought.remove(place, for: name) }
    if !pendingSiblings.isEmpty, !table.hasPlaces(in: place.parent) { pendingSiblings.remove(place.parent) }
    if arrival.activity.isKnownInode {
      knownInodeCounts.countDown(arrival.key)
    } else {
      newCounts.countDown(place.parent)
    }
    return arrival
  }

  /// Notes whether the first look at an arrival waits.
  mutating func setAwaitsFirstLook(_ waits: Bool, at place: Place) {
    table.update(place) { $0.awaitsFirstLook = waits }
  }

  /// Changes the write activity of an arrival in place, and returns the arrival, if there is one.
  @discardableResult
  mutating func update(at place: Place, _ change: (inout WriteActivity) -> Void) -> Arrival? {
    table.update(place) { arrival in
      let isKnownInode = arrival.activity.isKnownInode
      change(&arrival.activity)
      assert(arrival.activity.isKnownInode == isKnownInode, "an arrival that becomes another is removed and inserted")
    }
  }

  func checkInvariants(_ report: inout InvariantReport) {
    var (new, known): ([NodeID: Int], [FileKey: Int]) = ([:], [:])
    for place in table.keys {
      guard let arrival = table[place] else { continue }
      let isFound = arrival.key == .unseen || places.contains(arrival.key) { $0 == place }
      report.expect(isFound, "the arrival at \(place) is not found by its inode")
      let isBrought = arrival.broughtAs.map { name in brought.contains(name) { $0 == place } } ?? true
      report.expect(isBrought, "the arrival at \(place) is not found by the name with which it was brought")
      if arrival.activity.isKnownInode {
        known[arrival.key, default: 0] += 1
      } else {
        new[place.parent, default: 0] += 1
      }
    }
    report.expect(inodes.values.allSatisfy(places.hasMembers), "an inode is noted that no arrival has")
    report.expect(new == newCounts, "new inodes: \(new), counted \(newCounts)")
    report.expect(known == knownInodeCounts, "known inodes: \(known), counted \(knownInodeCounts)")
  }
}
