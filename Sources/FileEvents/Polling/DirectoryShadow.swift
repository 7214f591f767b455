package import LinuxFileSystem

/// The last known entries of a directory.
///
/// Names and numbers are in two arrays, without an allocation for an entry.
package struct DirectoryShadow: Sendable, Equatable {
  /// An entry.
  ///
  /// Its name, with a NUL, ends where the next name begins.
  package struct Item: Sendable, Equatable {
    package var inode: UInt64
    /// The device of a directory; for other entries, a digest of size and modification time.
    package var content: UInt64
    /// The time of the last change of the inode.
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

    /// The entry as a directory.
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

  /// A hash with a key of the process, so that nobody can choose names that collide.
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
  /// A difference of an entry.
  package struct Difference: Equatable, Sendable {
    package var name: FileName
    package var kinds: HintKinds
  }

  /// Updates an entry; returns the difference, if any.
  package mutating func update(_ index: Int, to status: FileStatus) -> HintKinds? {
    let fresh = Item(status, nameEnd: items[index].nameEnd)
    let known = items[index]
    if fresh == known { return nil }
    items[index] = fresh
    return Self.change(from: known, to: fresh)
  }

  /// Updates the inode's change time, if nothing else is different.
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

  /// Calls `body` with each difference to a later listing.
  ///
  /// The order of entries rarely changes, so that a name is searched only if it is not the next one.
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

/// The positions of the names of a shadow.
private struct NameIndex {
  /// Indices of entries, by open addressing; -1 for a free slot.
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

  /// The entry with the name of an entry of another shadow.
  func find(_ fresh: DirectoryShadow, _ index: Int, in shadow: DirectoryShadow) -> Int? {
    var slot = fresh.hash(index) & (slots.count - 1)
    while slots[slot] >= 0 {
      if fresh.hasName(index, like: Int(slots[slot]), of: shadow) { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
