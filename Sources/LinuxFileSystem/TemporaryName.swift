package import SystemPackage

/// A hidden, unguessable name for a file that is being made, and the file's removal unless it is published under its
/// own name.
///
/// Whoever lets go of it on an error path leaves nothing behind. Only a process that is killed leaves a file with such
/// a name.
package struct TemporaryName: ~Copyable {
  private static let prefix = ".fsobserver-"

  private let directory: DirectoryHandle
  private let name: FileName
  private var isMine = false

  /// Chooses a name; there is nothing at it yet.
  package init(in directory: DirectoryHandle) {
    self.directory = directory
    // 64 random bits: nobody can put something there first, and `O_EXCL` would notice.
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    name = FileName(Self.prefix + digits + ".tmp")
  }

  deinit {
    if isMine { Self.remove(name, from: directory) }
  }

  /// Whether a name was made by this type: what bears it is no document, and not worth a look.
  package static func isTemporary(_ name: NameView) -> Bool {
    unsafe name.bytes.starts(with: prefix.utf8)
  }

  /// Creates the file, open for writing, which nobody but the owner may read or write for now.
  package mutating func createFile() throws(Errno) -> OwnedDescriptor {
    let parent = directory
    let file = try name.withView { (name) throws(Errno) -> OwnedDescriptor in
      try OwnedDescriptor.create(name, in: parent.descriptor, permissions: 0o600)
    }
    isMine = true
    return file
  }

  /// Gives the file its name in one step, in place of whatever file is there.
  package mutating func publish(replacing target: FileName) throws(Errno) {
    try rename(to: target, in: directory, replacing: true)
    isMine = false
  }

  /// Gives the file its name in one step, or fails with EEXIST where there is something.
  package mutating func publish(as target: FileName) throws(Errno) {
    do throws(Errno) {
      try rename(to: target, in: directory, replacing: false)
      isMine = false
    } catch {
      guard error == .invalidArgument || error == .noFunction || error == .notSupported else { throw error }
      try publishByLinking(as: target)
    }
  }

  /// The same where the file system has no `RENAME_NOREPLACE` (NFS): a second name, and the first goes.
  package mutating func publishByLinking(as target: FileName) throws(Errno) {
    try link(to: target, in: directory)
    Self.remove(name, from: directory)
    isMine = false
  }

  private borrowing func rename(
    to target: FileName, in directory: DirectoryHandle, replacing: Bool
  ) throws(Errno) {
    try name.withView { (name) throws(Errno) in
      try target.withView { (target) throws(Errno) in
        try DirectoryChange.rename(
          name, in: directory.descriptor, to: target, in: directory.descriptor, replacing: replacing)
      }
    }
  }

  private borrowing func link(to target: FileName, in directory: DirectoryHandle) throws(Errno) {
    try name.withView { (name) throws(Errno) in
      try target.withView { (target) throws(Errno) in
        try DirectoryChange.link(name, in: directory.descriptor, to: target, in: directory.descriptor)
      }
    }
  }

  private static func remove(_ name: FileName, from directory: DirectoryHandle) {
    name.withView { name in
      // Nothing more can be done where even this fails.
      try? DirectoryChange.unlink(name, in: directory.descriptor)
    }
  }
}
