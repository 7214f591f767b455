import FileIdentity
import LinuxFileSystem

/// One entry, in 80 bytes: a name in a directory, and the record of its file.
///
/// The names of a file share one record: that in its oldest name. `FileGraph` reads it for all of them.
struct Node: Sendable {
  /// The identity, by which a further name finds the record.
  var uuid: UUIDBits
  var inode: UInt64
  var born: Int64
  /// The last known modification time.
  var modified: Int64
  /// The number of bytes of a file, or of entries of a directory.
  var size: Int64
  var parent: NodeID
  /// The first entry of a directory; `noNode` if there is none.
  var firstChild: UInt32 = Node.noNode
  var nextSibling: UInt32 = Node.noNode
  var previousSibling: UInt32 = Node.noNode
  /// The next younger name of the same inode.
  var nextName: UInt32 = Node.noNode
  var nameOffset: UInt32
  var device: UInt16
  var nameCount: UInt16
  var kind: FileKind
  /// How often the slot was reused, modulo 16.
  var generation: UInt8 = 0
  var flags: NodeFlags

  static let noNode = UInt32.max

  /// Whether the file has more names than this one.
  var hasOtherNames: Bool { nextName != Self.noNode || flags.contains(.furtherName) }

  /// Replaces the record by that of another name of the file.
  mutating func takeRecord(of other: Node) {
    (inode, born, device) = (other.inode, other.born, other.device)
    (modified, size) = (other.modified, other.size)
    flags.subtract(.ofFile)
    flags.formUnion(other.flags.intersection(.ofFile))
  }

  /// Makes an entry the first of this directory; returns the former first.
  mutating func takeIn(_ id: NodeID) -> UInt32 {
    defer { firstChild = id.rawValue }
    size += 1
    return firstChild
  }

  /// Makes this the first of its directory's list.
  mutating func becomeFirst(before next: UInt32) {
    previousSibling = Self.noNode
    nextSibling = next
  }

  /// The ID of a link; `nil` for `noNode`, which ends a list.
  static func id(_ rawValue: UInt32) -> NodeID? { rawValue == noNode ? nil : NodeID(rawValue: rawValue) }
}

