package import SystemPackage

/// A hidden, unguessable name for a new file or folder, which is removed unless it is published under its final name.
///
/// An error path leaves nothing behind. Only a killed process leaves an item with such a name.
package struct TemporaryName: ~Copyable {
  /// What the item with the name may be, if the process is killed.
  package enum Use: String {
    /// Something that is not finished, or that was to be removed.
    case work = ".tmp"
    /// Perhaps the only place of what another program has saved.
    case save = ".save"
  }

  private static let prefix = ".fsobserver-"

  package let directory: DirectoryHandle
  package let name: FileName
  private var isMine = false

  /// Chooses a name, without creating an item.
  package init(in directory: DirectoryHandle, for use: Use = .work) {
    self.directory = directory
    name = Self.fresh(for: use)
  }

  deinit {
    if isMine { TreeRemoval.removeOwn(name, from: directory) }
  }

  /// An unused name.
  ///
  /// 64 random bits prevent others from creating the item first, and `O_EXCL` would detect it.
  package static func fresh(for use: Use = .work) -> FileName {
    FileName(prefix + String(UInt64.random(in: .min ... .max), radix: 16) + use.rawValue)
  }

  /// Whether this type made a name.
  ///
  /// Such an item is no document.
  package static func isTemporary(_ name: NameView) -> Bool {
    unsafe name.bytes.starts(with: prefix.utf8)
  }

  /// The use of a name; `nil` if this type has not made it.
  package static func use(of name: NameView) -> Use? {
    guard isTemporary(name) else { return nil }
    return [.work, .save].first { use in
      let suffix = use.rawValue.utf8
      return unsafe name.bytes.suffix(suffix.count).elementsEqual(suffix)
    }
  }

  /// Creates the file for writing; by default only the owner may read or write it at first.
  package mutating func createFile(permissions: UInt32 = 0o600) throws(Errno) -> OwnedDescriptor {
    let parent = directory
    let file = try name.withView { (name) throws(Errno) -> OwnedDescriptor in
      try OwnedDescriptor.create(name, in: parent.descriptor, permissions: permissions)
    }
    isMine = true
    file.holdLock()
    return file
  }

  /// Creates the folder for listing; by default only the owner may enter it at first.
  package mutating func createFolder(permissions: UInt32 = 0o700) throws(Errno) -> DirectoryHandle {
    let parent = directory
    return try name.withView { (name) throws(Errno) -> DirectoryHandle in
      try DirectoryChange.makeDirectory(name, in: parent.descriptor, permissions: permissions)
      isMine = true
      let folder = try parent.open(name, for: .list)
      folder.descriptor.holdLock()
      return folder
    }
  }

  /// Creates a symbolic link.
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
  /// Renames the item to its final name in one step, and replaces a file or empty folder.
  package mutating func publish(replacing target: FileName) throws(Errno) {
    try rename(to: target, replacing: true)
    isMine = false
  }

  /// Renames the item to its final name in one step, or fails with EEXIST.
  package mutating func publish(as target: FileName) throws(Errno) {
    try ItemRename.rename(name, in: directory, to: target, in: directory)
    isMine = false
  }

  /// Exchanges the item with another, which gets the hidden name and is removed at the end of this value.
  ///
  /// A second call undoes the first.
  ///
  /// - Throws: EINVAL, ENOSYS or EOPNOTSUPP if the file system cannot exchange items.
  package mutating func exchange(with target: FileName) throws(Errno) {
    let parent = directory
    try name.withView { (name) throws(Errno) in
      try target.withView { (target) throws(Errno) in
        try DirectoryChange.exchange(name, in: parent.descriptor, with: target, in: parent.descriptor)
      }
    }
  }

  /// Removes the item with the hidden name.
  package borrowing func remove() throws(FailedItem) { try TreeRemoval.remove(name, from: directory) }

  /// Keeps the item with the hidden name, even at the end of this value.
  package mutating func abandon() { isMine = false }

  /// Undoes `publish(as:)`: renames the item to its hidden name.
  package mutating func takeBack(from target: FileName) throws(Errno) {
    try ItemRename.rename(target, in: directory, to: name, in: directory)
    isMine = true
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
