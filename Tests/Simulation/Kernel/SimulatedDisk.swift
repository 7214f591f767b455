import LinuxFileSystem
package import SystemPackage

/// The kernel of the simulated machine: inodes, names, clocks and event queues.
///
/// One step at a time, and nothing is left to chance.
package final class SimulatedDisk {
  package let names: NameTable
  /// The monotonic clock.
  package private(set) var now: Int64 = 1_000_000_000
  private var lastStamp: Int64 = 0
  private static let epoch: Int64 = 1_700_000_000_000_000_000
  private var numbers: [UInt64: InodeNumbers] = [:]
  private var nextCookie: UInt32 = 1
  package private(set) var root: Inode
  package var queues: [EventQueue] = []
  package var groups: [RecordQueue] = []
  /// Whose calls these are.
  package var process = 0
  /// Files that have had several names.
  package var linked: [Inode] = []
  /// A rename whose second event is still to come.
  var half: HalfRename?

  /// The device of the observed tree.
  package static let mainDevice: UInt64 = 0x801
  /// A device of its own, for moves between file systems.
  package static let otherDevice: UInt64 = 0x802

  package init(names: NameTable) {
    self.names = names
    root = Inode(device: Self.mainDevice, number: 2, kind: .directory, stamp: 0)
    lastStamp = wallClock
  }

  /// Breaks the cycles of names and inodes.
  package func tearDown() {
    var pending = [root]
    while let inode = pending.popLast() {
      for entry in inode.entries where entry.inode.kind == .directory { pending.append(entry.inode) }
      for entry in inode.entries { entry.inode.dentries = [] }
      inode.removeEntries()
      inode.ownName = nil
    }
    half = nil
  }
}

// MARK: - Clocks

extension SimulatedDisk {
  /// The clock that files are stamped with.
  package var wallClock: Int64 { Self.epoch + now }

  /// Lets time pass.
  package func pass(_ nanoseconds: Int64) {
    now += nanoseconds
    if let half, now > half.until { completeRename() }
  }

  /// Stamps are as fine as multigrain ones: no two changes have the same.
  func stamp() -> Int64 {
    lastStamp = max(lastStamp + 1, wallClock)
    return lastStamp
  }

  func cookie() -> UInt32 {
    defer { nextCookie += 1 }
    return nextCookie
  }
}

// MARK: - Names

extension SimulatedDisk {
  /// The directory that a path's last name is in, and that name.
  func parent(_ path: Path) throws(Errno) -> (Inode, NameNumber) {
    guard let last = path.last else { throw .invalidArgument }
    var inode = root
    for name in path.names.dropLast() {
      guard let entry = inode.entry(name) else { throw .noSuchFileOrDirectory }
      inode = entry.inode
      // Symbolic links lead nowhere here.
      if inode.kind == .symlink { throw .noSuchFileOrDirectory }
      guard inode.kind == .directory else { throw .notDirectory }
    }
    return (inode, last)
  }

  /// The name that a path leads to.
  package func lookUp(_ path: Path) throws(Errno) -> Dentry {
    let (directory, name) = try parent(path)
    guard let entry = directory.entry(name) else { throw .noSuchFileOrDirectory }
    return entry
  }

  /// The inode that a path leads to, where there is one.
  package func find(_ path: Path) -> Inode? {
    path.names.isEmpty ? root : try? lookUp(path).inode
  }

  /// Puts a name into a directory.
  func attach(_ dentry: Dentry) {
    dentry.parent.add(dentry)
    if dentry.inode.kind != .directory { dentry.inode.dentries.append(dentry) }
    if names.isPending(dentry.name) { dentry.parent.pendingNames += 1 }
    if dentry.inode.kind == .directory { dentry.inode.ownName = dentry }
    touchDirectory(dentry.parent)
  }

  /// Takes a name out of its directory; open files remember it.
  func detach(_ dentry: Dentry) {
    dentry.parent.remove(dentry)
    dentry.inode.dentries.removeAll { $0 === dentry }
    if names.isPending(dentry.name) { dentry.parent.pendingNames -= 1 }
    touchDirectory(dentry.parent)
  }

  func touchDirectory(_ directory: Inode) {
    directory.modified = stamp()
    directory.changed = directory.modified
  }
}

// MARK: - Inodes

extension SimulatedDisk {
  func makeInode(_ kind: FileKind, on device: UInt64) -> Inode {
    let number = numbers[device, default: InodeNumbers()].take()
    return Inode(device: device, number: number, kind: kind, stamp: stamp())
  }

  /// A directory for a part of the machine that has its own device.
  package func mount(_ name: NameNumber, device: UInt64) {
    let inode = makeInode(.directory, on: device)
    attach(Dentry(parent: root, name: name, inode: inode))
  }

  /// Whoever holds an inode keeps its number from being used again.
  package func hold(_ inode: Inode) { inode.holders += 1 }

  package func release(_ inode: Inode) {
    inode.holders -= 1
    freeIfUnused(inode)
  }

  func freeIfUnused(_ inode: Inode) {
    guard inode.linkCount == 0 else { return }
    if inode.holders > 0 { return pinParent(of: inode) }
    numbers[inode.device]?.give(back: inode.number)
    if inode.kind == .directory { removeWatches(of: inode) }
    inode.ownName = nil
    guard let parent = inode.pinnedParent else { return }
    inode.pinnedParent = nil
    release(parent)
  }

  /// A directory that was removed while somebody holds it keeps the one it was in, as any name in use does.
  private func pinParent(of inode: Inode) {
    guard inode.kind == .directory, inode.pinnedParent == nil, let parent = inode.ownName?.parent else { return }
    inode.pinnedParent = parent
    hold(parent)
  }
}
