import LinuxFileSystem

/// What could not be seen of the tree: a value for each directory, and what follows from the gaps.
///
/// Nothing in a gap is gone because it is not seen, and the original of a copy may be in one.
struct Coverage: Sendable {
  /// Why a directory, or an entry, is not known as it is.
  struct Gaps: OptionSet, Hashable, Sendable {
    var rawValue: UInt8

    /// The directory could not be listed or marked.
    static let unlistable = Self(rawValue: 1 << 0)
    /// Hints of the directory could not be followed, as it was not where the graph has it: it must be listed, with
    /// everything below it.
    static let needsListing = Self(rawValue: 1 << 1)
    /// The directory's mount did not answer when it was listed.
    static let silent = Self(rawValue: 1 << 2)
    /// Something was mounted or unmounted at the entry or above it, and it has not been looked at since.
    static let covered = Self(rawValue: 1 << 3)
  }

  /// An entry that was found while not everything was seen.
  ///
  /// Which of two with one tag is the original is not known before both are found.
  struct LateFind: Sendable {
    var until: MonotonicTime
    /// The recovery in which it was found: what only a later one finds came later.
    var recovery: Int
    /// Whether its UUID was minted for it because another had that of its tag.
    ///
    /// An inode with such a past may have been that of a document which was saved since, and has what was minted for it
    /// at first.
    var isCopy: Bool
    /// Whether it is a directory that was seen to be made: what is in it has not been there for long.
    var isMade = false
  }

  /// How many late finds are kept while there is a gap: it may never end, where a directory is another user's.
  private static let keptLimit = 4_096

  private var gaps: [NodeID: Gaps] = [:]
  private var counts: [UInt8: Int] = [:]
  /// Places where something is that could not be looked at.
  private(set) var unprobed = PlaceSet()
  private(set) var lateFinds: [NodeID: LateFind] = [:]
  private var keepsLateFinds = false
  /// Until when newcomers may be what could not be seen before.
  private var lateUntil: MonotonicTime?
  /// Whether there has been a gap since the first scan: then nobody has seen the whole tree, and what was found first
  /// may be the copy.
  private var isSinceStart = false
  /// Documents that have other inodes since the gap began, younger than what bears their tags.
  private var saved: Set<NodeID> = []
  /// Counts the listings of the whole tree after events were lost.
  private(set) var recovery = 0
  /// Whether what is known was listed while more happened: nothing is missing for certain before the hints of that are
  /// followed.
  private(set) var isRescanning = false
}

// MARK: - Gaps

extension Coverage {
  subscript(id: NodeID) -> Gaps { gaps[id] ?? [] }

  func has(_ gap: Gaps, _ id: NodeID) -> Bool { !gaps.isEmpty && self[id].contains(gap) }

  /// How many entries have a gap of a kind.
  func count(of gap: Gaps) -> Int { counts[gap.rawValue] ?? 0 }

  /// The entries with a gap of a kind, in no order.
  func entries(with gap: Gaps) -> [NodeID] {
    count(of: gap) == 0 ? [] : gaps.filter { $0.value.contains(gap) }.map(\.key)
  }

  /// Sets or ends a gap of one kind.
  ///
  /// - Returns: Whether that is a change.
  @discardableResult
  mutating func set(_ gap: Gaps, of id: NodeID, _ isOpen: Bool = true) -> Bool {
    if !isOpen, gaps.isEmpty { return false }
    let known = self[id]
    guard known.contains(gap) != isOpen else { return false }
    let present = isOpen ? known.union(gap) : known.subtracting(gap)
    gaps[id] = present.isEmpty ? nil : present
    counts[gap.rawValue, default: 0] += isOpen ? 1 : -1
    return true
  }

  /// Ends all gaps of one kind.
  mutating func end(_ gap: Gaps) {
    for id in entries(with: gap) { set(gap, of: id, false) }
  }

  /// Forgets an entry, which has ended.
  mutating func forget(_ id: NodeID) {
    for gap in [Gaps.unlistable, .needsListing, .silent, .covered] where has(gap, id) { set(gap, of: id, false) }
    lateFinds[id] = nil
    saved.remove(id)
  }

