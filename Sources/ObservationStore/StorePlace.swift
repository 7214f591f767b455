#if Store
internal import Glibc
internal import LinuxFileSystem
internal import SystemPackage

/// The files of a store: SQLite's own, and a lock.
enum StorePlace {
  /// What SQLite adds to the name of a file for the files beside it.
  private static let suffixes = ["", "-wal", "-shm"]

  static func lock(of path: FilePath) -> FilePath { sibling(of: path, "-lock") }

  static func hasLock(_ path: FilePath) -> Bool { exists(lock(of: path)) }

  /// Removes the file of a lock that this process holds.
  static func removeLock(of path: FilePath) { _ = unsafe lock(of: path).withPlatformString { unsafe unlink($0) } }

  private static func sibling(of path: FilePath, _ suffix: String) -> FilePath {
    FilePath(bytes: Array(path.bytes) + Array(suffix.utf8))
  }

  /// Makes the folder of a store, and checks that a store can be in it.
  static func prepareFolder(of path: FilePath) throws(ObservationStoreError) {
    let folder = path.removingLastComponent()
    // A file system that may never answer is not asked.
    if let mount = Mount.holding(folder), mount.mayHang { throw .remote(path, mount.type) }
    let description: FileSystemDescription
    do throws(Errno) {
      try makeFolders(folder)
      description = try FileSystemDescription.of(try OwnedDescriptor.openDirectory(at: folder, for: .list))
      if description.isReadOnly { throw Errno.readOnlyFileSystem }
    } catch {
      throw ObservationStoreError(error, at: path)
    }
    let type = FileSystemType(magic: description.type)
    if type.changesRemotely(mountType: { nil }) { throw .remote(path, type.name) }
  }

  private static func makeFolders(_ folder: FilePath) throws(Errno) {
    if unsafe folder.withPlatformString({ unsafe access($0, F_OK) }) == 0 { return }
    if folder.components.count > 1 { try makeFolders(folder.removingLastComponent()) }
    let code = unsafe folder.withPlatformString { unsafe mkdir($0, 0o700) }
    if code != 0, errno != EEXIST { throw Errno(rawValue: errno) }
  }

  /// Checks what is at the path of a store; whether that is nothing yet.
  ///
  /// It does not open the file: the descriptor, when it is closed, would take the locks of SQLite with it.
  static func isFree(_ path: FilePath) throws(ObservationStoreError) -> Bool {
    let status: FileStatus
    do throws(Errno) {
      status = try FileStatus.of(path: path)
    } catch {
      if error == .noSuchFileOrDirectory { return true }
      throw ObservationStoreError(error, at: path)
    }
    guard status.kind == .file else { throw ObservationStoreError.notAStore(path) }
    guard status.size == 0 else { return false }
    if exists(sibling(of: path, "-wal")) { throw ObservationStoreError.corrupt(path, "it has been truncated") }
    return true
  }

  /// Makes an empty file that only its owner can read.
  static func make(_ path: FilePath) throws(ObservationStoreError) {
    do {
      try FileDescriptor.open(
        path, .readWrite, options: [.create, .noFollow, .closeOnExec], permissions: [.ownerRead, .ownerWrite]
      ).close()
    } catch {
      throw ObservationStoreError(error as? Errno ?? .ioError, at: path)
    }
  }

  /// What to make of a file that SQLite does not know: zeros are what a crash leaves, other bytes are somebody else's.
  static func judge(_ path: FilePath) -> ObservationStoreError {
    let head = SmallFile.start(of: path, count: 100) ?? []
    let isStore = head.starts(with: Array("SQLite format 3".utf8)) || head.allSatisfy { $0 == 0 }
    return isStore ? .corrupt(path, "SQLite cannot read it") : .notAStore(path)
  }

  /// How many stores that were put aside are looked at.
  private static let mostAsides = 16

  /// The stores that were put aside from a path.
  static func asides(of path: FilePath) -> [FilePath] {
    (1...mostAsides).map { sibling(of: path, ".unusable-\($0)") }.filter(exists)
  }

  /// Whether a store is one file, so that one rename moves it.
  static func isAlone(_ path: FilePath) -> Bool {
    suffixes.allSatisfy { $0.isEmpty || !exists(sibling(of: path, $0)) }
  }

  /// Gives a store that was put aside its path again, which is free.
  static func putBack(_ aside: FilePath, to path: FilePath) throws(ObservationStoreError) {
    try rename(aside, to: path, of: path)
  }

  /// Renames the files of a store, so that another can take their place.
  ///
  /// - Returns: The new path.
  static func putAside(_ path: FilePath) throws(ObservationStoreError) -> FilePath {
    var number = 1
    while suffixes.contains(where: { exists(sibling(of: path, ".unusable-\(number)\($0)")) }) { number += 1 }
    let aside = sibling(of: path, ".unusable-\(number)")
    // The file itself goes last: if this ends in between, the rest is put aside the next time.
    for suffix in suffixes.reversed() where exists(sibling(of: path, suffix)) {
      try rename(sibling(of: path, suffix), to: sibling(of: aside, suffix), of: path)
    }
    return aside
  }

  private static func rename(
    _ old: FilePath, to new: FilePath, of store: FilePath
  ) throws(ObservationStoreError) {
    let code = unsafe old.withPlatformString { old in
      unsafe new.withPlatformString { unsafe Glibc.rename(old, $0) }
    }
    if code != 0 { throw ObservationStoreError(Errno(rawValue: errno), at: store) }
  }

  private static func exists(_ path: FilePath) -> Bool { (try? FileStatus.of(path: path)) != nil }
}
#endif
