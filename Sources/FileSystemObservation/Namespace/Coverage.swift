import LinuxFileSystem

/// The parts of the tree that could not be looked at.
///
/// Nothing in a gap counts as gone, and the original of a copy may be in one.
struct Coverage: Sendable {
  /// Why the state of a directory or an entry is not known.
  struct Gaps: OptionSet, Hashable, Sendable {
    var rawValue: UInt8

    static let unlistable = Self(rawValue: 1 << 0)
    /// Hints of the directory could not be replayed, because it was unresolved: it must be listed, with everything
    /// below.
    static let needsListing = Self(rawValue: 1 << 1)
    /// The mount of the directory did not answer a listing.
    static let silent = Self(rawValue: 1 << 2)
    /// A mount or unmount happened at the entry or above it, and no look has followed.
    static let covered = Self(rawValue: 1 << 3)

    /// The single kinds.
    static let kinds: [Self] = [.unlistable, .needsListing, .silent, .covered]
  }

  /// An entry that was found while the tree had gaps.
  ///
  /// Which of two with one tag is the original is decided only when both are found.
  struct LateFind: Sendable {
    var until: MonotonicTime
    /// The recovery that found it; what only a later one finds came later.
    var recovery: Int
    /// Whether its UUID was minted because another entry had its tag.
    ///
    /// An inode found later with the minted UUID in its tag is the original: the document may have been saved since.
    var isCopy: Bool
    /// Whether it is a directory whose creation was seen, so that its contents are new.
    var isMade = false
    /// Whether it is a directory that goes on, made anew at its path; `nil` if it is not.
    var replacement: Replacement?

    /// What a directory was when it was taken for a missing one, because of its path.
    enum Replacement: Sendable { case tagged, untagged }
  }

  /// The maximum of late finds kept in a gap, which may never end: a directory may be another user's.
  private static let keptLimit = 4_096

  private var gaps: [NodeID: Gaps] = [:]
  private var counts: [UInt8: Int] = [:]
  /// Places whose occupant could not be looked at.
  private(set) var unprobed = PlaceSet()
  private(set) var lateFinds: [NodeID: LateFind] = [:]
  private var keepsLateFinds = false
  /// Until when arrivals may have been hidden by a gap.
  private var lateUntil: MonotonicTime?
  /// Whether the gap began in the first scan, so that the entry found first may be the copy.
  private var beganInFirstScan = false
  /// Documents saved since the gap began: their inodes are younger than other bearers of their tags.
  private var saved: Set<NodeID> = []
  /// The number of rescans after lost events.
  private(set) var recovery = 0
  /// True from the start of a rescan until every event that came during it has been replayed.
  ///
  /// Until then a missing name is no proof of deletion.
  private(set) var isRescanning = false
}

// MARK: - Gaps

extension Coverage {
  subscript(id: NodeID) -> Gaps { gaps[id] ?? [] }

  func has(_ gap: Gaps, _ id: NodeID) -> Bool { !gaps.isEmpty && self[id].contains(gap) }

  func count(of gap: Gaps) -> Int { counts[gap.rawValue] ?? 0 }

  /// The entries with a gap of a kind, in no order.
  func entries(with gap: Gaps) -> [NodeID] {
    count(of: gap) == 0 ? [] : gaps.filter { $0.value.contains(gap) }.map(\.key)
  }

  /// Sets or ends a gap of one kind; returns whether it changed.
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

  mutating func end(_ gap: Gaps) {
    for id in entries(with: gap) { set(gap, of: id, false) }
  }

  /// Forgets an entry that has ended.
  mutating func forget(_ id: NodeID) {
    for gap in Gaps.kinds { set(gap, of: id, false) }
    lateFinds[id] = nil
    saved.remove(id)
  }

  mutating func forgetPlaces(in directory: NodeID) { unprobed.removeAll(in: directory) }

  mutating func insertUnprobed(_ place: Place) { unprobed.insert(place) }

