package import SystemPackage

/// Visits everything below a folder, depth first.
///
/// It follows no symbolic link and enters no other mount. It uses one open directory for each level, so that renames
/// cannot lead it out of the folder.
package struct FolderWalk {
  /// The kind of a visit.
  package enum Visit {
    /// An object that is not a directory.
    case item(FileStatus)
    /// A directory whose entries come next.
    case enters(FileStatus, DirectoryHandle)
    /// A directory whose entries have all been visited.
    case leaves(DirectoryHandle)
    /// A directory covered by a mount; its entries are not visited.
    case mountPoint(FileStatus)
  }

  /// A visited item: its name and its folder.
  package struct Stop {
    package let name: FileName
    package let folder: DirectoryHandle
    package let visit: Visit
    /// The path from the top folder.
    package let path: FilePath
  }

  private struct Level {
    let name: FileName
    let folder: DirectoryHandle
    let path: FilePath
    var rest: ArraySlice<FileName>
  }

  private var levels: [Level] = []
  /// Before Linux 5.8 device numbers replace mount numbers.
  private let mount: MountNumber?
  private let device: UInt64
  private let makesAccessible: Bool
  private let reader = DirectoryReader()

  /// Starts a walk.
  ///
  /// - Parameters:
  ///   - folder: The folder, open for listing.
  ///   - makesAccessible: Whether directories get the permissions that the walk needs; for items of this process only.
  package init(_ folder: DirectoryHandle, makesAccessible: Bool = false) throws(FailedItem) {
    self.makesAccessible = makesAccessible
    mount = MountNumber.of(folder.descriptor)
    do throws(Errno) {
      device = try FileStatus.of(folder.descriptor).device
      levels.append(Level(name: FileName(""), folder: folder, path: FilePath(), rest: try names(in: folder)))
    } catch {
      throw FailedItem(path: FilePath(), errno: error)
    }
  }

  /// The next item; nothing at the end.
  ///
  /// Items removed after the listing are skipped.
  package mutating func next() throws(FailedItem) -> Stop? {
    while let level = levels.last {
      guard let name = level.rest.first else { return leave() }
      levels[levels.count - 1].rest.removeFirst()
      if let stop = try visit(name, in: level) { return stop }
    }
    return nil
  }

  /// Skips the entries of the last entered directory, which is then not left either.
  package mutating func skip() { levels.removeLast() }

  private mutating func leave() -> Stop? {
    let level = levels.removeLast()
    guard let parent = levels.last else { return nil }
    return Stop(name: level.name, folder: parent.folder, visit: .leaves(level.folder), path: level.path)
  }

  private mutating func visit(_ name: FileName, in level: Level) throws(FailedItem) -> Stop? {
    let path = level.path.appending(bytes: name.bytes)
    do throws(Errno) {
      return Stop(name: name, folder: level.folder, visit: try look(at: name, in: level.folder, path), path: path)
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw FailedItem(path: path, errno: error)
    }
  }

  private mutating func look(
    at name: FileName, in parent: DirectoryHandle, _ path: FilePath
  ) throws(Errno) -> Visit {
    let status = try name.withView { (name) throws(Errno) in try FileStatus.of(name, in: parent.descriptor) }
    guard status.kind == .directory else { return .item(status) }
    if makesAccessible { try? TreeRemoval.makeAccessible(name, in: parent) }
    let folder = try name.withView { (name) throws(Errno) in try parent.open(name, for: .list) }
    let isOnMount = mount.map { $0 == MountNumber.of(folder.descriptor) } ?? (status.device == device)
    guard isOnMount else { return .mountPoint(status) }
    levels.append(Level(name: name, folder: folder, path: path, rest: try names(in: folder)))
    return .enters(status, folder)
  }

  private func names(in folder: DirectoryHandle) throws(Errno) -> ArraySlice<FileName> {
    var names: [FileName] = []
    try reader.forEachEntry(of: folder.descriptor) { name, _, _ in names.append(FileName(name)) }
    return names[...]
  }
}
