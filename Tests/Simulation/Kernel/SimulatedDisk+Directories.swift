package import LinuxFileSystem
package import SystemPackage

// System calls on names.

/// The flags of `renameat2(2)`.
package enum RenameMode: String, Sendable, Codable {
  case replacing, notReplacing, exchanging
}

extension SimulatedDisk {
  func makeEntry(_ kind: FileKind, _ name: NameNumber, in directory: Inode) -> Dentry {
    let dentry = Dentry(parent: directory, name: name, inode: makeInode(kind, on: directory.device))
    attach(dentry)
    notify(directory, .create, name, dentry.inode)
    record(.create, directory, name, dentry.inode)
    return dentry
  }

  /// `mkdir(2)`, `symlink(2)` or `mkfifo(2)`.
  package func make(_ kind: FileKind, _ path: Path) throws(Errno) {
    let (directory, name) = try parent(path)
    lock(directory)
    guard directory.entry(name) == nil else { throw .fileExists }
    _ = makeEntry(kind, name, in: directory)
  }

  /// `link(2)`.
  package func link(_ old: Path, _ new: Path) throws(Errno) {
    try link(try lookUp(old).inode, new)
  }

  func link(_ inode: Inode, _ path: Path) throws(Errno) {
    let (directory, name) = try parent(path)
    lock(directory)
    guard directory.entry(name) == nil else { throw .fileExists }
    guard inode.device == directory.device else { throw .improperLink }
    guard inode.kind != .directory else { throw .notPermitted }
    // What has lost its last name gets none again; what never had one gets its first.
    guard inode.linkCount > 0 || inode.isUnnamed else { throw .noSuchFileOrDirectory }
    inode.isUnnamed = false
    attach(Dentry(parent: directory, name: name, inode: inode))
    if inode.linkCount == 1, !linked.contains(where: { $0 === inode }) { linked.append(inode) }
    inode.linkCount += 1
    inode.changed = stamp()
    notify(directory, .create, name, inode)
    record(.create, directory, name, inode)
  }

  /// `unlink(2)`.
  package func unlink(_ path: Path) throws(Errno) {
    let dentry = try lookUp(path)
    lock(dentry.parent)
    guard dentry.inode.kind != .directory else { throw .isDirectory }
    remove(dentry)
    notify(dentry.parent, .delete, dentry.name, dentry.inode)
    record(.delete, dentry.parent, dentry.name, dentry.inode)
    freeIfUnused(dentry.inode)
  }

  /// `rmdir(2)`.
  package func rmdir(_ path: Path) throws(Errno) {
    let dentry = try lookUp(path)
    lock(dentry.parent)
    lock(dentry.inode)
    guard dentry.inode.kind == .directory else { throw .notDirectory }
    guard dentry.inode.entries.isEmpty else { throw .directoryNotEmpty }
    remove(dentry)
    // A directory that nobody holds goes before its name does.
    freeIfUnused(dentry.inode)
    notify(dentry.parent, .delete, dentry.name, dentry.inode)
    record(.delete, dentry.parent, dentry.name, dentry.inode)
  }

  private func remove(_ dentry: Dentry) {
    detach(dentry)
    dentry.isLinked = false
    dentry.inode.linkCount -= 1
    noteNameGone(dentry)
    dentry.inode.changed = stamp()
  }

  /// Whose name it was that something was written through, nobody can find out any more.
  private func noteNameGone(_ dentry: Dentry) {
    if dentry.inode.changedThrough == ObjectIdentifier(dentry) { dentry.inode.isChangedUnwatched = true }
  }
}

// MARK: - Renaming

extension SimulatedDisk {
  /// `renameat2(2)`.
  ///
  /// - Parameter interrupted: Whether some of the events are to come later.
  package func rename(
    _ old: Path, _ new: Path, _ mode: RenameMode, interrupted: Bool
  ) throws(Errno) {
    let (oldDirectory, oldName) = try parent(old)
    let (newDirectory, newName) = try parent(new)
    lockForRename(oldDirectory, newDirectory)
    guard let source = oldDirectory.entry(oldName) else { throw .noSuchFileOrDirectory }
    let target = newDirectory.entry(newName)
    try check(source, target, newDirectory, mode)
    if let target, target.inode === source.inode { return }
    if mode == .exchanging, let target {
      exchange(source, target, interrupted)
    } else {
      move(source, over: target, to: newDirectory, newName, interrupted)
    }
  }

