package import LinuxFileSystem

/// What was last seen of a directory's entries.
///
/// Names and numbers lie in two arrays a directory: nothing is allocated for an entry.
package struct DirectoryShadow: Sendable, Equatable {
  /// One entry; its name ends, with a NUL, where the next one's begins.
  package struct Item: Sendable, Equatable {
    package var inode: UInt64
    /// Of a directory its device, of anything else a digest of size and time of modification.
    package var content: UInt64
    /// Time of the last change of the inode.
    package var changed: Int64
    fileprivate var nameEnd: UInt32
    package var kind: FileKind

    fileprivate init(_ status: FileStatus, nameEnd: UInt32) {
      inode = status.inode
      content = status.kind == .directory ? status.device : Self.digest(status)
      changed = status.changed
      kind = status.kind
      self.nameEnd = nameEnd
    }

    private static func digest(_ status: FileStatus) -> UInt64 {
      UInt64(bitPattern: status.modified) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bitPattern: status.size)
    }

    /// The directory that the entry is.
    package var directory: DirectoryID { DirectoryID(device: content, inode: inode) }
  }

  package private(set) var items: [Item] = []
  private var names: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { items.isEmpty }

  package mutating func append(_ name: NameView, _ status: FileStatus) {
    unsafe names.append(contentsOf: name.bytes)
    names.append(0)
    items.append(Item(status, nameEnd: UInt32(names.count)))
  }

  /// The bytes of a name with its NUL.
  private func terminatedName(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(items[index - 1].nameEnd))..<Int(items[index].nameEnd)
  }

  package func name(_ index: Int) -> FileName { FileName(bytes: names[terminatedName(index).dropLast()]) }

  /// Gives a name to a system call.
  package func withName<Result>(_ index: Int, _ body: (NameView) -> Result) -> Result {
    let range = terminatedName(index)
    return unsafe names.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a name always has its NUL") }
      return unsafe body(NameView(start: start + range.lowerBound, count: range.count - 1))
    }
  }

  fileprivate func hasName(_ index: Int, like other: Int, of shadow: DirectoryShadow) -> Bool {
    names[terminatedName(index)] == shadow.names[shadow.terminatedName(other)]
  }

  /// A hash whose collisions nobody can choose: whoever makes the names does not know the key of the process.
  fileprivate func hash(_ index: Int) -> Int {
    var hasher = Hasher()
    unsafe names.withUnsafeBytes { bytes in
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[terminatedName(index)]))
    }
    return hasher.finalize()
  }
}

// MARK: - Comparing

extension DirectoryShadow {
  /// What is different about an entry.
  package struct Difference: Equatable, Sendable {
    package var name: FileName
    package var kinds: HintKinds
  }

  /// Takes over what an entry is now; what that says of it, if anything.
  package mutating func update(_ index: Int, to status: FileStatus) -> HintKinds? {
    let fresh = Item(status, nameEnd: items[index].nameEnd)
    let known = items[index]
    if fresh == known { return nil }
    items[index] = fresh
    return Self.change(from: known, to: fresh)
  }

  /// Takes over the times of changes of inodes, where nothing else has changed.
  package mutating func adoptChangeTime(_ index: Int, of status: FileStatus) {
    let fresh = Item(status, nameEnd: items[index].nameEnd)
    let known = items[index]
    guard fresh.inode == known.inode, fresh.content == known.content, fresh != known else { return }
    items[index] = fresh
  }

  private static func change(from old: Item, to new: Item) -> HintKinds? {
    if old.inode != new.inode || old.kind != new.kind { return [] }
    if old.kind == .directory {
      if old.content != new.content { return [] }
      return old.changed == new.changed ? nil : [.attributes, .directory]
    }
    if old.content != new.content { return .written }
    return old.changed == new.changed ? nil : .attributes
  }

  /// Calls `body` with whatever is different in a later listing.
  ///
  /// Directories are nearly always listed in the order they had, so that names are looked for only where they are not
  /// next.
  package func forEachDifference(to fresh: DirectoryShadow, _ body: (Difference) -> Void) {
    var isFound = [Bool](repeating: false, count: items.count)
    var index: NameIndex?
    var next = 0
    for new in fresh.items.indices {
      var old: Int? = next
      if next >= items.count || !hasName(next, like: new, of: fresh) {
        let names = index ?? NameIndex(self)
        index = names
        old = names.find(fresh, new, in: self)
      }
      guard let old else {
        body(Difference(name: fresh.name(new), kinds: []))
        continue
      }
      isFound[old] = true
      next = old + 1
      if let kinds = Self.change(from: items[old], to: fresh.items[new]) {
        body(Difference(name: fresh.name(new), kinds: kinds))
      }
    }
    for old in items.indices where !isFound[old] { body(Difference(name: name(old), kinds: [])) }
  }
}

/// Where the names of a shadow are.
private struct NameIndex {
  /// Numbers of entries, open addressing; -1 where there is none.
  private var slots: [Int32]

  init(_ shadow: DirectoryShadow) {
    var capacity = 16
    while capacity < 2 * shadow.items.count { capacity *= 2 }
    slots = [Int32](repeating: -1, count: capacity)
    for index in shadow.items.indices {
      var slot = shadow.hash(index) & (capacity - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = Int32(index)
    }
  }

  /// The entry that has the name which another shadow has at an index.
  func find(_ fresh: DirectoryShadow, _ index: Int, in shadow: DirectoryShadow) -> Int? {
    var slot = fresh.hash(index) & (slots.count - 1)
    while slots[slot] >= 0 {
      if fresh.hasName(index, like: Int(slots[slot]), of: shadow) { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
