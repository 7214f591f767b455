import LinuxFileSystem
package import SystemPackage

// System calls on files.

extension SimulatedDisk {
  /// `open(2)` with `O_CREAT | O_EXCL | O_WRONLY`.
  package func create(_ path: Path) throws(Errno) -> OpenFile {
    let (directory, name) = try parent(path)
    lock(directory)
    guard directory.entry(name) == nil else { throw .fileExists }
    let dentry = makeEntry(.file, name, in: directory)
    return open(dentry)
  }

  /// `open(2)` with `O_WRONLY`, and with `O_TRUNC` and `O_CREAT` as asked.
  package func open(_ path: Path, truncating: Bool, creating: Bool) throws(Errno) -> OpenFile {
    let (directory, name) = try parent(path)
    guard let dentry = directory.entry(name) else {
      if creating { return try create(path) }
      throw .noSuchFileOrDirectory
    }
    guard dentry.inode.kind != .directory else { throw .isDirectory }
    guard dentry.inode.kind != .symlink else { throw .tooManySymbolicLinkLevels }
    guard dentry.inode.kind == .file else { throw .noSuchAddressOrDevice }
    let file = open(dentry)
    if truncating { change(file) { $0.size = 0 } }
    return file
  }

  /// `open(2)` with `O_TMPFILE`: a file without a name.
  package func createUnnamed(in path: Path) throws(Errno) -> OpenFile {
    guard let directory = find(path), directory.kind == .directory else { throw .noSuchFileOrDirectory }
    let inode = makeInode(.file, on: directory.device)
    inode.linkCount = 0
    inode.isUnnamed = true
    let dentry = Dentry(parent: directory, name: names.number("#\(inode.number)"), inode: inode)
    dentry.isLinked = false
    return open(dentry)
  }

  private func open(_ dentry: Dentry) -> OpenFile {
    hold(dentry.inode)
    hold(dentry.parent)
    dentry.openCount += 1
    dentry.inode.writers += 1
    dentry.inode.lastOpen = now
    return OpenFile(dentry)
  }

  /// `write(2)`.
  package func write(_ file: OpenFile, _ count: Int64) {
    change(file) { $0.size += count }
  }

  /// A store into a shared mapping: no event tells of it.
  package func writeMapped(_ file: OpenFile) {
    let inode = file.dentry.inode
    inode.modified = stamp()
    inode.changed = inode.modified
    inode.lastWrite = now
  }

  private func change(_ file: OpenFile, _ body: (Inode) -> Void) {
    let inode = file.dentry.inode
    body(inode)
    inode.modified = stamp()
    inode.changed = inode.modified
    inode.lastWrite = now
    notifyContent(file.dentry, .modify)
  }

  /// `close(2)`.
  package func close(_ file: OpenFile) {
    file.dentry.inode.writers -= 1
    notifyContent(file.dentry, .closeWrite)
    file.dentry.openCount -= 1
    release(file.dentry.inode)
    release(file.dentry.parent)
  }

  /// `linkat(2)` of a file that is open and has no name.
  package func link(_ file: OpenFile, _ path: Path) throws(Errno) {
    try link(file.dentry.inode, path)
  }
}

// MARK: - Attributes

extension SimulatedDisk {
  /// `setxattr(2)` or `removexattr(2)`.
  package func setTag(_ dentry: Dentry, _ value: TagValue) throws(Errno) {
    guard dentry.inode.kind == .file || dentry.inode.kind == .directory else { throw .notPermitted }
    if value == .none && dentry.inode.tag == .none { throw .noData }
    if case .garbage(let count) = value, count > TagValue.limit {
      throw count > 65_536 ? .argListTooLong : .noSpace
    }
    dentry.inode.tag = value
    dentry.inode.changed = stamp()
    notifyAttributes(dentry)
  }

  /// `utimensat(2)`.
  package func touch(_ path: Path) throws(Errno) {
    setTime(try lookUp(path), stamp())
  }

  /// The same with a time that is given.
  package func setTime(_ dentry: Dentry, _ modified: Int64) {
    dentry.inode.modified = modified
    dentry.inode.changed = stamp()
    notifyAttributes(dentry)
  }

  /// `chmod(2)`.
  package func chmod(_ path: Path, _ permissions: UInt32) throws(Errno) {
    let dentry = try lookUp(path)
    guard dentry.inode.kind != .symlink else { throw .notSupported }
    dentry.inode.permissions = permissions
    dentry.inode.changed = stamp()
    notifyAttributes(dentry)
  }
}
