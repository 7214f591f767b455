import FileIdentity
import FileTestSupport
import LinuxFileSystem

@testable import FileSystemObservation

/// A graph, and the same entries in plain dictionaries.
struct GraphModel {
  private struct Item: Equatable {
    var place: Place
    var number: UInt64
    var kind: FileKind
    var flags: NodeFlags = []
  }

  private(set) var graph = FileGraph(root: Self.key(1), uuid: UUIDBits(high: 0, low: 1), seed: 7)
  private var items: [NodeID: Item] = [:]
  /// The items as of the last change set.
  private var former: [NodeID: Item] = [:]
  /// The names of each file, oldest first.
  private var names: [UInt64: [NodeID]] = [:]
  /// Entries that were removed lately: none of their numbers is used again in fewer than 16 removals.
  private var ended: [NodeID] = []
  private var lastNumber: UInt64 = 1
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    graph.beginChangeSet()
  }

  var count: Int { items.count }

  private static func key(_ number: UInt64) -> FileKey { FileKey(device: number % 3, inode: number, born: 1) }
  private static func uuid(_ number: UInt64) -> UUIDBits { UUIDBits(high: number % 2, low: number) }

  private static func content(_ item: Item) -> FileGraph.Content {
    FileGraph.Content(
      uuid: uuid(item.number), key: key(item.number), kind: item.kind, modified: 0, size: 0, flags: item.flags)
  }
}

// MARK: - Changes

extension GraphModel {
  /// Does one thing, chosen at random.
  mutating func step() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: insert(item(isDirectory: random.chance(1, of: 2)))
    case 3: insertFurtherName()
    case 4, 5: remove()
    case 6: move()
    case 7: exchange()
    case 8: rotate()
    case 9: setFlags()
    case 10: setIdentity()
    default: beginChangeSet()
    }
  }

  private mutating func item(isDirectory: Bool) -> Item? {
    lastNumber += 1
    return freePlace().map { Item(place: $0, number: lastNumber, kind: isDirectory ? .directory : .file) }
  }

  private mutating func insert(_ item: Item?) {
    guard let item, items.count < 40 else { return }
    let id = graph.insert(Self.content(item), named: item.place.name.span, in: item.place.parent)
    items[id] = item
    names[item.number, default: []].append(id)
  }

  private mutating func insertFurtherName() {
    guard let known = anyID(where: { $0.kind == .file }).flatMap({ items[$0] }), let place = freePlace() else { return }
    insert(Item(place: place, number: known.number, kind: .file, flags: known.flags.intersection(.ofFile)))
  }

  private mutating func remove() {
    let parents = Set(items.values.map(\.place.parent))
    guard let id = ids().filter({ !parents.contains($0) }).randomElement(using: &random) else { return }
    graph.remove(id)
    forgetName(id)
    items[id] = nil
    ended = ended.suffix(11) + [id]
  }

  private mutating func move() {
    guard let id = anyID(), let place = freePlace(), !isBelow(place.parent, id) else { return }
    graph.move(id, to: place)
    items[id]?.place = place
  }

  private mutating func exchange() {
    guard let one = anyID(), let other = anyID(), one != other, !isBelow(one, other), !isBelow(other, one) else {
      return
    }
    graph.exchange(one, other)
    swapPlaces(one, other)
  }

  /// Three entries of one directory take each other's names.
  private mutating func rotate() {
    guard let parent = anyID().flatMap({ items[$0]?.place.parent }) else { return }
    let some = ids().filter { items[$0]?.place.parent == parent }.shuffled(using: &random).prefix(3)
    let places = some.compactMap { items[$0]?.place }
    guard some.count == 3 else { return }
    let moves = zip(some, places.dropFirst() + places.prefix(1)).map { (id: $0, place: $1) }
    graph.move(moves)
    for move in moves { items[move.id]?.place = move.place }
  }

  private mutating func setFlags() {
    let flag: NodeFlags = [.unresolved, .copying, .tagUnread].randomElement(using: &random) ?? .tagged
    guard let id = anyID(), let item = items[id] else { return }
    graph.setFlags(id, flag, !item.flags.contains(flag))
    let changed = NodeFlags.ofFile.contains(flag) ? names[item.number, default: []] : [id]
    for id in changed { items[id]?.flags.formSymmetricDifference(flag) }
  }

  private mutating func setIdentity() {
    guard let id = anyID(), let known = items[id] else { return }
    lastNumber += 1
    let joins = known.kind == .file && random.chance(1, of: 2)
    let other = joins ? anyID { $0.kind == .file && $0.number != known.number }.flatMap { items[$0] } : nil
    let number = other?.number ?? lastNumber
    let flags = (other ?? known).flags.intersection(.ofFile)
    graph.setIdentity(id, uuid: Self.uuid(number), key: Self.key(number))
    forgetName(id)
    items[id]?.number = number
    items[id]?.flags = known.flags.subtracting(.ofFile).union(flags)
    names[number, default: []].append(id)
  }

  private mutating func beginChangeSet() {
    graph.beginChangeSet()
    former = items
    if random.chance(1, of: 2) { graph.reuseRemoved() }
  }

  private mutating func swapPlaces(_ one: NodeID, _ other: NodeID) {
    guard let first = items[one]?.place, let second = items[other]?.place else { return }
    items[one]?.place = second
    items[other]?.place = first
  }

  private mutating func forgetName(_ id: NodeID) {
    guard let number = items[id]?.number else { return }
    names[number]?.removeAll { $0 == id }
    if names[number]?.isEmpty == true { names[number] = nil }
  }

  private func ids() -> [NodeID] { items.keys.sorted { $0.rawValue < $1.rawValue } }

  private mutating func anyID(where isWanted: (Item) -> Bool = { _ in true }) -> NodeID? {
    ids().filter { id in items[id].map(isWanted) ?? false }.randomElement(using: &random)
  }

  private mutating func freePlace() -> Place? {
    let parent = random.chance(1, of: 3) ? .root : anyID { $0.kind == .directory } ?? .root
    let place = Place(parent: parent, name: FileName("n\(Int.random(in: 0..<60, using: &random))"))
    return items.values.contains { $0.place == place } ? nil : place
  }

  private func isBelow(_ id: NodeID, _ directory: NodeID) -> Bool {
    var current = id
    while current != .root {
      if current == directory { return true }
      current = items[current]?.place.parent ?? .root
    }
    return false
  }
}

