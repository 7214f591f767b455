import FileIdentity
import LinuxFileSystem
import SystemPackage

/// A file or folder whose tag can be read and written.
///
/// All operations are relative to its open parent folder. Only folders are opened for reading.
struct TaggedFile {
  private let tag: FileTag
  private let files: HostFileSystem
  private let directory: DirectoryHandle
  private let name: FileName
  private let status: FileStatus

  /// Looks up the item.
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

  /// Whether the item can have a tag.
  var isTaggable: Bool { status.kind == .file || status.kind == .directory }

  /// Whether the item has an identity.
  var hasIdentity: Bool { status.kind != .special }

  /// Whether the item's file system keeps no attributes.
  var isUnsupported: Bool { name.withView { tag.isUnsupported(for: $0, in: directory.descriptor) } }

  /// The result of reading the tag.
  var reading: TagReading {
    isTaggable ? name.withView { tag.read(of: $0, in: directory.descriptor) } : .none
  }

  /// The UUID of the item while it has no tag.
  var computedUUID: UUIDBits {
    let fileSystem = name.withView { files.fileSystemIdentifier(of: status, named: $0, in: directory) }
    return .minted(for: FileKey(status), on: fileSystem)
  }

  /// Writes the computed UUID as the tag, unless the item has a tag.
  ///
  /// Another program may write its tag first, which then stays.
  func claim() throws(Errno) {
    _ = try name.withView { (name) throws(Errno) in
      try files.claimTag(computedUUID, for: name, in: directory, expecting: FileKey(status))
    }
  }

  /// Writes a UUID as the tag, replacing any tag.
  ///
  /// - Throws: ENOENT if another item has replaced this one meanwhile.
  func replaceTag(with uuid: UUIDBits) throws(Errno) {
    let writing = try name.withView { (name) throws(Errno) in
      try files.replaceTag(with: uuid, for: name, in: directory, expecting: FileKey(status))
    }
    guard writing == .written else { throw .noSuchFileOrDirectory }
  }

  /// Removes the tag.
  ///
  /// - Returns: Whether the item had a tag.
  func removeTag() throws(Errno) -> Bool {
    // Skip an item without a tag, so that read-only media report no error.
    if reading == .none { return false }
    return try name.withView { (name) throws(Errno) in try tag.remove(from: name, in: directory.descriptor) }
  }

  private static func split(_ path: FilePath) -> (folder: FilePath, name: FileName) {
    guard let last = path.lastComponent, last.kind == .regular else { return (path, FileName(".")) }
    let folder = path.removingLastComponent()
    return (folder.isEmpty ? "." : folder, FileName(last))
  }
}
