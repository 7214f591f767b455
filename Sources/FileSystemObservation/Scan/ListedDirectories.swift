/// The directories whose listings are still to come, by the numbers of those: they are given one after the other, so
/// that an array holds them.
struct ListedDirectories {
  private static let none = UInt32.max

  private var ids: ContiguousArray<UInt32> = []

  /// Takes note of a directory whose listing will have this number.
  mutating func note(_ id: NodeID, listing number: UInt32) {
    let index = Int(number)
    if index >= ids.count { ids.append(contentsOf: repeatElement(Self.none, count: index + 1 - ids.count)) }
    ids[index] = id.rawValue
  }

  /// The directory that a listing is of, once; nothing where it was not noted.
  mutating func take(listing number: UInt32) -> NodeID? {
    let index = Int(number)
    guard index < ids.count, ids[index] != Self.none else { return nil }
    defer { ids[index] = Self.none }
    return NodeID(ids[index])
  }
}
