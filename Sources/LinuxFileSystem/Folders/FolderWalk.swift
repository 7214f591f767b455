package import SystemPackage

/// Walks through everything below a folder, depth first.
///
/// It follows no symbolic link and enters no other mount. It goes by open directories, one for each level, so that it
/// never leaves the folder, whatever others rename meanwhile.
package struct FolderWalk {
  /// What was come across.
  package enum Visit {
    /// Anything but a directory.
    case item(FileStatus)
    /// A directory whose entries come next.
    case enters(FileStatus, DirectoryHandle)
    /// A directory whose entries have all been visited.
    case leaves(DirectoryHandle)
    /// A directory on which something is mounted; its entries are not visited.
    case mountPoint(FileStatus)
  }

  /// One thing that was come across: its name and its folder.
  package struct Stop {
    package let name: FileName
    package let folder: DirectoryHandle
    package let visit: Visit
    /// The path from the folder that is walked through.
    package let path: FilePath
  }

  private struct Level {
    let name: FileName
    let folder: DirectoryHandle
    let path: FilePath
    var rest: ArraySlice<FileName>
  }

  private var levels: [Level] = []
  /// Where the kernel does not tell mounts (before 5.8), the device numbers are compared.
  private let mount: MountNumber?
  private let device: UInt64
  private let makesAccessible: Bool
  private let reader = DirectoryReader()

  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - folder: The folder, open for listing.
  ///   - makesAccessible: Whether directories get the permissions that the walk needs; for what this process has made.
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
  /// Items that were removed after their folder was listed are passed over.
  package mutating func next() throws(FailedItem) -> Stop? {
    while let level = levels.last {
      guard let name = level.rest.first else { return leave() }
      levels[levels.count - 1].rest.removeFirst()
      if let stop = try visit(name, in: level) { return stop }
    }
    return nil
  }

  /// Passes over the entries of the directory that was entered last, which is then not left either.
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
