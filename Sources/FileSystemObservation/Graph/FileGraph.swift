import FileIdentity
import LinuxFileSystem

/// A name in a directory, whether or not the graph has an entry there.
struct Place: Hashable, Comparable, Sendable {
  var parent: NodeID
  var name: FileName

  static func < (one: Place, other: Place) -> Bool {
    if one.parent != other.parent { return one.parent < other.parent }
    return one.name.bytes.lexicographicallyPrecedes(other.name.bytes)
  }
}

/// The announced state: which UUID is where.
///
/// Entries have parent links instead of paths, so the rename of a directory changes one entry. Tables of five bytes a
/// slot find entries by place, by inode and by UUID.
struct FileGraph: Sendable {
  var storage = GraphStorage()
  var byPlace: NodeIndex
  var byKey: NodeIndex
  var byUUID: NodeIndex
  /// Keyed, so that nobody can choose names or tags that collide.
  let hashing: KeyedHash
  /// The next entries of free slots.
  private var free: [NodeID] = []
  /// Entries removed since the last `reuseRemoved()`; their slots may still be in use.
  private var removed: [NodeID] = []
  var nameLists = NameLists()
  /// The number of files announced as being copied, by directory.
  private var copyingCounts: [NodeID: Int] = [:]
  private var deviceNumbers: [UInt64: UInt16] = [:]
  /// The entries as of the last change set; empty before the first.
  private(set) var formerEntries = FormerEntries()
  private var remembersFormer = false

  /// The number of entries without the root.
  private(set) var count = 0
  private(set) var directoryCount = 0

  /// Makes a graph of a root alone.
  ///
  /// - Parameter capacity: The number of entries for which no table has to grow.
  init(root key: FileKey, uuid: UUIDBits, capacity: Int = 0, seed: UInt64 = .random(in: 0 ... .max)) {
    hashing = KeyedHash(seed: seed)
    byPlace = NodeIndex(capacity: capacity)
    byKey = NodeIndex(capacity: capacity)
    byUUID = NodeIndex(capacity: capacity)
    let device = Self.device(key.device, &deviceNumbers, &storage.devices)
    let empty = FileName(bytes: [])
    var node = Node(
      uuid: uuid, inode: key.inode, born: key.born, modified: 0, size: 0, parent: .root, nameOffset: 0,
      device: device, nameCount: 0, kind: .directory, flags: [.live])
    node.nameOffset = storage.names.append(empty.span)
    storage.nodes.append(node)
    indexIdentity(.root)
  }

  /// Makes a graph from a stored one, with which it shares the memory of the entries but not the tables.
  init(_ storage: GraphStorage, seed: UInt64 = .random(in: 0 ... .max)) {
    var conflicts: Int?
    self.init(storage, seed: seed, countingConflicts: &conflicts)
  }

  /// Makes a graph from a stored one.
  ///
  /// - Parameter conflicts: If not `nil`, counts entries that have the name of another, or its UUID.
  init(_ storage: GraphStorage, seed: UInt64, countingConflicts conflicts: inout Int?) {
    self.init(root: .unseen, uuid: UUIDBits(high: 0, low: 0), seed: seed)
    guard storage.nodes.count > 0 else { return }
    self.storage = storage
    let numbers = storage.devices.enumerated().map { ($1, UInt16(clamping: $0)) }
    deviceNumbers = Dictionary(numbers) { first, _ in first }
    byPlace = NodeIndex(capacity: storage.nodes.count)
    byKey = NodeIndex(capacity: storage.nodes.count)
    byUUID = NodeIndex(capacity: storage.nodes.count)
    let furtherNames = storage.furtherNames
    var hashes = InlineArray<32, UInt64>(repeating: 0)
    for index in 0..<storage.nodes.count {
      if index % hashes.count == 0 { prefetchPlaces(from: index, &hashes) }
      enterStored(storage.id(at: index), hashes[index % hashes.count], furtherNames, &conflicts)
    }
  }

