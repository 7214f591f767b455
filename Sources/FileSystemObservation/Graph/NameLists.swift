import FileIdentity

/// Lists of names of identities with several.
///
/// A file may have 65,000 names; with these lists, no operation visits all of them.
struct NameLists: Sendable {
  /// The flags by which names are found.
  static let listed: NodeFlags = [.unresolved, .written]

  /// Names of one identity that have one flag.
  private struct Flagged: Hashable, Sendable {
    var uuid: UUIDBits
    var flag: NodeFlags
  }

  private var flagged = Multimap<Flagged, NodeID>()
  /// The last name and the number of names, by the oldest.
  private var ends: [NodeID: (last: NodeID, count: Int)] = [:]
  /// The name before each further name.
  private var previous: [NodeID: NodeID] = [:]

  func count(from oldest: NodeID) -> Int { ends[oldest]?.count ?? 1 }

  /// Adds a further name, and returns the one before it.
  mutating func append(_ name: NodeID, to oldest: NodeID) -> NodeID {
    let (last, count) = ends[oldest] ?? (oldest, 1)
    ends[oldest] = (name, count + 1)
    previous[name] = last
    return last
  }

  /// Removes a further name, and returns the one before it.
  mutating func remove(_ name: NodeID, from oldest: NodeID, next: NodeID?) -> NodeID {
    let before = previous.removeValue(forKey: name) ?? oldest
    if let next { previous[next] = before }
    let (last, count) = ends[oldest] ?? (oldest, 2)
    ends[oldest] = count > 2 ? (last == name ? before : last, count - 1) : nil
    return before
  }

  /// Removes the oldest name; the next replaces it.
  mutating func removeOldest(_ oldest: NodeID, next: NodeID?) {
    guard let next, let (last, count) = ends.removeValue(forKey: oldest) else { return }
    previous[next] = nil
    if count > 2 { ends[next] = (last, count - 1) }
  }

  mutating func note(_ flags: NodeFlags, of name: NodeID, with uuid: UUIDBits, _ on: Bool) {
    for flag in [NodeFlags.unresolved, .written] where flags.contains(flag) {
      if on {
        flagged.insert(name, for: Flagged(uuid: uuid, flag: flag))
      } else {
        flagged.remove(name, for: Flagged(uuid: uuid, flag: flag))
      }
    }
  }

  func names(of uuid: UUIDBits, with flag: NodeFlags) -> [NodeID] {
    flagged.members(of: Flagged(uuid: uuid, flag: flag))
  }

  func count(of uuid: UUIDBits, with flag: NodeFlags) -> Int { flagged.count(of: Flagged(uuid: uuid, flag: flag)) }
}
