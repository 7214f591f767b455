/// Directories that wait for their listings, by listing number; the numbers are consecutive.
struct ListedDirectories {
  private static let none = UInt32.max

  private var ids: ContiguousArray<UInt32> = []

  /// Adds a directory whose listing will have this number.
  mutating func note(_ id: NodeID, listing number: UInt32) {
    let index = Int(number)
    if index >= ids.count { ids.append(contentsOf: repeatElement(Self.none, count: index + 1 - ids.count)) }
    ids[index] = id.rawValue
  }

  /// Takes the directory of a listing out; `nil` if it was not added.
  mutating func take(listing number: UInt32) -> NodeID? {
    let index = Int(number)
    guard index < ids.count, ids[index] != Self.none else { return nil }
    defer { ids[index] = Self.none }
    return NodeID(rawValue: ids[index])
  }
}
