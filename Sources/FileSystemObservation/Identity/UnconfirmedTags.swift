import FileIdentity

/// The tags of unfinished files: if the original of such a file is removed, it was moved there.
struct UnconfirmedTags: Sendable {
  /// What has an unconfirmed tag.
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
  /// The entries with an unconfirmed tag, in no order.
  var entries: [NodeID] { Array(tags.keys) }

  /// The tag of an entry that is being written.
  subscript(id: NodeID) -> UUIDBits? { tags[id] }

  func has(_ tag: UUIDBits) -> Bool { holders.hasMembers(tag) }

  /// Whether anything but one entry has a tag.
  func has(_ tag: UUIDBits, besides id: NodeID) -> Bool { count(of: tag) > (tags[id] == tag ? 1 : 0) }

  func count(of tag: UUIDBits) -> Int { holders.count(of: tag) }

  /// The holders of a tag, in no order.
  func holders(of tag: UUIDBits) -> [Holder] { holders.members(of: tag) }

  /// Sets or removes the tag of an entry that is being written.
  mutating func set(_ tag: UUIDBits?, of id: NodeID) {
    guard tags[id] != tag else { return }
    if let former = tags.removeValue(forKey: id) { holders.remove(.entry(id), for: former) }
    guard let tag else { return }
    tags[id] = tag
    holders.insert(.entry(id), for: tag)
  }

  mutating func insert(_ tag: UUIDBits, ofArrivalAt place: Place) { holders.insert(.arrival(place), for: tag) }

  mutating func remove(_ tag: UUIDBits, ofArrivalAt place: Place) { holders.remove(.arrival(place), for: tag) }

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