  /// - Returns: Whether a look at the place had failed.
  mutating func removeUnprobed(_ place: Place) -> Bool { unprobed.remove(place) }
}

// MARK: - Gaps in time

extension Coverage {
  /// Whether originals may be hidden, or were hidden a short while ago.
  func hasGap(_ now: MonotonicTime) -> Bool {
    count(of: .unlistable) > 0 || !unprobed.isEmpty || lateUntil.map { now < $0 } ?? false
  }

  /// Notes that a gap begins, in the first scan or later.
  mutating func beginGap(isStart: Bool, _ now: MonotonicTime) {
    guard !hasGap(now) else { return }
    saved = []
    beganInFirstScan = isStart
  }

  /// Notes that a gap has ended; originals that it hid may be found until `time`.
  mutating func endGap(until time: MonotonicTime) { lateUntil = time }

  /// When late finds are forgotten that outlived their time in a gap.
  var keptUntil: MonotonicTime? { keepsLateFinds ? lateUntil : nil }

  mutating func noteSaved(_ id: NodeID, _ now: MonotonicTime) {
    lateFinds[id] = nil
    if hasGap(now) { saved.insert(id) }
  }

  /// Whether an entry found in a gap of the first scan may be the copy.
  func mayBeCopy(_ id: NodeID, _ now: MonotonicTime) -> Bool { hasGap(now) && beganInFirstScan && !saved.contains(id) }
}

// MARK: - Recovery and late finds

extension Coverage {
  mutating func beginFirstScan() { isRescanning = true }

  /// Begins a rescan after lost events; it gets a new number if the tree had no gaps, so that its finds came later.
  mutating func beginRecovery(_ now: MonotonicTime) {
    if !isRescanning, !hasGap(now) { recovery += 1 }
    isRescanning = true
  }

  /// Begins a state like a rescan, because too many places are unordered.
  mutating func doubtEverything() { isRescanning = true }

  mutating func endRecovery() { isRescanning = false }

  mutating func noteLateFind(
    _ id: NodeID, until: MonotonicTime, isCopy: Bool, isMade: Bool, replacement: LateFind.Replacement? = nil
  ) {
    lateFinds[id] = LateFind(
      until: until, recovery: recovery, isCopy: isCopy, isMade: isMade, replacement: replacement)
  }

  mutating func forgetLateFind(_ id: NodeID) { lateFinds[id] = nil }

  /// Forgets a late find at its time; in a gap it is kept until the gap ends.
  mutating func expireLateFind(_ id: NodeID, at time: MonotonicTime, _ now: MonotonicTime) {
    guard lateFinds[id]?.until == time else { return }
    if hasGap(now), lateFinds.count <= Self.keptLimit {
      keepsLateFinds = true
    } else {
      lateFinds[id] = nil
    }
  }

  /// Forgets the late finds that were kept for a gap.
  mutating func forgetKept(_ now: MonotonicTime) {
    guard keepsLateFinds, !hasGap(now) else { return }
    keepsLateFinds = false
    lateFinds = lateFinds.filter { $0.value.until > now }
  }

  func checkInvariants(_ graph: FileGraph, _ report: inout InvariantReport) {
    var found: [UInt8: Int] = [:]
    for (id, gaps) in gaps {
      report.expect(graph.isLive(id), "\(id), which has a gap, has ended")
      for gap in Gaps.kinds where gaps.contains(gap) { found[gap.rawValue, default: 0] += 1 }
    }
    report.expect(found == counts.filter { $0.value != 0 }, "gaps: \(found), counted \(counts)")
    for id in lateFinds.keys { report.expect(graph.isLive(id), "\(id), which was found late, has ended") }
    for id in saved { report.expect(graph.isLive(id), "\(id), which was saved, has ended") }
    for place in unprobed.places { report.expect(graph.isLive(place.parent), "the directory of \(place) has ended") }
  }
}
