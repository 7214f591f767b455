import FileIdentity
import LinuxFileSystem

/// Arrivals by place; found by inode and by partial name as well, and counted by directory.
struct ArrivalTable: Sendable {
  private let patterns: NameRules
  private var table = PlaceTable<Arrival>()
  private var places = Multimap<FileKey, Place>()
  private var partialNames = Multimap<PartialName, Place>()
  /// How many inodes that are new each directory has.
  private var newCounts: [NodeID: Int] = [:]
  /// How many arrivals are further names of each inode that is known.
  private var knownInodeCounts: [FileKey: Int] = [:]

  init(patterns: NameRules) { self.patterns = patterns }

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }
  /// All places that have an arrival, in no order.
  var keys: [Place] { table.keys }

  subscript(place: Place) -> Arrival? { table[place] }

  /// The places of arrivals in a directory, in an order that depends on nothing but their names.
  func places(in directory: NodeID) -> [Place] { table.places(in: directory) }

  /// The places of an inode, in no order.
  func places(of key: FileKey) -> [Place] { places.members(of: key) }

  /// Whether a directory has an arrival with a new inode.
  func hasNewInode(in directory: NodeID) -> Bool { newCounts[directory] != nil }

  /// Whether a further name of a known inode waits.
  func hasFurtherName(of key: FileKey) -> Bool { knownInodeCounts[key] != nil }

  /// Whether an arrival has such a partial name.
  func contains(_ name: PartialName) -> Bool { partialNames.hasMembers(name) }

  /// Adds an arrival to a place that has none.
  mutating func insert(_ arrival: Arrival, at place: Place) {
    assert(table[place] == nil, "a place has one arrival")
    table[place] = arrival
    if arrival.key != .unseen { places.insert(place, for: arrival.key) }
    for name in patterns.partialNames(at: place) { partialNames.insert(place, for: name) }
    if arrival.activity.isKnownInode {
      knownInodeCounts[arrival.key, default: 0] += 1
    } else {
      newCounts[place.parent, default: 0] += 1
    }
  }

  /// Removes the arrival of a place, and gives it.
  mutating func remove(at place: Place) -> Arrival? {
    guard let arrival = table.removeValue(forKey: place) else { return nil }
    places.remove(place, for: arrival.key)
    for name in patterns.partialNames(at: place) { partialNames.remove(place, for: name) }
    if arrival.activity.isKnownInode {
      knownInodeCounts.countDown(arrival.key)
    } else {
      newCounts.countDown(place.parent)
    }
    return arrival
  }

  /// Changes what is known of the writing of an arrival, in place; nothing where there is none.
  mutating func update(at place: Place, _ change: (inout WriteActivity) -> Void) {
    table.update(place) { arrival in
      let isKnownInode = arrival.activity.isKnownInode
      change(&arrival.activity)
      assert(arrival.activity.isKnownInode == isKnownInode, "an arrival that becomes another is removed and inserted")
    }
  }

  /// Adds what is broken in the indices to a report.
  func checkInvariants(_ report: inout InvariantReport) {
    var (new, known): ([NodeID: Int], [FileKey: Int]) = ([:], [:])
    for place in table.keys {
      guard let arrival = table[place] else { continue }
      let isFound = arrival.key == .unseen || places.contains(arrival.key) { $0 == place }
      report.expect(isFound, "the arrival at \(place) is not found by its inode")
      if arrival.activity.isKnownInode {
        known[arrival.key, default: 0] += 1
      } else {
        new[place.parent, default: 0] += 1
      }
    }
    report.expect(new == newCounts, "new inodes: \(new), counted \(newCounts)")
    report.expect(known == knownInodeCounts, "known inodes: \(known), counted \(knownInodeCounts)")
  }
}
