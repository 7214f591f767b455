import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The inode numbers of a stored tree's items, as they are by now.
///
/// An item is the only one with its tag, wherever that is. Without a tag, it is at its place, with its size and time, or
/// else the only one with these.
struct FoundNumbers {
  /// What the items are compared with.
  enum Rule: Equatable {
    /// The same files, on the file systems on which they were.
    case ofSameDisk
    /// Copies of the files, all on one file system; with `places`, the path alone says which file without a tag is which.
    case ofCopy(places: Bool, on: UInt64)
  }

  /// What an item is now.
  private struct Found: Equatable {
    var key: FileKey
    var isTagged: Bool
  }

  private let storage: GraphStorage
  private let files: GuardedFileSystem
  private let rule: Rule
  private let filter: ItemFilter
  /// What is on the file system, if some items are not at their places.
  private var disk: ItemsOnDisk?
  /// `nil` for an item that is not there as it was stored.
  private var found: [NodeID: Found?] = [:]
  /// What was found with its size and time only.
  private var elsewhere: [NodeID: FileKey] = [:]

  init(_ storage: GraphStorage, _ files: GuardedFileSystem, _ filter: ItemFilter, _ rule: Rule = .ofSameDisk) {
    self.storage = storage
    self.files = files
    self.rule = rule
    self.filter = filter
  }

  /// Looks at everything below a directory, on its file system.
  ///
  /// What is elsewhere is only looked for if something is missing.
  mutating func collect(below top: NodeID, _ handle: DirectoryHandle) {
    disk = nil
    let items = look(below: top, handle)
    if items.allSatisfy({ isCertain($0) }) { return }
    var disk = ItemsOnDisk(of: storage)
    disk.collect(below: handle, at: storage.path(of: top), level: storage.level(of: top), filter, files)
    self.disk = disk
    collectElsewhere(look(below: top, handle), disk)
  }

  /// Whether an item is at its place, and its tag cannot be elsewhere.
  private func isCertain(_ id: NodeID) -> Bool {
    guard let item = found[id].flatMap(\.self) else { return false }
    return item.isTagged || !storage.nodes[id.index].flags.contains(.tagged)
  }

  /// Looks at each item at its place; returns the items that may be there.
  private mutating func look(below top: NodeID, _ handle: DirectoryHandle) -> [NodeID] {
    var collected: [NodeID] = []
    var waiting = [(top, Optional(handle))]
    while let (directory, handle) = waiting.popLast() {
      for id in storage.children(of: directory) where isOnFileSystem(id, of: directory) {
        let status = handle.flatMap { self.status(of: id, in: $0) }
        // What is mounted there keeps its numbers.
        if let status, case .ofCopy(_, let device) = rule, status.device != device { continue }
        let item = item(id, status, in: handle)
        found[id] = .some(item)
        collected.append(id)
        guard storage.nodes[id.index].kind == .directory else { continue }
        let isHere = item != nil && item?.key == status.map { FileKey($0) }
        waiting.append((id, isHere ? handle.flatMap { open(id, in: $0) } : nil))
      }
    }
    return collected
  }

  /// Finds what is neither at its place nor tagged.
  private mutating func collectElsewhere(_ collected: [NodeID], _ disk: ItemsOnDisk) {
    shareNumbers(collected)
    let taken = Set(collected.compactMap { found[$0].flatMap(\.self)?.key })
    let missing = collected.filter { found[$0] == .some(nil) }
    let match = UntaggedMatch(of: missing, in: storage, among: disk.untagged(except: taken))
    elsewhere.merge(match.numbers) { first, _ in first }
  }

  /// Gives the names of a file that are gone the number of the others.
  private mutating func shareNumbers(_ collected: [NodeID]) {
    var files: [UUIDBits: Found] = [:]
    for id in collected.sorted() where storage.nodes[id.index].kind == .file {
      guard let item = found[id].flatMap(\.self) else { continue }
      let uuid = storage.nodes[id.index].uuid
      if files[uuid] == nil { files[uuid] = item }
    }
    for id in collected where found[id] == .some(nil) {
      if let item = files[storage.nodes[id.index].uuid] { found[id] = item }
    }
  }

  /// Whether an entry counts: a copy of a mounted file system is one of plain folders.
  private func isOnFileSystem(_ id: NodeID, of directory: NodeID) -> Bool {
    rule != .ofSameDisk || storage.nodes[id.index].device == storage.nodes[directory.index].device
  }

  private func status(of id: NodeID, in directory: DirectoryHandle) -> FileStatus? {
    storage.name(id).withView { try? files.status(of: $0, in: directory) }
  }

  private func open(_ id: NodeID, in directory: DirectoryHandle) -> DirectoryHandle? {
    storage.name(id).withView { try? files.openDirectory($0, in: directory, for: .search) }
  }

  /// What an item is now.
  ///
  /// - Parameter status: What is at its place.
  private func item(_ id: NodeID, _ status: FileStatus?, in directory: DirectoryHandle?) -> Found? {
    let node = storage.nodes[id.index]
    if let holder = disk?.holder(of: node) { return Found(key: holder, isTagged: true) }
    guard let directory, let status, status.kind == node.kind else { return nil }
    let key = FileKey(status)
    guard let tag = tag(of: id, key, in: directory) else {
      return isAsStored(node, status) ? Found(key: key, isTagged: false) : nil
    }
    // Of several with its tag, it is the one at its place.
    if tag == node.uuid { return Found(key: key, isTagged: true) }
    guard case .ofCopy(places: true, _) = rule, disk?.isKnown(tag) == false else { return nil }
    return Found(key: key, isTagged: true)
  }

  private func tag(of id: NodeID, _ key: FileKey, in directory: DirectoryHandle) -> UUIDBits? {
    if let disk { return disk.tag(of: key) }
    return storage.name(id).withView { files.readTag(of: $0, in: directory).uuid }
  }

  private func isAsStored(_ node: Node, _ status: FileStatus) -> Bool {
    if case .ofCopy(places: true, _) = rule { return true }
    return node.kind == .directory || status.size == node.size && status.modified == node.modified
  }

  /// The tree with these numbers, if they are others than before.
  func applied() -> GraphStorage {
    guard rule != .ofSameDisk || areOthers else { return storage }
    var storage = storage
    let nowhere = UInt16(clamping: storage.devices.firstIndex(of: FileKey.unseen.device) ?? storage.devices.count)
    if Int(nowhere) == storage.devices.count { storage.devices.append(FileKey.unseen.device) }
    for (id, item) in found {
      let key = item?.key ?? elsewhere[id] ?? .unseen
      (storage.nodes[id.index].inode, storage.nodes[id.index].born) = (key.inode, key.born)
      if key == .unseen {
        storage.nodes[id.index].device = nowhere
      } else if rule != .ofSameDisk {
        storage.nodes[id.index].device = storage.nodes[0].device
      }
      // A tag that has not come along is written again: no other program has removed it.
      if item?.isTagged != true { storage.nodes[id.index].flags.remove(.tagged) }
    }
    return storage
  }

  /// Whether the numbers of the same disk are others than before.
  ///
  /// What is at its place tells, if there is anything: a file elsewhere may be a copy.
  private var areOthers: Bool {
    let here = found.compactMapValues { $0?.key }
    return (here.isEmpty ? elsewhere : here).contains { id, key in key.inode != storage.nodes[id.index].inode }
  }
}