  /// Has the processor fetch the table slots of several entries at once, instead of waiting for memory with each.
  private func prefetchPlaces(from start: Int, _ hashes: inout InlineArray<32, UInt64>) {
    for index in start..<min(start + hashes.count, storage.nodes.count) {
      let id = storage.id(at: index)
      guard isLive(id) else { continue }
      hashes[index - start] = Self.placeHash(id, storage, hashing)
      byPlace.prefetch(hashes[index - start])
      byKey.prefetch(Self.keyHash(key(id), hashing))
      byUUID.prefetch(hashing(self[id].uuid))
    }
  }

  private mutating func enterStored(
    _ id: NodeID, _ placeHash: UInt64, _ furtherNames: ChangeMarks, _ conflicts: inout Int?
  ) {
    guard isLive(id) else { return free.append(id.successor) }
    if conflicts != nil, isTaken(id, placeHash, furtherNames) { conflicts? += 1 }
    if !furtherNames.contains(id.index) { indexKeptIdentity(of: id) }
    guard id != .root else { return }
    enterPlace(id, placeHash)
    count += 1
    if self[id].kind == .directory { directoryCount += 1 }
    if self[id].flags.contains(.copying) { countCopying(in: self[id].parent, 1) }
  }

  /// Whether another entry has this one's place, or its UUID.
  private func isTaken(_ id: NodeID, _ placeHash: UInt64, _ furtherNames: ChangeMarks) -> Bool {
    let node = self[id]
    let isSame = byPlace.find(placeHash) { other in
      let known = self[other]
      return known.parent == node.parent && known.nameCount == node.nameCount
        && storage.names.areSame(at: known.nameOffset, and: node.nameOffset, count: Int(node.nameCount))
    }
    return isSame != nil || !furtherNames.contains(id.index) && self.node(with: node.uuid) != nil
  }

  /// An entry, with the record of its file.
  subscript(id: NodeID) -> Node {
    let node = storage.nodes[id.index]
    return node.flags.contains(.furtherName) ? withRecord(node) : node
  }

  @inline(never) private func withRecord(_ name: Node) -> Node {
    guard let oldest = node(with: name.uuid) else { return name }
    var node = name
    node.takeRecord(of: storage.nodes[oldest.index])
    return node
  }

  /// The entry that holds the record of a file: its oldest name.
  func holder(ofRecordOf id: NodeID) -> NodeID {
    let node = storage.nodes[id.index]
    return node.flags.contains(.furtherName) ? self.node(with: node.uuid) ?? id : id
  }

  func isLive(_ id: NodeID) -> Bool { storage.isLive(id) }
  func key(_ id: NodeID) -> FileKey { storage.key(holder(ofRecordOf: id)) }
  func name(_ id: NodeID) -> FileName { storage.name(id) }
  func place(_ id: NodeID) -> Place { Place(parent: storage.nodes[id.index].parent, name: storage.name(id)) }

  /// The number by which nodes name a device.
  mutating func deviceNumber(_ device: UInt64) -> UInt16 { Self.device(device, &deviceNumbers, &storage.devices) }

  private static func device(
    _ device: UInt64, _ numbers: inout [UInt64: UInt16], _ devices: inout [UInt64]
  ) -> UInt16 {
    // Nearly always there is one device.
    if devices.last == device { return UInt16(clamping: devices.count - 1) }
    if let number = numbers[device] { return number }
    // 65,535 mounted file systems below one folder are not expected (fs.mount-max is 100,000 in all).
    let number = UInt16(clamping: devices.count)
    devices.append(device)
    numbers[device] = number
    return number
  }
}

// MARK: - Changing

extension FileGraph {
  struct Content: Sendable {
    var uuid: UUIDBits
    var key: FileKey
    var kind: FileKind
    var modified: Int64
    var size: Int64
    var flags: NodeFlags = []
  }

  /// Adds an entry at a place that has none; with a known UUID, it is a further name of that file, and shares its record.
  @discardableResult
  mutating func insert(_ content: Content, named name: Span<UInt8>, in parent: NodeID) -> NodeID {
    assert(isLive(parent) && node(named: name, in: parent) == nil, "an entry goes to a free place")
    let id = store(content, named: name, in: parent)
    if remembersFormer { formerEntries.rememberAbsence(of: id) }
    attach(id)
    indexIdentity(id)
    return id
  }

