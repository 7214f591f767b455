package import LinuxFileSystem

// What fanotify is told.

/// What one fanotify group wants to know of one inode.
package struct GroupMark: Sendable {
  package var group: Int
  package var mask: FanotifyMask
}

extension SimulatedDisk {
  /// `fanotify_mark(2)` with `FAN_MARK_ADD`.
  package func mark(_ inode: Inode, group: Int, _ mask: FanotifyMask) {
    if let index = inode.marks.firstIndex(where: { $0.group == group }) {
      inode.marks[index].mask.formUnion(mask)
    } else {
      inode.marks.append(GroupMark(group: group, mask: mask))
    }
  }

  /// `fanotify_mark(2)` with `FAN_MARK_REMOVE`, of everything.
  package func unmark(_ inode: Inode, group: Int) { inode.marks.removeAll { $0.group == group } }

  /// Tells of a change of names.
  func record(_ mask: FanotifyMask, _ directory: Inode, _ name: NameNumber, _ file: Inode) {
    for mark in directory.marks where !mark.mask.isDisjoint(with: mask) {
      let place = QueuedRecord.Place(directory: directory, name: name)
      append(QueuedRecord(mask: mask, process: process, place: place, file: file), mark)
    }
  }

  /// Tells of what happens to a file: under its name, though that may be gone, to whoever wants to know of entries of
  /// its directory.
  ///
  /// What happens to a directory is told as such, whoever it is told to.
  func recordChild(_ mask: FanotifyMask, _ dentry: Dentry) {
    let isDirectory = dentry.inode.kind == .directory
    let place = QueuedRecord.Place(
      directory: isDirectory ? dentry.inode : dentry.parent, name: isDirectory ? nil : dentry.name)
    let record = QueuedRecord(
      mask: mask, process: process, place: place, file: isDirectory ? nil : dentry.inode)
    let children = mask.union(.onChild)
    var told: Set<Int> = []
    for mark in dentry.parent.marks where mark.mask.isSuperset(of: children) && told.insert(mark.group).inserted {
      append(record, mark)
    }
    guard isDirectory else { return }
    for mark in dentry.inode.marks where mark.mask.isSuperset(of: mask) && told.insert(mark.group).inserted {
      append(record, mark)
    }
  }

  /// Tells of what happens to a directory itself.
  func recordSelf(_ mask: FanotifyMask, _ directory: Inode) {
    for mark in directory.marks where mark.mask.isSuperset(of: mask) {
      append(
        QueuedRecord(mask: mask, process: process, place: .init(directory: directory, name: nil)), mark)
    }
  }

  /// Tells of a rename: one record, with those ends whose directories are marked.
  func recordRename(_ old: (Inode, NameNumber), _ new: (Inode, NameNumber), _ file: Inode) {
    var groups: [Int] = []
    for mark in old.0.marks + new.0.marks where mark.mask.contains(.rename) && !groups.contains(mark.group) {
      groups.append(mark.group)
    }
    let isWanted = { (directory: Inode, group: Int) in
      directory.marks.contains { $0.group == group && $0.mask.contains(.rename) }
    }
    for group in groups {
      let record = QueuedRecord(
        mask: .rename, process: process,
        old: isWanted(old.0, group) ? .init(directory: old.0, name: old.1) : nil,
        new: isWanted(new.0, group) ? .init(directory: new.0, name: new.1) : nil, file: file)
      append(record, GroupMark(group: group, mask: .rename))
    }
  }

  private func append(_ record: QueuedRecord, _ mark: GroupMark) {
    var record = record
    let isDirectory = record.file.map { $0.kind == .directory } ?? true
    if isDirectory { record.mask.insert(.onDirectory) }
    groups[mark.group].append(record, at: now)
  }
}
