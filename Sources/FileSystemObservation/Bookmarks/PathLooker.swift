import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Looks at single paths, and waits for no mount that does not answer.
///
/// Symbolic links on the way are followed, a link at the end is not.
final class PathLooker: Sendable {
  /// An open directory, and a name in it.
  struct Place {
    let directory: DirectoryHandle
    let name: FileName
  }

  private let host: HostFileSystem
  private let files: GuardedFileSystem

  init(tagName: String) {
    host = HostFileSystem(tag: FileTag(name: tagName), sparesLower: false)
    files = GuardedFileSystem(host)
  }

  deinit {
    files.end()
  }

  /// Opens the directory that has the last name of a path.
  func place(of path: FilePath) throws(Errno) -> Place {
    let isName = path.lastComponent?.kind == .regular
    let folder = isName ? path.removingLastComponent() : path
    let directory = try files.openRoot(at: folder.isEmpty ? "." : folder)
    // From now on the guards know the mounts below it.
    files.noteRoot(directory)
    return Place(
      directory: directory, name: path.lastComponent.flatMap { isName ? FileName($0) : nil } ?? FileName("."))
  }

  /// The item at a path.
  ///
  /// - Throws: ETIMEDOUT if its mount does not answer.
  func look(at path: FilePath) throws(Errno) -> FileLook { try look(at: try place(of: path), path) }

  func look(at place: Place, _ path: FilePath) throws(Errno) -> FileLook {
    let (host, directory, name) = (host, place.directory, place.name)
    return try name.withView { (view) throws(Errno) in
      try files.guarded(view, in: directory) { () throws(Errno) in
        try name.withView { (name) throws(Errno) in try FileLook.at(name, in: directory, path, host) }
      }
    }
  }

  /// Writes the UUID that a file has without a tag into its tag, unless it has one.
  func claimTag(of look: FileLook, at place: Place) throws(Errno) {
    _ = try place.name.withView { (name) throws(Errno) in
      try files.claimTag(look.computedUUID, for: name, in: place.directory, expecting: look.key)
    }
  }

  /// The real path of a directory, without symbolic links; `nil` if it cannot be opened.
  func realPath(ofDirectory path: FilePath) -> FilePath? {
    (try? files.openRoot(at: path)).flatMap { realPath(of: $0) }
  }

  func realPath(of directory: DirectoryHandle) -> FilePath? { files.path(of: directory) }

  /// Opens a directory so that files of its file system can be opened by their handles.
  ///
  /// - Returns: `nil` if it is on another file system.
  func openForHandles(at path: FilePath, on fileSystem: UInt64) -> DirectoryHandle? {
    guard let directory = try? files.openRoot(at: path), directory.mountGuard == nil,
      (try? FileSystemDescription.of(directory.descriptor))?.identifier == fileSystem
    else { return nil }
    return try? files.reopenForListing(directory)
  }
}