// MARK: - Comparing

extension GraphModel {
  /// What the graph says otherwise than the dictionaries.
  func differences() -> [String] {
    (countDifferences() + items.flatMap { differences(of: $0, $1) } + childDifferences() + endedDifferences()
      + formerDifferences() + nameDifferences(of: graph))
  }

  private func countDifferences() -> [String] {
    let directories = items.values.count { $0.kind == .directory }
    var found: [String] = []
    if graph.count != items.count { found.append("\(graph.count) entries instead of \(items.count)") }
    if graph.directoryCount != directories { found.append("\(graph.directoryCount) directories") }
    let copying = items.values.filter { $0.flags.contains(.copying) }
    if graph.hasCopying != !copying.isEmpty { found.append("copying: \(graph.hasCopying)") }
    return found
  }

  private func differences(of id: NodeID, _ item: Item) -> [String] {
    var found: [String] = []
    func expect(_ holds: Bool, _ what: String) { if !holds { found.append("\(id): \(what)") } }
    expect(graph.isLive(id), "is not live")
    expect(graph.place(id) == item.place && graph.node(at: item.place) == id, "is at \(graph.place(id))")
    expect(graph.key(id) == Self.key(item.number) && graph[id].uuid == Self.uuid(item.number), "is another")
    let flags = graph[id].flags.subtracting([.live, .furtherName])
    expect(graph[id].kind == item.kind && flags == item.flags, "has \(flags)")
    expect(graph.storage.isEntry(id, inside: item.place.parent), "is not in its directory")
    var path: [UInt8] = []
    graph.storage.appendPath(of: id, to: &path)
    expect(String(decoding: path, as: UTF8.self) == self.path(id), "has the path \(path)")
    return found
  }

  private func path(_ id: NodeID) -> String {
    guard let item = items[id] else { return "" }
    let above = path(item.place.parent)
    return above.isEmpty ? item.place.name.description : "\(above)/\(item.place.name)"
  }

  /// The lists of the entries of directories, in both directions.
  private func childDifferences() -> [String] {
    let directories = [.root] + items.filter { $0.value.kind == .directory }.map(\.key)
    return directories.compactMap { directory in
      let children = graph.storage.children(of: directory)
      let expected = Set(items.filter { $0.value.place.parent == directory }.keys)
      let links = children.map { Node.id(graph[$0].previousSibling) }
      let isLinked = links == [nil] + children.dropLast().map { Optional($0) } || children.isEmpty
      let copies = expected.contains { items[$0]?.flags.contains(.copying) == true }
      let isCounted = graph[directory].size == Int64(expected.count) && graph.hasCopying(in: directory) == copies
      if Set(children) == expected, children.count == expected.count, isLinked, isCounted { return nil }
      return "\(directory) has \(children) instead of \(expected)"
    }
  }

  private func endedDifferences() -> [String] { ended.filter { graph.isLive($0) }.map { "\($0) is live" } }

  private func formerDifferences() -> [String] {
    Set(former.keys).union(items.keys).compactMap { id in
      let (known, expected) = (graph.former(id), former[id])
      guard let known, let expected else {
        return (known == nil) == (expected == nil) ? nil : "\(id) was \(expected.map { "\($0)" } ?? "not there")"
      }
      let name = FileName(bytes: graph.nameBytes(known))
      let isSame = known.uuid == Self.uuid(expected.number) && known.parent == expected.place.parent
      return isSame && name == expected.place.name ? nil : "\(id) was \(expected.place)"
    }
  }

  /// The names of each file; the oldest is found by inode and UUID.
  func nameDifferences(of graph: FileGraph) -> [String] {
    names.compactMap { number, expected in
      guard let oldest = expected.first else { return nil }
      let isFound = graph.node(with: Self.key(number)) == oldest && graph.node(with: Self.uuid(number)) == oldest
      let hasOthers = expected.allSatisfy { graph.hasOtherNames($0) == (expected.count > 1) }
      let flagged = expected.filter { items[$0]?.flags.contains(.unresolved) == true }
      let isFlagged = Set(graph.names(of: oldest, with: .unresolved)) == Set(flagged)
      let isCounted = graph.nameCount(of: oldest) == expected.count
      if isFound, hasOthers, isFlagged, isCounted, graph.names(of: oldest) == expected { return nil }
      return "file \(number) has the names \(graph.names(of: oldest)) instead of \(expected)"
    }
  }

  /// The same for a graph that is made anew from the memory of this one.
  func differencesOfCopy() -> [String] {
    let copy = FileGraph(graph.storage, seed: 99)
    let lost = items.filter { copy.node(at: $0.value.place) != $0.key }.map { "\($0.key) is not found in the copy" }
    return lost + nameDifferences(of: copy) + (copy.count == items.count ? [] : ["\(copy.count) in the copy"])
  }
}