/// The part of the graph that paths and listings are made from, which snapshots share.
package struct GraphStorage: Sendable {
  var nodes = PagedArray<Node>()
  var names = NameArena()
  var devices: [UInt64] = []

  /// The inode of an entry that is no further name.
  func key(_ id: NodeID) -> FileKey {
    let node = nodes[id.index]
    return FileKey(device: devices[Int(node.device)], inode: node.inode, born: node.born)
  }

  func name(_ id: NodeID) -> FileName {
    let node = nodes[id.index]
    return names.name(at: node.nameOffset, count: Int(node.nameCount))
  }

  func nameBytes(_ id: NodeID) -> ArraySlice<UInt8> {
    let node = nodes[id.index]
    return names.bytes(at: node.nameOffset, count: Int(node.nameCount))
  }

  func isLive(_ id: NodeID) -> Bool {
    guard id.index < nodes.count else { return false }
    let node = nodes[id.index]
    return node.generation == id.generation && node.flags.contains(.live)
  }

  /// The ID of the entry that a slot has or had last.
  func id(at index: Int) -> NodeID { NodeID(index: index, generation: nodes[index].generation) }

  /// All entries and the root, by slot.
  var liveIDs: some Sequence<NodeID> { (0..<nodes.count).lazy.map(id(at:)).filter(isLive) }

  /// The directories that are on another file system than the one above them.
  var mountPoints: [NodeID] {
    guard devices.count > 1 else { return [] }
    return liveIDs.filter { id in
      let node = nodes[id.index]
      return node.kind == .directory && id != .root && node.device != nodes[node.parent.index].device
        && devices[Int(node.device)] != FileKey.unseen.device
    }
  }

  /// The entries that are not the oldest names of their files.
  var furtherNames: ChangeMarks {
    var names = ChangeMarks(count: nodes.count)
    for index in 0..<nodes.count where nodes[index].flags.contains(.live) {
      if let next = Node.id(nodes[index].nextName) { names.insert(next.index) }
    }
    return names
  }

  /// The path of a place from the root, without a leading slash.
  func path(of place: Place) -> [UInt8] {
    var path = path(of: place.parent)
    if !path.isEmpty { path.append(UInt8(ascii: "/")) }
    return path + place.name.bytes
  }

  /// The path from the root, without a leading slash; for the root itself, empty.
  func path(of id: NodeID) -> [UInt8] {
    var path: [UInt8] = []
    appendPath(of: id, to: &path)
    return path
  }

  /// Appends the path from the root, without a leading slash; for the root itself, nothing.
  func appendPath(of id: NodeID, to buffer: inout [UInt8]) {
    guard id != .root else { return }
    buffer.append(contentsOf: repeatElement(UInt8(ascii: "/"), count: pathLength(of: id)))
    // From the end, so that the directories above need not be collected.
    var end = buffer.count
    var current = id
    while current != .root {
      let node = nodes[current.index]
      names.copy(at: node.nameOffset, count: Int(node.nameCount), to: &buffer, endingAt: end)
      end -= Int(node.nameCount) + 1
      current = node.parent
    }
  }

  /// The number of bytes of a path, with the slashes between its names.
  private func pathLength(of id: NodeID) -> Int {
    var length = -1
    var current = id
    while current != .root {
      let node = nodes[current.index]
      length += Int(node.nameCount) + 1
      current = node.parent
    }
    return length
  }

  /// The number of directories between an entry and the root: 0 for an entry of the root.
  func level(of id: NodeID) -> Int {
    var level = -1
    var current = id
    while current != .root {
      level += 1
      current = nodes[current.index].parent
    }
    return level
  }

  /// Whether an entry is `directory`, or below it.
  func isEntry(_ id: NodeID, inside directory: NodeID) -> Bool {
    var current = id
    while current != directory {
      if current == .root { return false }
      current = nodes[current.index].parent
    }
    return true
  }

  func hasChildren(_ id: NodeID) -> Bool { Node.id(nodes[id.index].firstChild) != nil }

  /// The entries below a directory, parents before children.
  func descendants(of directory: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    forEachDescendant(of: directory) { found.append($0) }
    return found
  }

  /// Calls `body` with each entry below a directory, parents before children.
  ///
  /// - Parameter isLeftOut: Whether to skip an entry and what is below it.
  func forEachDescendant(
    of directory: NodeID, unless isLeftOut: (NodeID) -> Bool = { _ in false }, _ body: (NodeID) -> Void
  ) {
    var next = Node.id(nodes[directory.index].firstChild)
    while let current = next {
      if isLeftOut(current) {
        next = successor(ofAllBelow: current, below: directory)
      } else {
        body(current)
        next = successor(of: current, below: directory)
      }
    }
  }

  /// The next entry in a walk, parents first.
  private func successor(of id: NodeID, below top: NodeID) -> NodeID? {
    Node.id(nodes[id.index].firstChild) ?? successor(ofAllBelow: id, below: top)
  }

  /// The next entry in such a walk after everything below this one.
  private func successor(ofAllBelow id: NodeID, below top: NodeID) -> NodeID? {
    var current = id
    while current != top {
      if let sibling = Node.id(nodes[current.index].nextSibling) { return sibling }
      current = nodes[current.index].parent
    }
    return nil
  }

  /// Removes an entry from its directory's list.
  mutating func takeOut(_ id: NodeID) {
    let node = nodes[id.index]
    nodes[node.parent.index].size -= 1
    if let previous = Node.id(node.previousSibling) {
      nodes[previous.index].nextSibling = node.nextSibling
    } else {
      nodes[node.parent.index].firstChild = node.nextSibling
    }
    if let next = Node.id(node.nextSibling) { nodes[next.index].previousSibling = node.previousSibling }
  }

  /// Removes an entry without children from a copy without look-up tables.
  mutating func remove(_ id: NodeID) {
    assert(!hasChildren(id) && id != .root, "only a leaf can be removed")
    takeOut(id)
    nodes[id.index].flags = []
  }

  func children(of directory: NodeID) -> [NodeID] {
    var children: [NodeID] = []
    var next = Node.id(nodes[directory.index].firstChild)
    while let child = next {
      children.append(child)
      next = Node.id(nodes[child.index].nextSibling)
    }
    return children
  }
}
