import Glibc
package import SystemPackage

/// Removes folders with everything in them, through open directories, without following symbolic links or entering
/// other mounts.
package enum TreeRemoval {
  /// Removes a file, or a folder with everything below it.
  ///
  /// It stops at the first item that cannot be removed; earlier items are gone.
  package static func remove(_ name: FileName, from parent: DirectoryHandle) throws(FailedItem) {
    try remove(name, from: parent, isOwn: false)
  }

  /// Removes items of this process as far as possible, whatever their permissions are.
  package static func removeOwn(_ name: FileName, from parent: DirectoryHandle) {
    try? remove(name, from: parent, isOwn: true)
  }

  /// The same.
  ///
  /// - Parameter isOwn: Whether a process of this user has made the items: then their permissions do not count.
  package static func remove(_ name: FileName, from parent: DirectoryHandle, isOwn: Bool) throws(FailedItem) {
    try at(FilePath()) { () throws(Errno) in
      if isOwn { try? makeAccessible(name, in: parent) }
    }
    if try unlink(name, from: parent) { return }
    let folder = try at(FilePath()) { () throws(Errno) in
      try name.withView { (name) throws(Errno) in try parent.open(name, for: .list) }
    }
    try removeContents(of: folder, isOwn: isOwn)
    try at(FilePath()) { () throws(Errno) in
      try name.withView { (name) throws(Errno) in try DirectoryChange.removeDirectory(name, in: parent.descriptor) }
    }
  }

  /// Removes an object that is not a directory; returns whether it was one.
  private static func unlink(_ name: FileName, from parent: DirectoryHandle) throws(FailedItem) -> Bool {
    do throws(Errno) {
      try name.withView { (name) throws(Errno) in try DirectoryChange.unlink(name, in: parent.descriptor) }
      return true
    } catch {
      if error == .isDirectory { return false }
      throw FailedItem(path: FilePath(), errno: error)
    }
  }

  private static func removeContents(of folder: DirectoryHandle, isOwn: Bool) throws(FailedItem) {
    var walk = try FolderWalk(folder, makesAccessible: isOwn)
    while let stop = try walk.next() {
      try at(stop.path) { () throws(Errno) in
        try stop.name.withView { (name) throws(Errno) in
          switch stop.visit {
          case .item: try DirectoryChange.unlink(name, in: stop.folder.descriptor)
          case .leaves: try DirectoryChange.removeDirectory(name, in: stop.folder.descriptor)
          case .mountPoint: throw .resourceBusy
          case .enters: break
          }
        }
      }
    }
  }

  private static func at(_ path: FilePath, _ body: () throws(Errno) -> Void) throws(FailedItem) {
    _ = try at(path) { () throws(Errno) -> Bool in
      try body()
      return true
    }
  }

  private static func at<Result>(_ path: FilePath, _ body: () throws(Errno) -> Result) throws(FailedItem) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw FailedItem(path: path, errno: error)
    }
  }

  /// Permits the owner to list and change a directory of this process.
  static func makeAccessible(_ name: FileName, in parent: DirectoryHandle) throws(Errno) {
    try name.withView { (name) throws(Errno) in
      guard try FileStatus.of(name, in: parent.descriptor).kind == .directory else { return }
      _ = try retryingOnInterrupt { unsafe Glibc.fchmodat(parent.descriptor.number, name.cString, 0o700, 0) }
    }
  }
}

extension TreeRemoval {
  /// Finds an obstacle to the removal of a folder's contents, as far as it is visible before.
  ///
  /// - Throws: EACCES for a folder that must not be changed, EPERM for an immutable item, EBUSY for a mount point.
  package static func check(contentsOf folder: DirectoryHandle) throws(FailedItem) {
    var walk = try FolderWalk(folder)
    var isEmpty = true
    while let stop = try walk.next() {
      isEmpty = false
      switch stop.visit {
      case .item(let status), .enters(let status, _):
        try at(stop.path.removingLastComponent()) { () throws(Errno) in try requireChangeable(stop.folder) }
        try at(stop.path) { () throws(Errno) in try requireRemovable(status, from: stop.folder) }
      case .mountPoint: throw FailedItem(path: stop.path, errno: .resourceBusy)
      case .leaves: break
      }
    }
    if !isEmpty { try at(FilePath()) { () throws(Errno) in try requireChangeable(folder) } }
  }

  /// Throws for an immutable item, and for one of another user in a folder with the sticky bit.
  private static func requireRemovable(_ item: FileStatus, from folder: DirectoryHandle) throws(Errno) {
    if item.isImmutable { throw .notPermitted }
    let user = geteuid()
    if user == 0 || item.owner == user { return }
    let parent = try FileStatus.of(folder.descriptor)
    if parent.permissions & 0o1000 != 0, parent.owner != user { throw .notPermitted }
  }

  /// Whether the permissions of a folder allow adding and removing names.
  package static func requireChangeable(_ folder: DirectoryHandle) throws(Errno) {
    let number = folder.descriptor.number
    _ = try retryingOnInterrupt { unsafe Glibc.faccessat(number, ".", W_OK | X_OK, AT_EACCESS) }
  }
}
