/// Sets of members by key; most keys have one member, which is kept without a set.
struct Multimap<Key: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  private enum Members: Sendable {
    case one(Member)
    case several(Set<Member>)
  }

  private var groups: [Key: Members] = [:]

  /// The number of keys that have members.
  var keyCount: Int { groups.count }
  var isEmpty: Bool { groups.isEmpty }

  /// Adds a member, unless the key has it already.
  mutating func insert(_ member: Member, for key: Key) {
    switch groups.removeValue(forKey: key) {
    case nil: groups[key] = .one(member)
    case .one(let only): groups[key] = only == member ? .one(only) : .several([only, member])
    case .several(var members):
      members.insert(member)
      groups[key] = .several(members)
    }
  }

  /// Removes a member, if the key has it.
  mutating func remove(_ member: Member, for key: Key) {
    switch groups[key] {
    case nil: return
    case .one(let only): if only == member { groups[key] = nil }
    case .several(var members):
      // Takes the set out of the dictionary, so that it is changed in place.
      groups[key] = nil
      members.remove(member)
      if !members.isEmpty { groups[key] = .several(members) }
    }
  }

  func hasMembers(_ key: Key) -> Bool { groups[key] != nil }

  func count(of key: Key) -> Int {
    switch groups[key] {
    case nil: 0
    case .one: 1
    case .several(let members): members.count
    }
  }

  /// The members of a key, in no order.
  func members(of key: Key) -> [Member] {
    switch groups[key] {
    case nil: []
    case .one(let only): [only]
    case .several(let members): Array(members)
    }
  }

  /// The members of all keys, in no order.
  var allMembers: [Member] { groups.keys.flatMap(members) }

  func contains(_ key: Key, where accepts: (Member) -> Bool) -> Bool {
    switch groups[key] {
    case nil: false
    case .one(let only): accepts(only)
    case .several(let members): members.contains(where: accepts)
    }
  }
}

extension Dictionary where Value == Int {
  /// Decrements a count, and removes it at zero.
  mutating func countDown(_ key: Key) {
    guard let count = self[key] else { return }
    self[key] = count > 1 ? count - 1 : nil
  }
}