  mutating func store(_ content: Content, named name: Span<UInt8>, in parent: NodeID) -> NodeID {
    count += 1
    if content.kind == .directory { directoryCount += 1 }
    var node = Node(
      uuid: content.uuid, inode: content.key.inode, born: content.key.born, modified: content.modified,
      size: content.kind == .directory ? 0 : content.size, parent: parent, nameOffset: storage.names.append(name),
      device: deviceNumber(content.key.device),
      nameCount: UInt16(clamping: name.count), kind: content.kind, flags: content.flags.union(.live))
    if let id = free.popLast() {
      node.generation = id.generation
      storage.nodes[id.index] = node
      return id
    }
    storage.nodes.append(node)
    return NodeID(index: storage.nodes.count - 1)
  }

  /// Removes an entry that has nothing below it.
  mutating func remove(_ id: NodeID) {
    assert(isLive(id) && !storage.hasChildren(id) && id != .root, "only a leaf can be removed, and only once")
    remember(id)
    unindexIdentity(id)
    detach(id)
    storage.names.discard(count: Int(self[id].nameCount))
    if self[id].kind == .directory { directoryCount -= 1 }
    storage.nodes[id.index].flags = []
    removed.append(id)
    count -= 1
  }

  /// Begins a change set: the present entries become the former ones.
  mutating func beginChangeSet() {
    remembersFormer = true
    formerEntries.removeAll()
    compactNamesIfNeeded()
  }

  /// Records whether a new entry is still unannounced.
  mutating func setUnannounced(_ id: NodeID, _ isUnannounced: Bool) {
    if remembersFormer { formerEntries.setUnannounced(id, isUnannounced) }
  }

  mutating func remember(_ id: NodeID) {
    if remembersFormer { formerEntries.remember(id, storage.nodes[id.index]) }
  }

  /// Makes the slots of removed entries reusable.
  mutating func reuseRemoved() {
    free.append(contentsOf: removed.lazy.map(\.successor))
    removed.removeAll(keepingCapacity: true)
  }

  /// Moves an entry, with what is below it, to a place that has none.
  mutating func move(_ id: NodeID, to place: Place) {
    takeOut(id)
    putIn(id, at: place)
  }

  /// Exchanges the places of two entries, neither of which lies below the other.
  mutating func exchange(_ first: NodeID, _ second: NodeID) {
    move([(first, place(second)), (second, place(first))])
  }

  /// Moves entries at once.
  ///
  /// Their new places must have no other entries. In the end, each entry must be below the root.
  mutating func move(_ moves: [(id: NodeID, place: Place)]) {
    for move in moves { takeOut(move.id) }
    for move in moves { putIn(move.id, at: move.place) }
  }

  /// Removes an entry from its directory, with what is below it; `putIn(_:at:)` must follow.
  mutating func takeOut(_ id: NodeID) {
    remember(id)
    detach(id)
  }

  /// Puts an entry that was taken out at a place that has none.
  mutating func putIn(_ id: NodeID, at place: Place) {
    assert(isLive(id) && isLive(place.parent) && node(at: place) == nil, "an entry goes to a free place")
    storage.names.discard(count: Int(self[id].nameCount))
    storage.nodes[id.index].parent = place.parent
    storage.nodes[id.index].nameOffset = storage.names.append(place.name.span)
    storage.nodes[id.index].nameCount = UInt16(clamping: place.name.count)
    attach(id)
  }

  /// Whether a file in a directory is announced as being copied.
  func hasCopying(in directory: NodeID) -> Bool { copyingCounts[directory] != nil }

  /// Whether any file is announced as being copied.
  var hasCopying: Bool { !copyingCounts.isEmpty }

  /// Counts files that begin or cease to be announced as being copied.
  mutating func countCopying(in directory: NodeID, _ change: Int) {
    let count = copyingCounts[directory, default: 0] + change
    copyingCounts[directory] = count > 0 ? count : nil
  }
}
