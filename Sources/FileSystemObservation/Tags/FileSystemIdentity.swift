internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// Reads and writes the identities of files without an observer.
///
/// ```swift
/// let identity = try FileSystemIdentity()
/// let uuid = try identity.claim(forItemAt: "/home/me/Documents/letter.odt").uuid
/// ```
///
/// An observer that finds the files uses the same UUIDs, unless it knows more: a file that can have no tag, and was saved
/// by replacement, is the same document to an observer that has seen it, and another file to these calls. A running
/// observer notices writes made here, and announces them.
///
/// Symbolic links on the way to an item are followed, a link at the end is not. FIFOs, sockets and devices have no
/// identity; calls reject them and never open them. All calls may be made on any thread. Each blocks on the disk, without
/// limit if a file system does not answer; only ``removeTags(below:failed:)`` gives up.
public struct FileSystemIdentity: Sendable {
  /// The identity of an item.
  public struct Value: Sendable, Hashable, Codable {
    /// The UUID.
    public let uuid: UUID
    /// The basis of the UUID: the item's tag, or its inode if it has no tag.
    public let kind: FileSystemItem.IdentityKind

    /// Makes a value, for tests.
    public init(uuid: UUID, kind: FileSystemItem.IdentityKind) {
      self.uuid = uuid
      self.kind = kind
    }
  }

  /// The name of the extended attribute with the UUID.
  public let tagName: String

  let tag: FileTag
  let files: HostFileSystem

  /// Makes an accessor for identities in an extended attribute.
  ///
  /// - Parameter tagName: The name of the attribute: it begins with `user.` and has at most 255 bytes.
  /// - Throws: `invalidArgument` for an invalid name.
  public init(tagName: String = "user.fsobserver.uuid") throws(FileSystemObserverError) {
    var configuration = FileSystemObserver.Configuration(directory: "/")
    configuration.tagName = tagName
    try configuration.check()
    self.tagName = tagName
    tag = FileTag(name: tagName)
    files = HostFileSystem(tag: tag, sparesLower: false)
  }
}

// MARK: - One item

extension FileSystemIdentity {
  /// The identity of an item: the UUID in its tag, or else the one computed from file system, inode and birth time.
  ///
  /// Nothing is written. A tag that is not a UUID counts as missing.
  ///
  /// - Parameter path: A file, folder or symbolic link.
  /// - Throws: `fileOperationFailed` if the item cannot be looked up; `notAFile` if it has no identity.
  public func uuid(ofItemAt path: FilePath) throws(FileSystemObserverError) -> Value {
    value(of: try item(at: path, for: .read))
  }

  /// Writes the computed UUID as the item's tag, unless it has a tag.
  ///
  /// Concurrent calls, also of other programs, get the same result. Only the tag is written.
  ///
  /// - Parameter path: A file or folder.
  /// - Returns: The UUID in the tag after the call.
  /// - Throws: `fileOperationFailed` if the item cannot be looked up or its tag cannot be written, and if its tag is
  ///   not a UUID or cannot be read; `notAFile` if the item cannot have a tag.
  public func claim(forItemAt path: FilePath) throws(FileSystemObserverError) -> Value {
    var item = try taggableItem(at: path)
    // Another item may replace it meanwhile.
    for _ in 0..<3 where item.reading == .none {
      try perform(.set, at: path) { () throws(Errno) in try item.claim() }
      item = try taggableItem(at: path)
    }
    guard let uuid = item.reading.uuid else { throw refusal(of: item, at: path) }
    return Value(uuid: UUID(uuid), kind: .tag)
  }

  /// Writes a UUID as the item's tag, replacing any tag.
  ///
  /// If another existing item has the UUID, an observer takes this item for a copy and gives it a UUID of its own.
  ///
  /// - Parameters:
  ///   - uuid: The UUID.
  ///   - path: A file or folder.
  /// - Throws: `fileOperationFailed` if the item cannot be looked up or its tag cannot be written; `notAFile` if the
  ///   item cannot have a tag.
  public func setUUID(_ uuid: UUID, forItemAt path: FilePath) throws(FileSystemObserverError) {
    let item = try taggableItem(at: path)
    try perform(.set, at: path) { () throws(Errno) in try item.replaceTag(with: UUIDBits(uuid)) }
  }

