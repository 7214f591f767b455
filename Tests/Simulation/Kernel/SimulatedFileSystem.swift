import FileEvents
package import FileIdentity
package import FileSystemObservation
package import LinuxFileSystem
package import SystemPackage

/// An open directory of the simulated machine.
package final class SimulatedDirectory: @unchecked Sendable {
  let inode: Inode
  private let disk: SimulatedDisk

  init(_ inode: Inode, _ disk: SimulatedDisk) {
    self.inode = inode
    self.disk = disk
    disk.hold(inode)
  }

  deinit {
    disk.release(inode)
  }
}

/// What a call of the engine is about: not every call can fail in every way.
package enum CallKind: Sendable {
  case open, look, list, readTag, writeTag, probe, mark
  /// What the app has asked for has taken effect, and the observer does not know what it sees of it.
  case commit
}

/// What the engine sees of the simulated machine.
///
/// The whole simulation runs on one thread: nothing in it is locked.
package final class SimulatedFileSystem: FileSystem, @unchecked Sendable {
  package let disk: SimulatedDisk
  /// The folder whose files count as trashed.
  private let trash: Path
  /// Called before every call: the place for whatever others do meanwhile.
  ///
  /// What it returns is the error with which the call fails.
  package var interlude: (CallKind) -> Errno? = { _ in nil }
  /// How many entries are looked at before any of them is shown to a visitor, or given a tag.
  package var entriesAtATime = 1
  /// How many files in a row have to be without a tag until the next that are at rest are presumed to be.
  package var missesToPresume = Int.max
  private var misses = 0
  /// What the observer wrote, in all: it may write nothing but tags.
  package private(set) var tagWrites = 0
  /// When an observer wrote a tag last.
  private(set) var lastTagWrite: Int64 = 0

  package init(_ disk: SimulatedDisk, trash: Path) {
    self.disk = disk
    self.trash = trash
  }

  package func openRoot(at path: FilePath) throws(Errno) -> SimulatedDirectory {
    if let fault = interlude(.open) { throw fault }
    guard let inode = disk.find(disk.names.path(path.string)) else { throw .noSuchFileOrDirectory }
    guard inode.kind == .directory else { throw .notDirectory }
    return SimulatedDirectory(inode, disk)
  }

  package func mountPoints(below root: SimulatedDirectory) -> [MountNumber: [FileName]] { [:] }

  package func openAncestors(of root: SimulatedDirectory) -> [SimulatedDirectory] {
    if interlude(.open) != nil { return [] }
    var ancestors: [SimulatedDirectory] = []
    var current = root.inode.ownName?.parent
    while let inode = current {
      ancestors.append(SimulatedDirectory(inode, disk))
      current = inode.ownName?.parent
    }
    return ancestors
  }

  package func openDirectory(
    _ name: NameView, in directory: SimulatedDirectory, for access: OwnedDescriptor.Access
  ) throws(Errno) -> SimulatedDirectory {
    if let fault = interlude(.open) { throw fault }
    let inode = try entry(name, directory).inode
    guard inode.kind == .directory else { throw .notDirectory }
    if case .list = access, !inode.isReadable { throw .permissionDenied }
    return SimulatedDirectory(inode, disk)
  }

  package func reopenForListing(_ directory: SimulatedDirectory) throws(Errno) -> SimulatedDirectory {
    if let fault = interlude(.open) { throw fault }
    guard directory.inode.isReadable else { throw .permissionDenied }
    return SimulatedDirectory(directory.inode, disk)
  }

  package func status(of directory: SimulatedDirectory) throws(Errno) -> FileStatus {
    if let fault = interlude(.look) { throw fault }
    return directory.inode.status
  }

  package func status(of name: NameView, in directory: SimulatedDirectory) throws(Errno) -> FileStatus {
    if let fault = interlude(.look) { throw fault }
    return try entry(name, directory).inode.status
  }

  package func fileSystemIdentifier(
    of status: FileStatus, named name: NameView, in directory: SimulatedDirectory
  ) -> UInt64 {
    status.device &* 0x9e37
  }

  package func list(
    _ directory: SimulatedDirectory, _ body: (NameView, ListedKind, UInt64) -> Void
  ) throws(Errno) {
    if let fault = interlude(.list) { throw fault }
    disk.lock(directory.inode)
    for dentry in directory.inode.entries {
      body(disk.names.view(dentry.name), ListedKind(dentry.inode.kind), dentry.inode.number)
    }
    // The call that finds the end takes the directory's lock, too (iterate_dir).
    disk.lock(directory.inode)
  }

  /// An entry that was looked at, and is still to be shown.
  private struct Look {
    var name: NameView
    var status: Result<FileStatus, Errno>
    /// Nothing where there is presumed to be none.
    var tag: TagReading?
  }

  package func visitEntries(of directory: SimulatedDirectory, _ visitor: inout some EntryVisitor) throws(Errno) {
    if let fault = interlude(.list) { throw fault }
    disk.lock(directory.inode)
    var looks: [Look] = []
    for dentry in directory.inode.entries {
      let name = disk.names.view(dentry.name)
      guard visitor.wants(name, ListedKind(dentry.inode.kind)) else { continue }
      looks.append(look(at: name, in: directory, presumingNoTagBefore: visitor.presumesNoTagBefore))
      if looks.count == entriesAtATime { show(&looks, in: directory, to: &visitor) }
    }
    show(&looks, in: directory, to: &visitor)
    // The call that finds the end takes the directory's lock, too (iterate_dir).
    disk.lock(directory.inode)
  }

  private func look(
    at name: NameView, in directory: SimulatedDirectory, presumingNoTagBefore end: Int64?
  ) -> Look {
    let found = Result { () throws(Errno) in try status(of: name, in: directory) }
    guard let status = try? found.get(), status.kind == .file || status.kind == .directory else {
      return Look(name: name, status: found, tag: TagReading.none)
    }
    if status.kind == .file, let end, status.changed < end, misses >= missesToPresume {
      return Look(name: name, status: found, tag: nil)
    }
    let tag = readTag(of: name, in: directory)
    if status.kind == .file { misses = tag == .none ? misses + 1 : 0 }
    return Look(name: name, status: found, tag: tag)
  }

  private func show(_ looks: inout [Look], in directory: SimulatedDirectory, to visitor: inout some EntryVisitor) {
    var claims: [(look: Look, uuid: UUIDBits)] = []
    for look in looks {
      if let uuid = visitor.visit(look.name, look.status, look.tag ?? .none) { claims.append((look, uuid)) }
    }
    let results = claims.map { claim($0.uuid, for: $0.look, in: directory) }
    for (claim, result) in zip(claims, results) { visitor.noteTag(of: claim.look.name, result) }
    looks = []
  }

  private func claim(_ uuid: UUIDBits, for look: Look, in directory: SimulatedDirectory) -> TagClaim {
    do {
      if try claimTag(uuid, for: look.name, in: directory) { return .written }
      misses = 0
      return .found(readTag(of: look.name, in: directory))
    } catch {
      misses = 0
      return .failed(error, look.tag ?? readTag(of: look.name, in: directory))
    }
  }

  /// The entry of a name; a directory's own for `.`.
  private func entry(_ name: NameView, _ directory: SimulatedDirectory) throws(Errno) -> Dentry {
    guard directory.inode.isSearchable else { throw .permissionDenied }
    let number = disk.names.number(name)
    if let found = directory.inode.entry(number) { return found }
    if number == disk.names.number("."), let own = directory.inode.ownName { return own }
    throw .noSuchFileOrDirectory
  }

  package func passBarrier(in directory: SimulatedDirectory) -> Bool {
    disk.lock(directory.inode)
    return true
  }

  package var wallClock: Int64 { disk.wallClock }
}

