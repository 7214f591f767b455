import LinuxFileSystem
import SystemPackage

extension FileSystemObserver.Configuration {
  /// The longest name of an extended attribute, in bytes (`XATTR_NAME_MAX`).
  private static let longestTagName = 255
  private static let longestWindow = Duration.seconds(3600)

  /// Validates the configuration as ``FileSystemObserver/start()`` does, so that an app can warn its user beforehand.
  ///
  /// Does not access the disk: only the start checks whether the directory exists.
  ///
  /// - Throws: `invalidArgument`, with a message that names the reason: a relative path, a URL that names no directory
  ///   of this machine, a malformed pattern, or a value out of range.
  public func check() throws(FileSystemObserverError) {
    try checkDirectory()
    try checkTagName()
    try checkWindows()
    if depth != nil, !selectedDirectories.isEmpty {
      throw FileSystemObserverError(
        code: .invalidArgument, sentence: "depth is for one directory; it must be nil for several")
    }
    if let depth, depth < 0 {
      throw FileSystemObserverError(
        code: .invalidArgument, sentence: "depth is \(depth); it must be 0 or more, or nil for all levels")
    }
    if contentEvidenceLimit < Self.leastContent {
      throw FileSystemObserverError(
        code: .invalidArgument,
        sentence: "contentEvidenceLimit is \(contentEvidenceLimit); it must be \(Self.leastContent) bytes or more")
    }
    if let (list, pattern) = namePatterns.malformed {
      throw FileSystemObserverError(
        code: .invalidArgument,
        sentence: "the name pattern \"\(pattern)\" in \(list) must be a name with one * in it, as in \"*.bak\"")
    }
    _ = try filter()
  }

  private func checkDirectory() throws(FileSystemObserverError) {
    if let unusableURL { _ = try FilePath(argument: unusableURL) }
    if directory.isEmpty, selectedDirectories.isEmpty {
      throw FileSystemObserverError(
        code: .invalidArgument,
        sentence: "the configuration names no folder to observe: directory and directories are empty; set one of them "
          + "to absolute paths of folders")
    }
    for path in selectedDirectories + [directory] where !path.isAbsolute {
      throw FileSystemObserverError(
        code: .invalidArgument,
        sentence: "the path \"\(path)\" does not begin with a slash; give the folder by its absolute path",
        path: path)
    }
    for path in selectedDirectories where !path.starts(with: directory) {
      throw FileSystemObserverError(
        code: .invalidArgument, sentence: "\(path) is not below \(directory): set the directories after the directory",
        path: path)
    }
  }

  private func checkTagName() throws(FileSystemObserverError) {
    let bytes = tagName.utf8
    guard tagName.hasPrefix("user."), bytes.count > 5, !bytes.contains(0) else {
      throw FileSystemObserverError(
        code: .invalidArgument,
        sentence: "the tag name \"\(tagName)\" must be \"user.\" and a name without zero bytes, as in user.app.uuid")
    }
    guard bytes.count <= Self.longestTagName else {
      throw FileSystemObserverError(
        code: .invalidArgument,
        sentence: "the tag name \"\(tagName)\" has \(bytes.count) bytes; it may have \(Self.longestTagName) at most")
    }
  }

  private func checkWindows() throws(FileSystemObserverError) {
    let windows = [
      ("deletionDelay", deletionDelay), ("quietPeriod", quietPeriod), ("announcementDelay", announcementDelay),
      ("modificationInterval", modificationInterval),
    ]
    for (name, window) in windows where window < .zero || window > Self.longestWindow {
      throw FileSystemObserverError(
        code: .invalidArgument, sentence: "\(name) is \(window); it must be between 0 and 3600 seconds")
    }
  }
}
