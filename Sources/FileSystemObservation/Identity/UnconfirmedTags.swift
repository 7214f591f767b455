import FileIdentity

/// The tags of files that are not complete: the originals of these files, should they go, have been moved there.
struct UnconfirmedTags: Sendable {
  /// Who bears a tag while it is not decided what it says.
  enum Holder: Hashable, Sendable {
    case arrival(Place)
    /// An entry that is being written.
    case entry(NodeID)
  }

  private var holders = Multimap<UUIDBits, Holder>()
  private var tags: [NodeID: UUIDBits] = [:]

  var isEmpty: Bool { holders.isEmpty }
  /// The number of tags.
  var count: Int { holders.keyCount }
  /// The entries that bear one, in no order.
  var entries: [NodeID] { Array(tags.keys) }

  /// The tag of an entry that is being written.
  subscript(id: NodeID) -> UUIDBits? { tags[id] }

  /// Whether anything bears a tag.
  func has(_ tag: UUIDBits) -> Bool { holders.hasMembers(tag) }

  /// How many bear a tag.
  func count(of tag: UUIDBits) -> Int { holders.count(of: tag) }

  /// Who bears a tag, in no order.
  func holders(of tag: UUIDBits) -> [Holder] { holders.members(of: tag) }

  /// An entry that is being written bears a tag, or none any more.
  mutating func set(_ tag: UUIDBits?, of id: NodeID) {
    guard tags[id] != tag else { return }
    if let former = tags.removeValue(forKey: id) { holders.remove(.entry(id), for: former) }
    guard let tag else { return }
    tags[id] = tag
    holders.insert(.entry(id), for: tag)
  }

  mutating func insert(_ tag: UUIDBits, ofArrivalAt place: Place) { holders.insert(.arrival(place), for: tag) }

  mutating func remove(_ tag: UUIDBits, ofArrivalAt place: Place) { holders.remove(.arrival(place), for: tag) }

  /// Adds to a report where the arrivals and entries that bear tags are not the ones that are known to.
  func checkInvariants(arrivals: [(Place, UUIDBits)], _ report: inout InvariantReport) {
    var expected: [UUIDBits: Set<Holder>] = [:]
    for (place, tag) in arrivals { expected[tag, default: []].insert(.arrival(place)) }
    for (id, tag) in tags { expected[tag, default: []].insert(.entry(id)) }
    report.expect(expected.count == count, "\(expected.count) tags are unconfirmed, not \(count)")
    for (tag, bearers) in expected {
      report.expect(Set(holders(of: tag)) == bearers, "\(tag) is borne by \(bearers), not \(holders(of: tag))")
    }
  }
}
