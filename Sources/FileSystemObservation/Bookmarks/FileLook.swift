import FileIdentity
import LinuxFileSystem
import SystemPackage

/// What stands at a path: everything by which a file can be told from others, read from one open inode.
struct FileLook: Equatable, Sendable {
  var path: FilePath
  var status: FileStatus
  var tag: TagReading
  /// Whether there may be a tag that this process may not read.
  var mayHideTag = false
  /// The identifier of the file system, see `FileSystem.fileSystemIdentifier`.
  var fileSystem: UInt64
  var handle: LastingHandle?
  /// Whether the inode number is more than the kernel's present one.
  var hasLastingInode = true

  var key: FileKey { FileKey(status) }
  var kind: FileKind { status.kind }

  /// The UUID that the file has without a tag.
  var computedUUID: UUIDBits { .minted(for: key, on: fileSystem) }

  /// Whether the tag was minted for this inode, so that it was not copied from another.
  var bearsOwnTag: Bool { tag.uuid?.isMinted(for: key, on: fileSystem) ?? false }
}

extension FileLook {
  /// Looks at a name without following a symbolic link, and opens nothing for reading.
  ///
  /// - Parameter path: The path of the name, for the result.
  static func at(
    _ name: NameView, in directory: DirectoryHandle, _ path: FilePath, _ files: HostFileSystem
  ) throws(Errno) -> FileLook {
    let file = try OwnedDescriptor.openPath(name, in: directory.descriptor)
    let description = try FileSystemDescription.of(file)
    let type = FileSystemType(magic: description.type)
    let status = try files.status(ofOpen: file)
    let takesTag = status.kind == .file || status.kind == .directory
    let tag = takesTag ? files.readTag(ofOpen: file) : .unreadable
    return FileLook(
      path: path, status: status, tag: tag,
      mayHideTag: takesTag && tag == .unreadable && !files.isTagUnsupported(of: name, in: directory),
      fileSystem: description.identifier == 0 ? status.device : description.identifier,
      handle: LastingHandle.of(file, on: type), hasLastingInode: type.hasLastingInodeNumbers)
  }
}
