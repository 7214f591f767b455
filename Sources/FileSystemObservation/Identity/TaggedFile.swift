import FileIdentity
import LinuxFileSystem
import SystemPackage

/// A file or folder that somebody names, ready for reading and writing its tag.
///
/// Everything is done relative to the open folder that it is in. Nothing is opened for reading but folders.
struct TaggedFile {
  private let tag: FileTag
  private let files: HostFileSystem
  private let directory: DirectoryHandle
  private let name: FileName
  private let status: FileStatus

  /// Looks it up.
  ///
  /// Symbolic links on the way are followed, a link at the end is not.
  init(_ path: FilePath, _ tag: FileTag, _ files: HostFileSystem) throws(Errno) {
    let (folder, name) = Self.split(path)
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder, for: .search))
    self.name = name
    self.tag = tag
    self.files = files
    let directory = directory
    status = try name.withView { (name) throws(Errno) in try files.status(of: name, in: directory) }
  }

  /// Whether it is something that can bear a tag.
  var isTaggable: Bool { status.kind == .file || status.kind == .directory }

  /// Whether it is something that an observer knows by a UUID.
  var hasIdentity: Bool { status.kind != .special }

  /// Whether its file system keeps no attributes.
  var isUnsupported: Bool { name.withView { tag.isUnsupported(for: $0, in: directory.descriptor) } }

  /// What stands in its tag.
  var reading: TagReading {
    isTaggable ? name.withView { tag.read(of: $0, in: directory.descriptor) } : .none
  }

  /// The UUID by which it is known as long as it bears none.
  var computedUUID: UUIDBits {
    let fileSystem = name.withView { files.fileSystemIdentifier(of: status, named: $0, in: directory) }
    return .minted(for: FileKey(status), on: fileSystem)
  }

  /// Gives it a UUID unless it has one.
  ///
  /// Another program may be faster: then the tag is that program's.
  func claim() throws(Errno) {
    _ = try name.withView { (name) throws(Errno) in
      try files.claimTag(computedUUID, for: name, in: directory, expecting: FileKey(status))
    }
  }

  /// Gives it a UUID, whatever stands in its tag.
  ///
  /// - Throws: ENOENT where something else has taken its place meanwhile.
  func replaceTag(with uuid: UUIDBits) throws(Errno) {
    let writing = try name.withView { (name) throws(Errno) in
      try files.replaceTag(with: uuid, for: name, in: directory, expecting: FileKey(status))
    }
    guard writing == .written else { throw .noSuchFileOrDirectory }
  }

  /// Takes its tag away.
  ///
  /// Says whether there was one.
  func removeTag() throws(Errno) -> Bool {
    // Nothing is written where nothing is to be removed: read-only media need not complain.
    if reading == .none { return false }
    return try name.withView { (name) throws(Errno) in try tag.remove(from: name, in: directory.descriptor) }
  }

  private static func split(_ path: FilePath) -> (folder: FilePath, name: FileName) {
    guard let last = path.lastComponent, last.kind == .regular else { return (path, FileName(".")) }
    let folder = path.removingLastComponent()
    return (folder.isEmpty ? "." : folder, FileName(last))
  }
}
