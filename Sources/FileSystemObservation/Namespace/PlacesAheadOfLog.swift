import FileEvents
import FileIdentity
import LinuxFileSystem

/// Places where a look found something before the kernel's event for it was read; with an index by inode.
struct PlacesAheadOfLog: Sendable {
  private struct Find: Sendable {
    /// The inode; `nil` if the name was missing.
    var key: FileKey?
    /// The number of hints of the directory that had been replayed.
    var hintCount: Int
    /// When the place was first found to differ.
    var since: MonotonicTime
    /// When to look again.
    var due: MonotonicTime
    /// What the hints said that asked for the look.
    var kinds: HintKinds
  }

  private var table = PlaceTable<Find>()
  private var places = Multimap<FileKey, Place>()
  /// The number of hints replayed of each of these directories.
  private var hintCounts: [NodeID: Int] = [:]
  /// Whether a missing directory was found at one of the places, when that was noted last: once a step, for each new
  /// directory asks.
  var hasFolders = false

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }
  /// All places, in no order.
  var allPlaces: [Place] { table.keys }

  func contains(_ place: Place) -> Bool { table[place] != nil }

  /// Whether an inode was found at a place, rather than a missing name.
  func hasInode(at place: Place) -> Bool { key(at: place) != nil }

  /// The inode that was found at a place.
  func key(at place: Place) -> FileKey? { table[place]?.key }

  /// The places where an inode was found, in no order.
  func places(of key: FileKey) -> [Place] { places.members(of: key) }

  func due(_ place: Place) -> MonotonicTime? { table[place]?.due }

  func has(_ key: FileKey) -> Bool { places.hasMembers(key) }

  /// Whether an earlier look found the same, and no hint of the directory has come since.
  func isConfirmed(_ key: FileKey?, at place: Place) -> Bool {
    guard let found = table[place] else { return false }
    return found.key == key && found.hintCount == hintCounts[place.parent]
  }

  mutating func noteHint(in directory: NodeID) {
    if let count = hintCounts[directory] { hintCounts[directory] = count + 1 }
  }

  /// Whether anything was found by a time.
  func hasFinds(until moment: MonotonicTime) -> Bool {
    table.keys.contains { table[$0].map { $0.since <= moment } ?? false }
  }

  mutating func insert(
    _ key: FileKey?, at place: Place, _ now: MonotonicTime, due: MonotonicTime, _ kinds: HintKinds
  ) {
    if isEmpty { hintCounts.removeAll() }
    let since = table[place]?.since ?? now
    let kinds = remove(place).union(kinds)
    if let key { places.insert(place, for: key) }
    table[place] = Find(
      key: key, hintCount: hintCounts[place.parent, default: 0], since: since, due: due, kinds: kinds)
    hintCounts[place.parent, default: 0] += 0
  }

  /// Removes a find; returns what the hints said that asked for the look.
  @discardableResult
  mutating func remove(_ place: Place) -> HintKinds {
    guard let find = table.removeValue(forKey: place) else { return [] }
    if let key = find.key { places.remove(place, for: key) }
    return find.kinds
  }

  mutating func removeAll(in directory: NodeID) {
    for place in table.places(in: directory) { remove(place) }
    hintCounts[directory] = nil
  }
}
