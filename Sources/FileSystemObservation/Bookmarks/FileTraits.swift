import FileIdentity
import LinuxFileSystem

/// What tells an inode from all others, as a bookmark keeps it.
struct FileTraits: Hashable, Sendable {
  /// The size and the time of the last change of the content.
  struct Content: Hashable, Sendable {
    var size: Int64
    var modified: Int64
  }

  var inode: UInt64
  /// As in `FileKey`.
  var born: Int64
  /// The identifier of the file system.
  var fileSystem: UInt64
  var handle: LastingHandle?
  /// Only where nothing else is certain.
  var content: Content?

  init(inode: UInt64, born: Int64, fileSystem: UInt64, handle: LastingHandle? = nil, content: Content? = nil) {
    self.inode = inode
    self.born = born
    self.fileSystem = fileSystem
    self.handle = handle
    self.content = content
  }

  init(_ look: FileLook, isTagged: Bool) {
    self.init(inode: look.status.inode, born: look.key.born, fileSystem: look.fileSystem, handle: look.handle)
    let isCertain = isTagged || handle != nil || look.key.hasBirthTime && look.hasLastingInode
    if !isCertain, look.kind == .file { content = Content(look) }
  }

  var hasBirthTime: Bool { key.hasBirthTime }

  /// The key without the device, whose number may be another by now.
  private var key: FileKey { FileKey(device: 0, inode: inode, born: born) }
}

extension FileTraits.Content {
  fileprivate init(_ look: FileLook) {
    self.init(size: look.status.size, modified: look.status.modified)
  }
}

// MARK: - Comparing

extension FileTraits {
  /// Whether these are the traits of the inode that was looked at.
  ///
  /// An inode number alone says nothing: it is given to another file as soon as the first is gone. Only at the place
  /// where the file was, and where its file system keeps nothing better, it is enough.
  ///
  /// - Parameter isInPlace: Whether the look was at the place where the file was. There the file system may have another
  ///   identifier, because that of some is the number of their disk.
  func match(_ look: FileLook, isInPlace: Bool) -> Bool {
    guard isInPlace || fileSystem == look.fileSystem || hasMoved(to: look) else { return false }
    if let handle, let other = look.handle { return handle == other && inode == look.status.inode }
    guard born == look.key.born else { return false }
    // By the birth time or, where there is none, by the content.
    let isUnchanged = hasBirthTime || content == Content(look)
    if inode != look.status.inode { return isInPlace && !look.hasLastingInode && isUnchanged }
    return isInPlace || isUnchanged
  }

  /// Whether the file is on the same disk under another number: nothing else has its handle and its birth time.
  private func hasMoved(to look: FileLook) -> Bool {
    hasHandle(of: look) && hasBirthTime && born == look.key.born
  }

  /// Whether both have the same handle.
  func hasHandle(of look: FileLook) -> Bool { handle != nil && handle == look.handle }

  /// Whether an inode was born before this one, as far as that is known.
  func isYounger(than look: FileLook) -> Bool { hasBirthTime && look.key.hasBirthTime && look.key.born < born }
}