  private func check(
    _ source: Dentry, _ target: Dentry?, _ directory: Inode, _ mode: RenameMode
  ) throws(Errno) {
    guard source.inode.device == directory.device else { throw .improperLink }
    if mode == .notReplacing && target != nil { throw .fileExists }
    if mode == .exchanging && target == nil { throw .noSuchFileOrDirectory }
    if isInside(directory, source.inode) { throw .invalidArgument }
    guard let target else { return }
    if isInside(source.parent, target.inode) { throw mode == .exchanging ? .invalidArgument : .directoryNotEmpty }
    if mode == .exchanging || target.inode === source.inode { return }
    let (from, to) = (source.inode.kind == .directory, target.inode.kind == .directory)
    if from && !to { throw .notDirectory }
    if to && !from { throw .isDirectory }
    if to && !target.inode.entries.isEmpty { throw .directoryNotEmpty }
  }

  private func isInside(_ directory: Inode, _ ancestor: Inode) -> Bool {
    var current: Inode? = directory
    while let inode = current {
      if inode === ancestor { return true }
      current = inode.ownName?.parent
    }
    return false
  }

  private func move(
    _ source: Dentry, over target: Dentry?, to directory: Inode, _ name: NameNumber, _ interrupted: Bool
  ) {
    let (oldDirectory, oldName) = (source.parent, source.name)
    if let target {
      // Whoever renames over something uses it until the end.
      hold(target.inode)
      remove(target)
    }
    place(source, in: directory, name)
    let cookie = cookie()
    // It may be interrupted before it has told anything, too.
    let isSilent = interrupted && cookie % 2 == 0
    let tell = { [self] in recordRename((oldDirectory, oldName), (directory, name), source.inode) }
    if !isSilent { tell() }
    notify(oldDirectory, .movedFrom, oldName, source.inode, cookie: cookie)
    let finish = { [self] in
      if isSilent { tell() }
      notify(directory, .movedTo, name, source.inode, cookie: cookie)
      if let target {
        notifySelf(target.inode, .attribute)
        recordSelf(.attribute, target.inode)
      }
      notifySelf(source.inode, .moveSelf)
      recordSelf(.moveSelf, source.inode)
      if let target { release(target.inode) }
    }
    guard interrupted else { return finish() }
    interrupt(oldDirectory, directory, for: HalfRename.longest, finish)
  }

  private func interrupt(_ first: Inode, _ second: Inode, for time: Int64, _ finish: @escaping () -> Void) {
    completeRename()
    let interrupted = process
    let directories = [first, second]
    half = HalfRename(directories: directories, isAcrossDirectories: first !== second, until: now + time) { [self] in
      let current = process
      process = interrupted
      finish()
      process = current
    }
  }

  private func place(_ dentry: Dentry, in directory: Inode, _ name: NameNumber) {
    detach(dentry)
    for _ in 0..<dentry.openCount {
      hold(directory)
      release(dentry.parent)
    }
    if directory.watches.isEmpty, dentry.inode.linkCount > 1 { noteNameGone(dentry) }
    dentry.parent = directory
    dentry.name = name
    dentry.inode.changed = stamp()
    attach(dentry)
  }

  private func exchange(_ first: Dentry, _ second: Dentry, _ interrupted: Bool) {
    let (firstPlace, secondPlace) = ((first.parent, first.name), (second.parent, second.name))
    place(first, in: secondPlace.0, secondPlace.1)
    place(second, in: firstPlace.0, firstPlace.1)
    let events = tellings(first, firstPlace, secondPlace) + tellings(second, secondPlace, firstPlace)
    // All of it is one system call, which may be interrupted between any two.
    let count = interrupted ? 1 + Int(cookie()) % (events.count - 1) : events.count
    for tell in events.prefix(count) { tell() }
    guard count < events.count else { return }
    interrupt(firstPlace.0, secondPlace.0, for: HalfRename.longestExchange) {
      for tell in events.dropFirst(count) { tell() }
    }
  }

  private func tellings(
    _ dentry: Dentry, _ old: (Inode, NameNumber), _ new: (Inode, NameNumber)
  ) -> [() -> Void] {
    let cookie = cookie()
    return [
      { [self] in
        recordRename(old, new, dentry.inode)
        notify(old.0, .movedFrom, old.1, dentry.inode, cookie: cookie)
      },
      { [self] in
        notify(new.0, .movedTo, new.1, dentry.inode, cookie: cookie)
        notifySelf(dentry.inode, .moveSelf)
        recordSelf(.moveSelf, dentry.inode)
      },
    ]
  }
}