// MARK: - Tags

extension SimulatedFileSystem {
  package func readTag(of name: NameView, in directory: SimulatedDirectory) -> TagReading {
    if interlude(.readTag) != nil { return .unreadable }
    guard let inode = try? entry(name, directory).inode, inode.kind == .file || inode.kind == .directory else {
      return .unreadable
    }
    guard inode.isReadable else { return .unreadable }
    switch inode.tag {
    case .none: return .none
    case .uuid(let bits): return .uuid(bits)
    case .garbage: return .garbage
    }
  }

  private func claimTag(
    _ uuid: UUIDBits, for name: NameView, in directory: SimulatedDirectory
  ) throws(Errno) -> Bool {
    if let fault = interlude(.writeTag) { throw fault }
    let dentry = try entry(name, directory)
    guard dentry.inode.isWritable else { throw .permissionDenied }
    guard dentry.inode.tag == .none else { return false }
    try writeTag(uuid, dentry)
    return true
  }

  package func claimTag(
    _ uuid: UUIDBits, for name: NameView, in directory: SimulatedDirectory, expecting key: FileKey
  ) throws(Errno) -> TagWriting {
    try withOpen(name, directory, key) { (dentry) throws(Errno) in
      if dentry.inode.tag != .none { return .notWritten }
      try writeTag(uuid, dentry)
      return .written
    }
  }

  package func replaceTag(
    with uuid: UUIDBits, for name: NameView, in directory: SimulatedDirectory, expecting key: FileKey
  ) throws(Errno) -> TagWriting {
    try withOpen(name, directory, key) { (dentry) throws(Errno) in
      try writeTag(uuid, dentry)
      return .written
    }
  }

  /// Opens a name and makes sure that it is the inode expected: what is open cannot change any more.
  private func withOpen(
    _ name: NameView, _ directory: SimulatedDirectory, _ key: FileKey, _ body: (Dentry) throws(Errno) -> TagWriting
  ) throws(Errno) -> TagWriting {
    let dentry: Dentry
    do {
      dentry = try entry(name, directory)
    } catch {
      if error == .noSuchFileOrDirectory { return .notWritten }
      throw error
    }
    disk.hold(dentry.inode)
    defer { disk.release(dentry.inode) }
    if let fault = interlude(.writeTag) { throw fault }
    guard dentry.inode.key == key else { return .notWritten }
    guard dentry.inode.isWritable else { throw .permissionDenied }
    return try body(dentry)
  }

  private func writeTag(_ uuid: UUIDBits, _ dentry: Dentry) throws(Errno) {
    try disk.setTag(dentry, .uuid(uuid))
    tagWrites += 1
    lastTagWrite = disk.now
  }

  package func probeWriters(of name: NameView, in directory: SimulatedDirectory) -> WriterProbe {
    if interlude(.probe) != nil { return .failed }
    guard let inode = try? entry(name, directory).inode, inode.kind == .file, inode.isReadable else { return .unknown }
    return inode.writers > 0 ? .beingWritten : .nobodyWrites
  }

  package func inodesInTrash(among questions: [TrashQuestion], root: SimulatedDirectory) -> Set<FileKey> {
    var found: Set<FileKey> = []
    for key in questions.map(\.key) where !found.contains(key) && interlude(.probe) == nil {
      if disk.find(trash)?.entries.contains(where: { $0.inode.key == key }) == true { found.insert(key) }
    }
    return found
  }
}

extension ListedKind {
  init(_ kind: FileKind) {
    switch kind {
    case .file: self = .file
    case .directory: self = .directory
    case .symlink: self = .symlink
    case .special: self = .special
    }
  }
}
