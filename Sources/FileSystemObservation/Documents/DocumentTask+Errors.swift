internal import LinuxFileSystem
internal import SystemPackage

// The errors that are found before anything is done.

extension DocumentTask {
  /// Walks through a folder, and converts a failure to an error that names the item.
  func walking<Result>(_ body: () throws(FailedItem) -> Result) throws(FileSystemObserverError) -> Result {
    do throws(FailedItem) {
      return try body()
    } catch {
      throw failure(of: .checkItem, error)
    }
  }

  private func error(
    _ code: FileSystemObserverError.Code, _ reason: Message, _ path: FilePath, _ errno: Errno? = nil
  ) -> FileSystemObserverError {
    FileSystemObserverError(code: code, sentence: "\(purpose): \(reason).", path: path, errno: errno)
  }

  /// The error for a path at which nothing can be opened.
  func unreachable(_ path: FilePath, _ errno: Errno) -> FileSystemObserverError {
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory: missing(path, errno)
    case .permissionDenied, .notPermitted:
      error(
        .fileOperationFailed, "\(path) could not be opened (\(errno)): check the permissions of it and of its folder",
        path, errno)
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
      error(
        .fileOperationFailed,
        "\(path) could not be opened (\(errno)): close files, or raise the limit (ulimit -n)", path, errno)
    default:
      error(
        .fileOperationFailed,
        "\(path) could not be opened (\(errno)): try again; if it fails again, check the file system and the disk",
        path, errno)
    }
  }

  /// The error for an item that is missing, or a destination without a folder.
  private func missing(_ path: FilePath, _ errno: Errno) -> FileSystemObserverError {
    let reason: Message =
      switch self {
      case _ where !makes(path): "there is nothing at \(path), or its folder is missing: check the path"
      case .restore:
        "the folder of \(path) is missing, and the item is still in the trash: create the folder first, or try again if "
          + "it was removed at this moment"
      default: "the folder of \(path) is missing; nothing was changed: check the path, or create the folder first"
      }
    return error(.fileOperationFailed, reason, path, errno)
  }

  /// The error for an item that is not a regular file.
  func notAFile(_ path: FilePath, _ kind: FileKind) -> FileSystemObserverError {
    switch kind {
    case .symlink:
      error(
        .notAFile,
        "\(path) is a symbolic link, which is not followed: give the path of what it points at; \(possible)", path)
    case .directory: error(.notAFile, "\(path) is a folder: only regular files can be given", path)
    case .file, .special: error(.notAFile, "\(path) is a FIFO, socket or device: \(possible)", path)
    }
  }

  /// What the operation can be done with.
  private var possible: Message {
    if case .duplicate = self {
      "only files, folders and symbolic links can be duplicated"
    } else {
      "only regular files can be given"
    }
  }

  /// The error for an item that is not a folder.
  func notAFolder(_ path: FilePath) -> FileSystemObserverError {
    error(.invalidArgument, "\(path) is not a folder: give the path of a folder", path, .notDirectory)
  }

  /// The error for a document that changes whenever it is read.
  func isWritten(_ path: FilePath) -> FileSystemObserverError {
    error(.itemIsBusy, "another program writes it all the time: try again when that has ended", path)
  }

  /// The error for a path that begins in the current directory.
  func notAbsolute(_ path: FilePath) -> FileSystemObserverError {
    error(
      .invalidArgument, "\(path) is a relative path: give the absolute path, which begins with /", path,
      .invalidArgument)
  }

  /// The error for a name that is taken.
  var nameTaken: FileSystemObserverError {
    error(
      .fileOperationFailed,
      "there is already an item at \(target); nothing was changed: choose a name that is free, or remove what is there",
      target, .fileExists)
  }

  /// The error for a path without a name, like `/` and `..`.
  func withoutName(_ path: FilePath) -> FileSystemObserverError {
    error(.notAFile, "\(path) does not end with a name: give the path of the item itself", path)
  }

  /// The error for a folder of which something could not be removed.
  func incompleteRemoval(_ item: FailedItem) -> FileSystemObserverError {
    error(
      .fileOperationFailed,
      "\(item.path) in it could not be removed (\(item.errno)); the folder is there again, without what was removed "
        + "before: check the permissions of the item and of its folder",
      target.appending(bytes: item.path.bytes), item.errno)
  }

  /// The error for a FIFO, socket or device that would have to be copied.
  func cannotBeCopied(_ item: FilePath) -> FileSystemObserverError {
    error(
      .fileOperationFailed,
      "\(item) is a FIFO, socket or device, which cannot be copied to another file system: remove it, then try again",
      item, .notSupported)
  }

  /// The error for a folder that would be put into itself.
  func insideItself(_ path: FilePath) -> FileSystemObserverError {
    error(.invalidArgument, "the folder cannot be put into itself: choose another place", path, .invalidArgument)
  }

  /// The error for two names of one file.
  func sameItem(_ path: FilePath) -> FileSystemObserverError {
    error(
      .fileOperationFailed,
      "both names are of the same item; nothing was changed: choose another name, or remove one of the two", path,
      .fileExists)
  }

  /// The error for a document whose contents were changed by somebody else.
  func contentsChanged(_ path: FilePath) -> FileSystemObserverError {
    error(
      .contentsChanged,
      "another program changed the contents after the given version was read; nothing was changed: read the document "
        + "again, merge both, then try again", path)
  }

  /// The error for a document that was not replaced, or not as it should be.
  ///
  /// - Parameter hidden: The hidden name beside the document.
  func failure(
    _ outcome: GuardedReplacement.Outcome, _ path: FilePath, besides hidden: FileName
  ) -> FileSystemObserverError? {
    switch outcome {
    case .replaced: nil
    case .refused: contentsChanged(path)
    case .stuck(let errno):
      error(
        .contentsChanged,
        "another program changed the contents at the last moment, and could not get them back (\(errno)); they are in "
          + "\(path.removingLastComponent().appending(bytes: hidden.bytes)): merge both", path, errno)
    }
  }

  /// The error for a file system on which names cannot be exchanged.
  func withoutExchange(_ path: FilePath, _ errno: Errno) -> FileSystemObserverError {
    error(
      .fileOperationFailed,
      "the file system cannot exchange two folders in one step (\(errno)); nothing was changed: use another file "
        + "system",
      path, errno)
  }

  /// The error for a file system without a trash.
  func withoutTrash(_ path: FilePath, _ errno: Errno) -> FileSystemObserverError {
    let advice: Message =
      errno == .readOnlyFileSystem
      ? "the file system cannot be written" : "remove the item, or allow moving it to the trash of the home folder"
    return error(
      .fileOperationFailed,
      "its file system has no trash folder, and none could be made (\(errno)); nothing was changed: \(advice)", path,
      errno)
  }
}
