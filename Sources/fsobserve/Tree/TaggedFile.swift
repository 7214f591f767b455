import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// A file or folder that is named on the command line, ready for reading and writing its tag.
struct TaggedFile {
  private static let tag = FileTag()
  private static let files = HostFileSystem(tag: tag, sparesLower: false)
  private let directory: DirectoryHandle
  private let name: FileName
  private let status: FileStatus

  /// Looks it up.
  ///
  /// Symbolic links on the way are followed, a link at the end is not.
  init(_ path: FilePath) throws(Errno) {
    let (folder, name) = Self.split(path)
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder, for: .search))
    self.name = name
    let directory = directory
    status = try name.withView { (name) throws(Errno) in try Self.files.status(of: name, in: directory) }
  }

  /// Whether it is something that can bear a tag.
  var isTaggable: Bool { status.kind == .file || status.kind == .directory }

  /// Whether it is something that an observer knows by a UUID.
  var hasIdentity: Bool { status.kind != .special }

  /// What stands in its tag.
  var tag: TagReading {
    isTaggable ? name.withView { Self.tag.read(of: $0, in: directory.descriptor) } : .none
  }

  /// The UUID by which it is known as long as it bears none.
  var computedUUID: UUIDBits {
    let fileSystem = name.withView { Self.files.fileSystemIdentifier(of: status, named: $0, in: directory) }
    return .minted(for: FileKey(status), on: fileSystem)
  }

  /// Gives it a UUID unless it has one.
  ///
  /// Another program may be faster: then the tag is that program's.
  func claim() throws(Errno) {
    _ = try name.withView { (name) throws(Errno) in
      try Self.files.claimTag(computedUUID, for: name, in: directory, expecting: FileKey(status))
    }
  }

  private static func split(_ path: FilePath) -> (folder: FilePath, name: FileName) {
    guard let last = path.lastComponent, last.kind == .regular else { return (path, FileName(".")) }
    let folder = path.removingLastComponent()
    return (folder.isEmpty ? "." : folder, FileName(last))
  }
}