  /// Forgets the places in a directory, which has ended.
  mutating func forgetPlaces(in directory: NodeID) { unprobed.removeAll(in: directory) }

  mutating func insertUnprobed(_ place: Place) { unprobed.insert(place) }

  /// - Returns: Whether what is at the place could not be found out before.
  mutating func removeUnprobed(_ place: Place) -> Bool { unprobed.remove(place) != nil }
}

// MARK: - Blind for a while

extension Coverage {
  /// Whether there are originals that nobody has seen, or are only being found.
  func hasGap(_ now: MonotonicTime) -> Bool {
    count(of: .unlistable) > 0 || !unprobed.isEmpty || lateUntil.map { now < $0 } ?? false
  }

  /// A gap is about to open.
  ///
  /// - Parameter isStart: Whether that is in the first scan.
  mutating func beginGap(isStart: Bool, _ now: MonotonicTime) {
    guard !hasGap(now) else { return }
    saved = []
    isSinceStart = isStart
  }

  /// What can be seen again may hold originals that are only being found until then.
  mutating func endGap(until time: MonotonicTime) { lateUntil = time }

  /// When late finds that were kept are forgotten.
  var keptUntil: MonotonicTime? { keepsLateFinds ? lateUntil : nil }

  mutating func noteSaved(_ id: NodeID, _ now: MonotonicTime) {
    lateFinds[id] = nil
    if hasGap(now) { saved.insert(id) }
  }

  /// Whether what was found first may be a copy, though it has been there since the first scan.
  func mayBeCopy(_ id: NodeID, _ now: MonotonicTime) -> Bool { hasGap(now) && isSinceStart && !saved.contains(id) }
}

// MARK: - Recovery and late finds

extension Coverage {
  /// The tree is listed for the first time.
  mutating func beginFirstScan() { isRescanning = true }

  /// The whole tree is listed anew: where all was known before, what is found has come since.
  mutating func beginRecovery(_ now: MonotonicTime) {
    if !isRescanning, !hasGap(now) { recovery += 1 }
    isRescanning = true
  }

  /// So much is in doubt that everything is.
  mutating func doubtEverything() { isRescanning = true }

  mutating func endRecovery() { isRescanning = false }

  mutating func noteLateFind(_ id: NodeID, until: MonotonicTime, isCopy: Bool, isMade: Bool) {
    lateFinds[id] = LateFind(until: until, recovery: recovery, isCopy: isCopy, isMade: isMade)
  }

  mutating func forgetLateFind(_ id: NodeID) { lateFinds[id] = nil }

  /// A late find's time is over; while there is a gap it is kept, as nobody knows when that ends.
  mutating func expireLateFind(_ id: NodeID, at time: MonotonicTime, _ now: MonotonicTime) {
    guard lateFinds[id]?.until == time else { return }
    if hasGap(now), lateFinds.count <= Self.keptLimit {
      keepsLateFinds = true
    } else {
      lateFinds[id] = nil
    }
  }

  /// Forgets what was kept as long as there was a gap.
  mutating func forgetKept(_ now: MonotonicTime) {
    guard keepsLateFinds, !hasGap(now) else { return }
    keepsLateFinds = false
    lateFinds = lateFinds.filter { $0.value.until > now }
  }

  /// What contradicts the counts, or is not in the graph.
  func checkInvariants(_ graph: FileGraph, _ report: inout InvariantReport) {
    var found: [UInt8: Int] = [:]
    for (id, gaps) in gaps {
      report.expect(graph.isLive(id), "\(id), which has a gap, has ended")
      for bit in 0..<4 as Range<UInt8> where gaps.rawValue & 1 << bit != 0 { found[1 << bit, default: 0] += 1 }
    }
    report.expect(found == counts.filter { $0.value != 0 }, "gaps: \(found), counted \(counts)")
    for id in lateFinds.keys { report.expect(graph.isLive(id), "\(id), which was found late, has ended") }
    for id in saved { report.expect(graph.isLive(id), "\(id), which was saved, has ended") }
    for place in unprobed.places { report.expect(graph.isLive(place.parent), "the directory of \(place) has ended") }
  }
}