  /// Removes the tag of an item.
  ///
  /// - Parameter path: A file, folder or symbolic link; a link has no tag.
  /// - Returns: Whether the item had a tag.
  /// - Throws: `fileOperationFailed` if the item cannot be looked up or the tag cannot be removed; `notAFile` if the
  ///   item has no identity.
  @discardableResult
  public func removeTag(fromItemAt path: FilePath) throws(FileSystemObserverError) -> Bool {
    let item = try item(at: path, for: .removed)
    return try perform(.removed, at: path) { () throws(Errno) in try item.removeTag() }
  }
}

// MARK: - A tree

extension FileSystemIdentity {
  /// Removes the tags of a directory and of everything below it, including hidden items.
  ///
  /// Symbolic links are not followed, and only directories are opened. A mount that may not answer (FUSE, NFS, …) is
  /// waited for five seconds; its tags remain.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - failed: Called on the calling thread with each path where a tag may remain: a tag that could not be removed,
  ///     or a directory that could not be listed.
  /// - Returns: The number of tags removed.
  /// - Throws: `rootNotFound`, `rootNotDirectory`, `rootNotReadable` or `rootNotAnswering` if the directory cannot be
  ///   opened.
  @discardableResult
  public func removeTags(
    below directory: FilePath, failed: (FilePath, Errno) -> Void = { _, _ in }
  ) throws(FileSystemObserverError) -> Int {
    try withoutActuallyEscaping(failed) { failed throws(FileSystemObserverError) in
      let removal = TagRemoval(tag, reportingTo: failed)
      try removal.remove(below: directory)
      return removal.count
    }
  }
}

// MARK: - Looking up

extension FileSystemIdentity {
  /// Looks at an item.
  ///
  /// - Parameter task: What for, if that fails.
  private func item(
    at path: FilePath, for task: FileSystemObserverError.IdentityTask
  ) throws(FileSystemObserverError) -> TaggedFile {
    let item = try perform(task, at: path) { () throws(Errno) in try TaggedFile(path, tag, files) }
    guard item.hasIdentity else {
      throw FileSystemObserverError(
        code: .notAFile, sentence: "\(path): only files, folders and symbolic links have a UUID", path: path)
    }
    return item
  }

  private func taggableItem(at path: FilePath) throws(FileSystemObserverError) -> TaggedFile {
    let item = try item(at: path, for: .set)
    guard item.isTaggable else {
      throw FileSystemObserverError(code: .notAFile, sentence: "\(path): a symbolic link bears no tag", path: path)
    }
    return item
  }

  private func value(of item: TaggedFile) -> Value {
    if let uuid = item.reading.uuid { return Value(uuid: UUID(uuid), kind: .tag) }
    return Value(uuid: UUID(item.computedUUID), kind: .inode)
  }

  /// The error for an item without a UUID in its tag.
  private func refusal(of item: TaggedFile, at path: FilePath) -> FileSystemObserverError {
    switch item.reading {
    case .garbage:
      FileSystemObserverError(
        code: .fileOperationFailed,
        sentence: "\(path): its tag is not a UUID; setfattr -x \(tagName) takes it away", path: path, errno: .fileExists
      )
    case .unreadable where item.isUnsupported:
      FileSystemObserverError(
        code: .fileOperationFailed, sentence: "\(path): its tag cannot be read here: its file system keeps none",
        path: path, errno: .notSupported)
    case .none, .uuid, .unreadable:
      FileSystemObserverError(code: .fileOperationFailed, sentence: "\(path): its tag cannot be read here", path: path)
    }
  }

  private func perform<Result>(
    _ task: FileSystemObserverError.IdentityTask, at path: FilePath, _ body: () throws(Errno) -> Result
  ) throws(FileSystemObserverError) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw FileSystemObserverError(task, ofItemAt: path, error)
    }
  }
}

extension FileSystemIdentity: Hashable, CustomStringConvertible {
  /// Whether both use the same attribute.
  public static func == (left: FileSystemIdentity, right: FileSystemIdentity) -> Bool { left.tagName == right.tagName }

  /// Hashes the name of the attribute.
  public func hash(into hasher: inout Hasher) { hasher.combine(tagName) }

  /// The name of the attribute.
  public var description: String { "FileSystemIdentity in \(tagName)" }
}
