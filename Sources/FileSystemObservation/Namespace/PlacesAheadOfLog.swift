import FileIdentity
import LinuxFileSystem

/// Places where something was found that a later hint should explain; found by what was found there as well.
struct PlacesAheadOfLog: Sendable {
  private struct Find: Sendable {
    /// The inode; nothing where the name was missing.
    var key: FileKey?
    /// How many hints of the directory had been followed.
    var hintCount: Int
    /// When to look again.
    var due: MonotonicTime
  }

  private var table = PlaceTable<Find>()
  private var places = Multimap<FileKey, Place>()
  /// How many hints have come of the directories of these places.
  private var hintCounts: [NodeID: Int] = [:]

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }
  /// All of them, in no order.
  var allPlaces: [Place] { table.keys }

  func contains(_ place: Place) -> Bool { table[place] != nil }

  /// Whether an inode was found at a place, and not that the name was missing.
  func hasInode(at place: Place) -> Bool { table[place]?.key != nil }

  /// When to look again at a place.
  func due(_ place: Place) -> MonotonicTime? { table[place]?.due }

  /// Whether an inode was found at one of the places.
  func has(_ key: FileKey) -> Bool { places.hasMembers(key) }

  /// Whether this was found at a place before, and no hint of its directory has come since.
  func isConfirmed(_ key: FileKey?, at place: Place) -> Bool {
    guard let found = table[place] else { return false }
    return found.key == key && found.hintCount == hintCounts[place.parent]
  }

  /// A hint of a directory was followed.
  mutating func noteHint(in directory: NodeID) {
    if let count = hintCounts[directory] { hintCounts[directory] = count + 1 }
  }

  mutating func insert(_ key: FileKey?, at place: Place, due: MonotonicTime) {
    if isEmpty { hintCounts.removeAll() }
    remove(place)
    if let key { places.insert(place, for: key) }
    table[place] = Find(key: key, hintCount: hintCounts[place.parent, default: 0], due: due)
    hintCounts[place.parent, default: 0] += 0
  }

  mutating func remove(_ place: Place) {
    if let key = table.removeValue(forKey: place)?.key { places.remove(place, for: key) }
  }

  /// Forgets all places in a directory.
  mutating func removeAll(in directory: NodeID) {
    for place in table.places(in: directory) { remove(place) }
    hintCounts[directory] = nil
  }
}
