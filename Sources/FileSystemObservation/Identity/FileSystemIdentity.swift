internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// The identities of files, read and written without an observer.
///
/// ```swift
/// let identity = try FileSystemIdentity()
/// let uuid = try identity.claim(forItemAt: "/home/me/Documents/letter.odt").uuid
/// ```
///
/// The answers are those of an observer that finds the files: it agrees with what is claimed here. What is written
/// while an observer runs is noticed by it, and told.
///
/// Symbolic links on the way to an item are followed, a link at the end is not. FIFOs, sockets and devices have no
/// identity; they are refused, and never opened. All calls may be made on any thread. Each waits for the disk, and for
/// as long as a file system does not answer.
public struct FileSystemIdentity: Sendable {
  /// What an item is known by.
  public struct Value: Sendable, Hashable, Codable {
    /// The UUID.
    public let uuid: UUID
    /// What the UUID rests on: the item's tag, or, where that has none, its inode.
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

  /// Makes a way to the identities that stand in an attribute.
  ///
  /// - Parameter tagName: The name of the attribute: it begins with `user.` and has at most 255 bytes.
  /// - Throws: `invalidArgument` for a name that cannot be one.
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
  /// The identity of an item: the UUID in its tag, or, where there is none, the one computed from file system, inode
  /// and birth time.
  ///
  /// Nothing is written. A tag that is no UUID counts as none.
  ///
  /// - Parameter path: A file, folder or symbolic link.
  /// - Throws: `fileOperationFailed` where it cannot be looked up; `notAFile` for what has no identity.
  public func uuid(ofItemAt path: FilePath) throws(FileSystemObserverError) -> Value {
    value(of: try item(at: path))
  }

  /// Gives an item the UUID that is computed for it, unless its tag has one already.
  ///
  /// Whoever else does that at the same time comes to the same result. Nothing but the tag is written.
  ///
  /// - Parameter path: A file or folder.
  /// - Returns: What stands in the tag then.
  /// - Throws: `fileOperationFailed` where it cannot be looked up or its tag not be written, and where there is a tag
  ///   that is no UUID or cannot be read; `notAFile` for what bears no tag.
  public func claim(forItemAt path: FilePath) throws(FileSystemObserverError) -> Value {
    var item = try taggableItem(at: path)
    // Something else may take its place meanwhile.
    for _ in 0..<3 where item.reading == .none {
      try perform(at: path) { () throws(Errno) in try item.claim() }
      item = try taggableItem(at: path)
    }
    guard let uuid = item.reading.uuid else { throw refusal(of: item, at: path) }
    return Value(uuid: UUID(uuid), kind: .tag)
  }

  /// Gives an item a UUID, whatever stands in its tag.
  ///
  /// An observer takes an item that bears the UUID of another that still stands for a copy, and gives it a UUID of its
  /// own.
  ///
  /// - Parameters:
  ///   - uuid: The UUID.
  ///   - path: A file or folder.
  /// - Throws: `fileOperationFailed` where it cannot be looked up or its tag not be written; `notAFile` for what bears
  ///   no tag.
  public func setUUID(_ uuid: UUID, forItemAt path: FilePath) throws(FileSystemObserverError) {
    let item = try taggableItem(at: path)
    try perform(at: path) { () throws(Errno) in try item.replaceTag(with: UUIDBits(uuid)) }
  }

  /// Takes the tag of an item away.
  ///
  /// - Parameter path: A file, folder or symbolic link; a link bears no tag.
  /// - Returns: Whether there was a tag.
  /// - Throws: `fileOperationFailed` where it cannot be looked up, or the tag not be removed; `notAFile` for what has
  ///   no identity.
  @discardableResult
  public func removeTag(fromItemAt path: FilePath) throws(FileSystemObserverError) -> Bool {
    let item = try item(at: path)
    return try perform(at: path) { () throws(Errno) in try item.removeTag() }
  }
}

// MARK: - A tree

extension FileSystemIdentity {
  /// Takes the tags of a directory and of everything below it away.
  ///
  /// Hidden items are not left out. Symbolic links are not followed, and nothing is opened but directories.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - failed: Called with each place where a tag may be left, on this thread: a tag that could not be removed, or a
  ///     directory that could not be listed.
  /// - Returns: How many tags were removed.
  /// - Throws: `rootNotFound`, `rootNotDirectory` or `rootNotReadable` where the directory cannot be opened.
  @discardableResult
  public func removeTags(
    below directory: FilePath, failed: (FilePath, Errno) -> Void = { _, _ in }
  ) throws(FileSystemObserverError) -> Int {
    try withoutActuallyEscaping(failed) { failed throws(FileSystemObserverError) in
      let removal = TagRemoval(tag, tell: failed)
      try removal.remove(below: directory)
      return removal.count
    }
  }
}

// MARK: - Looking up

extension FileSystemIdentity {
  private func item(at path: FilePath) throws(FileSystemObserverError) -> TaggedFile {
    let item = try perform(at: path) { () throws(Errno) in try TaggedFile(path, tag, files) }
    guard item.hasIdentity else {
      throw FileSystemObserverError(
        code: .notAFile, sentence: "\(path): only files, folders and symbolic links have a UUID", path: path)
    }
    return item
  }

  private func taggableItem(at path: FilePath) throws(FileSystemObserverError) -> TaggedFile {
    let item = try item(at: path)
    guard item.isTaggable else {
      throw FileSystemObserverError(
        code: .notAFile, sentence: "\(path): a symbolic link bears no tag", path: path)
    }
    return item
  }

  private func value(of item: TaggedFile) -> Value {
    if let uuid = item.reading.uuid { return Value(uuid: UUID(uuid), kind: .tag) }
    return Value(uuid: UUID(item.computedUUID), kind: .inode)
  }

  /// Why an item has no UUID in its tag.
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
      FileSystemObserverError(
        code: .fileOperationFailed, sentence: "\(path): its tag cannot be read here", path: path)
    }
  }

  private func perform<Result>(
    at path: FilePath, _ body: () throws(Errno) -> Result
  ) throws(FileSystemObserverError) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw FileSystemObserverError(
        code: .fileOperationFailed, sentence: "\(path): \(error)", path: path, errno: error)
    }
  }
}

extension FileSystemIdentity: Hashable, CustomStringConvertible {
  /// Whether both are about the same attribute.
  public static func == (left: FileSystemIdentity, right: FileSystemIdentity) -> Bool { left.tagName == right.tagName }

  /// Hashes the name of the attribute.
  public func hash(into hasher: inout Hasher) { hasher.combine(tagName) }

  /// The name of the attribute.
  public var description: String { "FileSystemIdentity in \(tagName)" }
}
