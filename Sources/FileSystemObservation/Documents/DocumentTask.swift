internal import LinuxFileSystem
internal import SystemPackage

/// The requested operation, for error messages.
enum DocumentTask: Sendable {
  case replace(FilePath)
  case replaceFolder(FilePath)
  case duplicate(FilePath, FilePath)
  case move(FilePath, FilePath)
  case createFile(FilePath)
  case createFolder(FilePath)
  case remove(FilePath)
  case trash(FilePath)
  case restore(FilePath, FilePath)
  case readVersion(FilePath)
  case read(FilePath)

  var purpose: Message {
    switch self {
    case .replace(let path), .replaceFolder(let path): "The contents of \(path) could not be replaced"
    case .duplicate(let source, let destination): "\(source) could not be duplicated to \(destination)"
    case .move(let source, let destination): "\(source) could not be moved to \(destination)"
    case .createFile(let path): "The file \(path) could not be created"
    case .createFolder(let path): "The folder \(path) could not be created"
    case .remove(let path): "\(path) could not be removed"
    case .trash(let path): "\(path) could not be moved to the trash"
    case .restore(let item, let destination): "\(item) could not be restored from the trash to \(destination)"
    case .readVersion(let path): "The version of \(path) could not be read"
    case .read(let path): "The contents of \(path) could not be read"
    }
  }

  /// The path in a failed step's error.
  var target: FilePath {
    switch self {
    case .replace(let path), .replaceFolder(let path), .createFile(let path), .createFolder(let path),
      .remove(let path), .trash(let path), .readVersion(let path), .read(let path):
      path
    case .duplicate(_, let destination), .move(_, let destination), .restore(_, let destination): destination
    }
  }

  /// Whether the operation makes an item at a path.
  func makes(_ path: FilePath) -> Bool {
    switch self {
    case .createFile, .createFolder: path == target
    default: givesName && path == target && path != source
    }
  }

  /// The existing item that the operation begins with.
  private var source: FilePath {
    switch self {
    case .duplicate(let source, _), .move(let source, _), .restore(let source, _): source
    default: target
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

  /// The error for a failed step.
  ///
  /// - Parameter item: The item within the folder that the operation is about.
  func failure(of step: DocumentOperations.Step, _ errno: Errno, at item: FilePath? = nil) -> FileSystemObserverError {
    if errno == .canceled { return cancellation }
    if errno == .fileExists, step == .publish, item == nil, givesName { return nameTaken }
    if errno == .observedDirectoryIsAway, step == .publish { return observedDirectoryIsAway }
    let place: Message = if let item, !item.isEmpty { " at \(item)" } else { "" }
    let reason: Message = "\(name(of: step))\(place) failed (\(errno)); nothing was changed"
    return FileSystemObserverError(
      code: .fileOperationFailed, sentence: "\(purpose): \(reason): \(advice(on: errno)).",
      path: item.map { source.appending(bytes: $0.bytes) } ?? target, errno: errno)
  }

  /// The error for an item below the folder that the operation is about.
  func failure(of step: DocumentOperations.Step, _ failure: FailedItem) -> FileSystemObserverError {
    self.failure(of: step, failure.errno, at: failure.path.isEmpty ? nil : failure.path)
  }

  /// Whether the item gets the name that was asked for.
  private var givesName: Bool {
    switch self {
    case .duplicate, .move, .createFile, .createFolder, .restore: true
    case .replace, .replaceFolder, .remove, .trash, .readVersion, .read: false
    }
  }

  private var cancellation: FileSystemObserverError {
    FileSystemObserverError(
      code: .cancelled, sentence: "\(purpose): it was cancelled; nothing was changed.", path: target, errno: .canceled)
  }

  private var observedDirectoryIsAway: FileSystemObserverError {
    FileSystemObserverError(
      code: .rootLost,
      sentence: "\(purpose): the observed folder is not at its place; nothing was changed: bring the folder back, or "
        + "choose another folder.", path: target, errno: .observedDirectoryIsAway)
  }

  private func name(of step: DocumentOperations.Step) -> String {
    switch step {
    case .checkItem: "checking it"
    case .createFile: "making a new item in the folder"
    case .writeContents: "writing the contents"
    case .readContents: "reading the contents"
    case .carryOwner: "carrying over the owner"
    case .writeTag: "writing the UUID"
    case .carryAttributes: "carrying over the extended attributes"
    case .carryPermissions: "carrying over the permissions"
    case .carryTimes: "carrying over the times"
    case .synchronizeFile, .synchronizeFolder: "bringing it to the disk"
    case .publish: nameOfLastStep
    case .removeOriginal: "removing what it replaces"
    }
  }

  private var nameOfLastStep: String {
    switch self {
    case .replace, .replaceFolder: "putting the new version in its place"
    case .remove: "removing it"
    case .move, .trash, .restore: "moving it"
    case .duplicate, .createFile, .createFolder, .readVersion, .read: "giving it its name"
    }
  }

  private func advice(on errno: Errno) -> Message {
    switch errno {
    case .noSpace, .diskQuotaExceeded: "make room and try again"
    case .permissionDenied: "check the permissions of the item and of its folder"
    case .notPermitted:
      "check the permissions of the item and of its folder, whether one is immutable (lsattr), and whether the folder "
        + "has the sticky bit and the item is another user's"
    case .readOnlyFileSystem: "choose a folder on a file system that can be written"
    case .fileExists: "choose a name that is free (naming: does), or remove what is there"
    case .staleNFSFileHandle: "another program replaced the item in the meantime; read it again, then try again"
    case .resourceBusy: busyAdvice
    case .noSuchFileOrDirectory: "the item or its folder was removed or renamed in the meantime; check the path"
    case .fileNameTooLong: "choose a shorter name"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "close files, or raise the limit (ulimit -n)"
    case .directoryNotEmpty: "only an empty folder is replaced; remove what is there"
    case .isDirectory: "a folder is not replaced by a file; remove the folder, or choose another name"
    case .notDirectory: "a file is not replaced by a folder; remove the file, or choose another name"
    default: "try again; if it fails again, check the file system and the disk"
    }
  }

  private var busyAdvice: Message {
    switch self {
    case .remove, .trash: "another file system is mounted there, or another program uses it; unmount it, then try again"
    default: "another program is writing it, or something is mounted there; try again when that has ended"
    }
  }
}
