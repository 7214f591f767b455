/// The scans that are under way: what one finds may request another one, which is then made in between.
///
/// A scan lists ahead of what it compares. A listing that it made before the nested scan listed the directory again is
/// older than what is known by then.
struct NestedScans: Sendable {
  /// The number of scans that are under way.
  private(set) var depth = 0
  private var last = 0
  /// The number of the scan in which all others are nested.
  private var outermost = 0
  /// The last nested scan that compared a directory.
  private var comparisons: [NodeID: Int] = [:]

  /// Begins a scan; returns its number.
  mutating func begin() -> Int {
    depth += 1
    let number = beginListing()
    if depth == 1 { outermost = number }
    return number
  }

  /// Begins to list a single directory; returns the number of that scan.
  mutating func beginListing() -> Int {
    last += 1
    return last
  }

  /// Ends the latest scan; returns whether no other is under way.
  mutating func end() -> Bool {
    depth -= 1
    if depth == 0 { comparisons = [:] }
    return depth == 0
  }

  /// A scan compares a directory; returns whether another one has, which began later.
  mutating func compare(_ directory: NodeID, by scan: Int) -> Bool {
    if let other = comparisons[directory], other > scan { return true }
    if depth > 0, scan != outermost { comparisons[directory] = scan }
    return false
  }
}
