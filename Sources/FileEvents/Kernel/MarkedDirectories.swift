package import LinuxFileSystem

/// The observed directories, by the handles in fanotify's events.
///
/// A handle does not change when its directory is moved, and is never reused.
package struct MarkedDirectories: Sendable {
  package struct Item: Sendable {
    package var mark: MarkID
    package var scope: MarkScope
    fileprivate var mount: MountNumber?
  }

  private var items: [FileHandle: Item] = [:]
  private var handles: [MarkID: FileHandle] = [:]
  private var rules: [UInt64: InodeRule] = [:]
  /// Unknown directories whose attributes have changed: one of them may be marked next.
  private var changed: Set<FileHandle> = []
  private static let changedLimit = 1024
  /// What the known mounts are mounts of.
  private var mounts: [MountNumber: [UInt8]?] = [:]
  /// Counted down, so that no number is one of inotify's.
  private var lastMark = MarkID.lastOfInotify

  package init() {}

  package subscript(handle: FileHandle) -> Item? { items[handle] }
  package var count: Int { items.count }

  /// Adds a directory, or changes its scope.
  ///
  /// - Parameter inode: The inode number, if `wantsInode(of:)`.
  package mutating func insert(
    _ directory: KernelHandle, on mount: MountNumber? = nil, inode: UInt64?, for scope: MarkScope
  ) -> MarkID {
    if let inode { rules[directory.fileSystem, default: InodeRule()].learn(directory, inode: inode) }
    if let known = items[directory.handle] {
      items[directory.handle]?.scope = scope
      items[directory.handle]?.mount = mount
      return known.mark
    }
    let mark = MarkID(rawValue: lastMark.rawValue - 1)
    lastMark = mark
    items[directory.handle] = Item(mark: mark, scope: scope, mount: mount)
    handles[mark] = directory.handle
    return mark
  }

  /// Removes a directory; returns whether it was known.
  @discardableResult
  package mutating func remove(_ mark: MarkID) -> Bool {
    guard let handle = handles.removeValue(forKey: mark) else { return false }
    items[handle] = nil
    return true
  }

  /// Whether more inode numbers would help to find their position in handles.
  package func wantsInode(of directory: KernelHandle) -> Bool {
    rules[directory.fileSystem]?.wantsSamples ?? true
  }

  /// The file of a handle.
  package func file(_ handle: KernelHandle) -> HintedFile {
    HintedFile(handle: handle.handle, inode: rules[handle.fileSystem]?.inode(of: handle) ?? 0)
  }
}

// MARK: - Directories that are not known yet

extension MarkedDirectories {
  /// Remembers an attribute change of an unknown directory, which may be about to be marked.
  package mutating func noteChange(ofUnknown directory: FileHandle) {
    if changed.count >= Self.changedLimit { changed.removeAll(keepingCapacity: true) }
    changed.insert(directory)
  }

  /// Takes the fact that the attributes of a directory changed before it was known.
  package mutating func takeChange(of directory: FileHandle) -> Bool {
    !changed.isEmpty && changed.remove(directory) != nil
  }
}

// MARK: - Mounts

extension MarkedDirectories {
  /// Whether a mount is unknown, so that the table of mounts must be read.
  package func isNew(_ mount: MountNumber) -> Bool { mounts[mount] == nil }

  /// Remembers what a mount is a mount of.
  package mutating func note(_ mount: MountNumber, in table: MountTable) {
    mounts.updateValue(table[mount], forKey: mount)
  }

  /// Takes the directories on mounts that are gone, and with them their marks.
  package mutating func takeUnmounted(_ table: MountTable) -> [MarkID] {
    let gone = Set(mounts.filter { table[$0.key] != $0.value }.keys)
    if gone.isEmpty { return [] }
    for mount in gone { mounts[mount] = nil }
    let marks = items.values.filter { $0.mount.map(gone.contains) == true }.map(\.mark)
    return marks.sorted { $0.rawValue > $1.rawValue }
  }
}
