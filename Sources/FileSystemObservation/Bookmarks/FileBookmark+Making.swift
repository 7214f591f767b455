internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

extension FileBookmark {
  /// Makes a bookmark of a file, folder or symbolic link.
  ///
  /// May be called on any thread. Blocks on the disk, for at most about two seconds if a mount does not answer. Nothing
  /// is opened for reading.
  ///
  /// - Parameters:
  ///   - path: The path; a relative one begins at the working directory. Symbolic links on the way are followed, a link
  ///     at the end is not.
  ///   - writingTag: Whether to write the computed UUID as the tag of an item that has none, which makes the bookmark
  ///     survive copying and every save that keeps attributes. Where no tag can be written (FAT, read-only or another's
  ///     files, symbolic links), the bookmark relies on the inode: ``identity`` says so.
  ///   - tagName: The name of the attribute, as in ``FileSystemIdentity/init(tagName:)``.
  /// - Throws: `notFound`, `notReadable`, `notAnswering`; `notAFile` for a FIFO, socket or device; `invalidArgument` for
  ///   a malformed name of the attribute.
  public init(
    forFileAt path: FilePath, writingTag: Bool = true, tagName: String = "user.fsobserver.uuid"
  ) throws(FileBookmarkError) {
    try Self.check(tagName)
    let looker = PathLooker(tagName: tagName)
    let look = try Self.performing(at: path) { () throws(Errno) in
      let place = try looker.place(of: path)
      let look = try looker.look(at: place, try looker.absolute(path, place))
      return writingTag ? try looker.claimingTag(look, at: place) : look
    }
    guard look.kind != .special else { throw .notAFile(path) }
    self.init(look, tagName: tagName)
  }

  /// Makes a bookmark of the item at a file URL; see the call with a path.
  ///
  /// - Throws: `invalidArgument` for a URL that is not a file URL, besides the errors of the call with a path.
  public init(
    forFileAt url: URL, writingTag: Bool = true, tagName: String = "user.fsobserver.uuid"
  ) throws(FileBookmarkError) {
    let path: FilePath
    do throws(FileSystemObserverError) {
      path = try FilePath(argument: url)
    } catch {
      throw .invalidArgument(error)
    }
    try self.init(forFileAt: path, writingTag: writingTag, tagName: tagName)
  }

  /// Makes a bookmark of an item of an observer, a snapshot or a change.
  ///
  /// The bookmark has the UUID of the item, even if its tag is not written yet. Nothing is written. Blocks on the disk
  /// like ``init(forFileAt:writingTag:tagName:)-(FilePath,_,_)``.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - tagName: ``FileSystemObserver/Configuration/tagName`` of the observer.
  /// - Throws: `notFound` if there is nothing or another item at the path by now; `notReadable`, `notAnswering`,
  ///   `invalidArgument`.
  public init(
    for item: FileSystemItem.Snapshot, tagName: String = "user.fsobserver.uuid"
  ) throws(FileBookmarkError) {
    try Self.check(tagName)
    let looker = PathLooker(tagName: tagName)
    let look = try Self.performing(at: item.path) { () throws(Errno) in try looker.look(at: item.path) }
    guard Self.isItem(item, look) else { throw .otherItem(item.path) }
    self.init(look, knownAs: UUIDBits(item.uuid), tagName: tagName)
  }

  /// Whether an item was looked at: by its tag, or by its birth time while it has none.
  private static func isItem(_ item: FileSystemItem.Snapshot, _ look: FileLook) -> Bool {
    guard look.kind != .special, FileSystemItem.Kind(look.kind) == item.kind else { return false }
    if let uuid = look.tag.uuid { return uuid == UUIDBits(item.uuid) }
    return item.creationNanoseconds == nil || item.creationNanoseconds == look.key.born
      || look.computedUUID == UUIDBits(item.uuid)
  }

  private static func check(_ tagName: String) throws(FileBookmarkError) {
    do throws(FileSystemObserverError) {
      _ = try FileSystemIdentity(tagName: tagName)
    } catch {
      throw .invalidArgument(error)
    }
  }

  private static func performing<Result>(
    at path: FilePath, _ body: () throws(Errno) -> Result
  ) throws(FileBookmarkError) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw FileBookmarkError(error, at: path)
    }
  }
}

extension PathLooker {
  /// Writes the tag of a file that has none, if that is possible; what the file is then.
  fileprivate func claimingTag(_ look: FileLook, at place: Place) throws(Errno) -> FileLook {
    var look = look
    // Another item may replace it meanwhile.
    for _ in 0..<3 where look.tag == .none {
      guard (try? claimTag(of: look, at: place)) != nil else { break }
      look = try self.look(at: place, look.path)
    }
    return look
  }

  /// The absolute path of a place: as it was given, or, if it was relative or has `..`, as the kernel knows it.
  ///
  /// `..` above a symbolic link leads elsewhere than the text says.
  fileprivate func absolute(_ path: FilePath, _ place: Place) throws(Errno) -> FilePath {
    let isPlain = path.isAbsolute && !path.components.contains { $0.kind == .parentDirectory }
    if isPlain { return path.lexicallyNormalized() }
    guard let directory = realPath(of: place.directory) else { throw .noSuchFileOrDirectory }
    return place.name == FileName(".") ? directory : directory.appending(bytes: place.name.bytes)
  }
}
