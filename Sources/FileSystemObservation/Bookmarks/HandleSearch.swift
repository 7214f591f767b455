import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Finds a file by its handle (open_by_handle_at(2)), which needs the capability CAP_DAC_READ_SEARCH.
struct HandleSearch {
  /// What the file system says of a handle.
  enum Outcome: Equatable {
    /// The file may be anywhere: there is no handle, or no permission to use it.
    case unknown
    /// No name and no process has the file any more.
    case gone
    /// The file exists.
    case exists(FileLook)
    /// The file exists, and the kernel has not found out where.
    case existsSomewhere
  }

  private let looker: PathLooker

  init(_ looker: PathLooker) {
    self.looker = looker
  }

  /// Looks for a file on its file system, which is found by directories that may be on it.
  func find(_ bookmark: FileBookmark, beginningAt folders: [FilePath]) -> Outcome {
    guard let handle = bookmark.traits.handle, let mount = mount(of: bookmark, folders) else { return .unknown }
    do throws(Errno) {
      let file = try handle.open(on: mount.descriptor)
      let status = try FileStatus.of(file)
      if status.linkCount == 0 { return .gone }
      guard let path = FilePath.ofOpen(file), let look = try? looker.look(at: path),
        bookmark.traits.match(look, isInPlace: false)
      else { return .existsSomewhere }
      return .exists(look)
    } catch {
      return error == .staleNFSFileHandle ? .gone : .unknown
    }
  }

  private func mount(of bookmark: FileBookmark, _ folders: [FilePath]) -> DirectoryHandle? {
    let fileSystem = bookmark.traits.fileSystem
    for folder in bookmark.lastKnownPath.ancestors + folders {
      if let found = looker.openForHandles(at: folder, on: fileSystem) { return found }
    }
    // The disk may be mounted elsewhere by now.
    let guarded = Set(MountPoint.special().map(\.path))
    for mount in Mount.all() where !guarded.contains(mount.path) {
      if let found = looker.openForHandles(at: mount.path, on: fileSystem) { return found }
    }
    return nil
  }
}

extension FilePath {
  /// The directories above, the nearest first.
  fileprivate var ancestors: [FilePath] {
    var ancestors: [FilePath] = []
    var path = self
    while !path.components.isEmpty {
      path.removeLastComponent()
      ancestors.append(path)
    }
    return ancestors
  }
}
