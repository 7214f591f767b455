package import SystemPackage

/// A hidden, unguessable name for a file or folder that is being made, and its removal unless it is published under its
/// own name.
///
/// Whoever lets go of it on an error path leaves nothing behind. Only a process that is killed leaves something with
/// such a name.
package struct TemporaryName: ~Copyable {
  private static let prefix = ".fsobserver-"

  package let directory: DirectoryHandle
  package let name: FileName
  private var isMine = false

  /// Chooses a name; there is nothing at it yet.
  package init(in directory: DirectoryHandle) {
    self.directory = directory
    name = Self.fresh()
  }

  deinit {
    if isMine { TreeRemoval.removeOwn(name, from: directory) }
  }

  /// A name that nothing has.
  ///
  /// 64 random bits: nobody can put something there first, and `O_EXCL` would notice.
  package static func fresh() -> FileName {
    FileName(prefix + String(UInt64.random(in: .min ... .max), radix: 16) + ".tmp")
  }

  /// Whether a name was made by this type: what bears it is no document, and not worth a look.
  package static func isTemporary(_ name: NameView) -> Bool {
    unsafe name.bytes.starts(with: prefix.utf8)
  }

  /// Creates the file, open for writing; by default nobody but the owner may read or write it for now.
  package mutating func createFile(permissions: UInt32 = 0o600) throws(Errno) -> OwnedDescriptor {
    let parent = directory
    let file = try name.withView { (name) throws(Errno) -> OwnedDescriptor in
      try OwnedDescriptor.create(name, in: parent.descriptor, permissions: permissions)
    }
    isMine = true
    return file
  }

  /// Makes the folder, open for listing; by default nobody but the owner may enter it for now.
  package mutating func createFolder(permissions: UInt32 = 0o700) throws(Errno) -> DirectoryHandle {
    let parent = directory
    return try name.withView { (name) throws(Errno) -> DirectoryHandle in
      try DirectoryChange.makeDirectory(name, in: parent.descriptor, permissions: permissions)
      isMine = true
      return try parent.open(name, for: .list)
    }
  }

  /// Makes a symbolic link.
  package mutating func createSymbolicLink(pointingAt target: FilePath) throws(Errno) {
    let parent = directory
    try name.withView { (name) throws(Errno) in
      try SymbolicLink.make(name, in: parent.descriptor, pointingAt: target)
    }
    isMine = true
  }

  /// The status of the item with the hidden name.
  package borrowing func status() throws(Errno) -> FileStatus {
    let parent = directory
    return try name.withView { (name) throws(Errno) in try FileStatus.of(name, in: parent.descriptor) }
  }
}

extension TemporaryName {
  /// Gives the item its name in one step, in place of whatever file or empty folder is there.
  package mutating func publish(replacing target: FileName) throws(Errno) {
    try rename(to: target, replacing: true)
    isMine = false
  }

  /// Gives the item its name in one step, or fails with EEXIST where there is something.
  package mutating func publish(as target: FileName) throws(Errno) {
    try ItemRename.rename(name, in: directory, to: target, in: directory)
    isMine = false
  }

  /// Gives the item the name of another, which gets the hidden name, and is removed when this value ends.
  ///
  /// EINVAL, ENOSYS or EOPNOTSUPP: the file system cannot do it. A second call undoes the first.
  package mutating func exchange(with target: FileName) throws(Errno) {
    let parent = directory
    try name.withView { (name) throws(Errno) in
      try target.withView { (target) throws(Errno) in
        try DirectoryChange.exchange(name, in: parent.descriptor, with: target, in: parent.descriptor)
      }
    }
  }

  /// Removes the item that has the hidden name now.
  package borrowing func remove() throws(FailedItem) { try TreeRemoval.remove(name, from: directory) }

  /// Leaves the item that has the hidden name now where it is, also when this value ends.
  package mutating func abandon() { isMine = false }

  /// Undoes `publish(as:)`: the item has its hidden name again.
  package mutating func takeBack(from target: FileName) throws(Errno) {
    try ItemRename.rename(target, in: directory, to: name, in: directory)
    isMine = true
  }

  /// Gives the file its name where the file system has no `RENAME_NOREPLACE` (NFS): a second name, and the first goes.
  package mutating func publishByLinking(as target: FileName) throws(Errno) {
    try ItemRename.renameFileByLinking(name, in: directory, to: target, in: directory)
    isMine = false
  }

  private borrowing func rename(to target: FileName, replacing: Bool) throws(Errno) {
    let parent = directory
    try name.withView { (name) throws(Errno) in
      try target.withView { (target) throws(Errno) in
        try DirectoryChange.rename(name, in: parent.descriptor, to: target, in: parent.descriptor, replacing: replacing)
      }
    }
  }
}
