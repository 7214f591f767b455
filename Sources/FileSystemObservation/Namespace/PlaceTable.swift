import LinuxFileSystem

/// Values by place, grouped by directory.
struct PlaceTable<Value: Sendable>: Sendable {
  private var directories: [NodeID: [FileName: Value]] = [:]
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  subscript(place: Place) -> Value? {
    get { directories[place.parent]?[place.name] }
    // Not `_modify`: a dictionary's accessor allocates memory for each call.
    set {
      guard let newValue else {
        removeValue(forKey: place)
        return
      }
      guard let index = directories.index(forKey: place.parent) else {
        directories[place.parent] = [place.name: newValue]
        count += 1
        return
      }
      if directories.values[index].updateValue(newValue, forKey: place.name) == nil { count += 1 }
    }
  }

  @discardableResult
  mutating func removeValue(forKey place: Place) -> Value? {
    guard let index = directories.index(forKey: place.parent),
      let value = directories.values[index].removeValue(forKey: place.name)
    else { return nil }
    count -= 1
    if directories.values[index].isEmpty { directories.remove(at: index) }
    return value
  }

  /// Changes a value in place, and returns it, if there is one.
  @discardableResult
  mutating func update(_ place: Place, _ change: (inout Value) -> Void) -> Value? {
    guard let index = directories.index(forKey: place.parent),
      let entry = directories.values[index].index(forKey: place.name)
    else { return nil }
    change(&directories.values[index].values[entry])
    return directories.values[index].values[entry]
  }

  /// The places in a directory, sorted by name.
  func places(in directory: NodeID) -> [Place] {
    directories[directory]?.keys.map { Place(parent: directory, name: $0) }.sorted() ?? []
  }

  func hasPlaces(in directory: NodeID) -> Bool { directories[directory] != nil }

  mutating func removeAll(in directory: NodeID) {
    count -= directories.removeValue(forKey: directory)?.count ?? 0
  }

  /// All places, in no order.
  var keys: [Place] {
    directories.flatMap { directory, names in names.keys.map { Place(parent: directory, name: $0) } }
  }
}

struct PlaceSet: Sendable {
  private var table = PlaceTable<Bool>()

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }

  func contains(_ place: Place) -> Bool { table[place] != nil }

  mutating func insert(_ place: Place) { table[place] = true }

  /// Removes a place; returns whether the set had it.
  @discardableResult
  mutating func remove(_ place: Place) -> Bool { table.removeValue(forKey: place) != nil }

  /// All places, in no order.
  var places: [Place] { table.keys }

  mutating func removeAll(in directory: NodeID) { table.removeAll(in: directory) }
}
