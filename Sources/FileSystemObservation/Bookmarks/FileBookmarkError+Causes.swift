import LinuxFileSystem
import SystemPackage

extension FileBookmarkError {
  // MARK: - Text

  static func noBookmark(_ text: String) -> FileBookmarkError {
    FileBookmarkError(
      code: .malformed, message: "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\" is not a bookmark",
      advice: "a bookmark begins with fsb1:")
  }

  static let damaged = FileBookmarkError(
    code: .malformed, message: "the bookmark has been changed or cut off: its checksum does not match",
    advice: "make another of the file")

  static let newerVersion = FileBookmarkError(
    code: .newerVersion, message: "the bookmark was made by a newer version of this library",
    advice: "use that version, or make another of the file")

  // MARK: - Looking

  /// The error of a system call on the path of a file.
  init(_ errno: Errno, at path: FilePath) {
    let name = path.printable
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory:
      self.init(
        code: .notFound, message: "there is nothing at \(name)", path: path, advice: "name a file that exists",
        errno: errno)
    case .permissionDenied, .notPermitted:
      self.init(
        code: .notReadable, message: "\(name) cannot be looked at: permission denied", path: path,
        advice: "ask for search permission of the folders above it", errno: errno)
    case .timedOut:
      self.init(
        code: .notAnswering, message: "the file system of \(name) does not answer", path: path,
        advice: "try again when the program or the server behind it does", errno: errno)
    default: self.init(code: .notReadable, message: "\(name) cannot be looked at: \(errno)", path: path, errno: errno)
    }
  }

  static func notAFile(_ path: FilePath) -> FileBookmarkError {
    FileBookmarkError(
      code: .notAFile, message: "\(path.printable): only files, folders and symbolic links have a bookmark", path: path,
      advice: "name one of these")
  }

  static func otherItem(_ path: FilePath) -> FileBookmarkError {
    FileBookmarkError(
      code: .notFound, message: "\(path.printable) is no longer the item", path: path, advice: "take a new snapshot")
  }

  static func invalidArgument(_ error: FileSystemObserverError) -> FileBookmarkError {
    FileBookmarkError(code: .invalidArgument, message: error.message)
  }

  static let cancelled = FileBookmarkError(code: .cancelled, message: "the search was cancelled")

  // MARK: - Resolving

  static func ambiguous(_ path: FilePath, _ candidates: [FilePath]) -> FileBookmarkError {
    let names = candidates.prefix(3).map(\.printable).joined(separator: ", ")
    let rest = candidates.count > 3 ? " and \(candidates.count - 3) more" : ""
    return FileBookmarkError(
      code: .ambiguous, message: "the file that was \(path.printable) may be \(names)\(rest), and nothing tells which",
      path: path, advice: "choose one, and make a bookmark of it", candidates: candidates)
  }

  /// - Parameters:
  ///   - isOther: Whether another item is at the path.
  ///   - isElsewhere: Whether the file is known to exist.
  ///   - unread: Folders that could not be searched.
  ///   - searched: The number of folders.
  static func notFound(
    _ path: FilePath, isOther: Bool, isElsewhere: Bool, unread: [FilePath], searched: Int
  ) -> FileBookmarkError {
    var message = "the file that was \(path.printable) was not found"
    if isOther { message += ": another is there now" }
    if isElsewhere { message += "; it exists elsewhere on its file system" }
    if let first = unread.first {
      let rest = unread.count > 1 ? " and \(unread.count - 1) more folders" : ""
      message += "; \(first.printable)\(rest) could not be searched"
    }
    let advice = searched == 0 ? "name a folder, an observer or a store where it may be" : "search in other folders"
    return FileBookmarkError(code: .notFound, message: message, path: path, advice: advice)
  }
}
