internal import LinuxFileSystem
internal import SystemPackage

/// The requested operation, for error messages.
enum DocumentTask: Sendable {
  case replace(FilePath)
  case duplicate(FilePath, FilePath)

  private var purpose: Message {
    switch self {
    case .replace(let path): "The contents of \(path) could not be replaced"
    case .duplicate(let source, let destination): "\(source) could not be duplicated to \(destination)"
    }
  }

  /// The path in a failed step's error.
  private var target: FilePath {
    switch self {
    case .replace(let path): path
    case .duplicate(_, let destination): destination
    }
  }

  /// Accesses a path, and converts a failure to an error that names it.
  func reaching<Result: ~Copyable>(
    _ path: FilePath, _ body: () throws(Errno) -> Result
  ) throws(FileSystemObserverError) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw unreachable(path, error)
    }
  }

  /// The error for a path at which nothing can be opened.
  private func unreachable(_ path: FilePath, _ errno: Errno) -> FileSystemObserverError {
    let reason: Message =
      errno == .noSuchFileOrDirectory || errno == .notDirectory
      ? "there is nothing at \(path), or its folder is missing: check the path"
      : "\(path) could not be opened (\(errno)): \(Self.advice(on: errno))"
    return FileSystemObserverError(
      code: .fileOperationFailed, sentence: "\(purpose): \(reason).", path: path, errno: errno)
  }

  /// The error for an item that is not a regular file.
  func notAFile(_ path: FilePath, _ kind: FileKind) -> FileSystemObserverError {
    let reason =
      switch kind {
      case .symlink: "is a symbolic link, which is not followed: give the path of the file it points at"
      case .directory: "is a folder: only regular files can be given"
      case .file, .special: "is a FIFO, socket or device: only regular files can be given"
      }
    return FileSystemObserverError(code: .notAFile, sentence: "\(purpose): \(path) \(reason).", path: path, errno: nil)
  }

  /// The error for a failed step.
  func failure(of step: DocumentOperations.Step, _ errno: Errno) -> FileSystemObserverError {
    FileSystemObserverError(
      code: .fileOperationFailed,
      sentence:
        "\(purpose): \(Self.name(of: step)) failed (\(errno)); nothing was changed. Advice: \(Self.advice(on: errno)).",
      path: target, errno: errno)
  }

  private static func name(of step: DocumentOperations.Step) -> String {
    switch step {
    case .createFile: "making a new file in the folder"
    case .writeContents: "writing the contents"
    case .carryOwner: "carrying over the owner"
    case .writeTag: "writing the UUID"
    case .carryAttributes: "carrying over the extended attributes"
    case .carryPermissions: "carrying over the permissions"
    case .synchronizeFile, .synchronizeFolder: "bringing it to the disk"
    case .publish: "giving the new file its name"
    }
  }

  private static func advice(on errno: Errno) -> String {
    switch errno {
    case .noSpace, .diskQuotaExceeded: "make room and try again"
    case .permissionDenied, .notPermitted: "check the permissions of the file and of its folder"
    case .readOnlyFileSystem: "choose a folder on a file system that can be written"
    case .fileExists: "choose a name that is free, or remove what is there"
    case .staleNFSFileHandle: "another program replaced the document in the meantime; read it again, then try again"
    case .resourceBusy: "another program is writing the document; try again when it has finished"
    case .noSuchFileOrDirectory: "the file or its folder was removed or renamed in the meantime; check the path"
    case .fileNameTooLong: "choose a shorter name"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "close files, or raise the limit (ulimit -n)"
    default: "try again; if it fails again, check the file system and the disk"
    }
  }
}
