import FileIdentity
import LinuxFileSystem

/// Something was found that no hint has explained yet.
struct Unexplained: Sendable {
  /// The inode; nothing where the name was missing.
  var key: FileKey?
  /// How many hints of the directory had been followed up.
  var hintCount: Int
  /// When to look again.
  var due: MonotonicTime
}

/// Places where something was found that a later hint should explain; found by what was found there as well.
struct UnexplainedPlaces: Sendable {
  private var table = PlaceTable<Unexplained>()
  private var places = Multimap<FileKey, Place>()

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }
  /// All of them, in no order.
  var allPlaces: [Place] { table.keys }

  subscript(place: Place) -> Unexplained? {
    get { table[place] }
    set {
      // Mostly there are none: a change in place costs two allocations.
      if newValue == nil, table.isEmpty { return }
      if let former = table[place]?.key { places.remove(place, for: former) }
      if let key = newValue?.key { places.insert(place, for: key) }
      table[place] = newValue
    }
  }

  /// Whether an inode was found at one of the places.
  func has(_ key: FileKey) -> Bool { places.hasMembers(key) }

  /// Forgets all places in a directory.
  mutating func removeAll(in directory: NodeID) {
    for place in table.places(in: directory) { self[place] = nil }
  }
}
