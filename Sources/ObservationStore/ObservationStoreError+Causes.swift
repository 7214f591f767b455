#if Store
internal import FileSystemObservation
internal import GRDB
internal import LinuxFileSystem
internal import SystemPackage

extension ObservationStoreError {
  /// The error that SQLite, the contents or a system call have reported.
  init(_ error: any Error, at path: FilePath) {
    switch error {
    case let error as ObservationStoreError: self = error
    case let error as StoredDataError: self = .corrupt(path, error.description)
    case let error as Errno: self.init(error, at: path)
    case let error as DatabaseError: self.init(error, at: path)
    default: self.init(code: .failed, message: "\(path.printable): \(error)", path: path)
    }
  }

  private init(_ error: DatabaseError, at path: FilePath) {
    switch error.resultCode {
    case .SQLITE_FULL: self.init(.noSpace, at: path)
    case .SQLITE_CORRUPT: self = .corrupt(path, error.message ?? "SQLite cannot read it")
    case .SQLITE_NOTADB: self = StorePlace.judge(path)
    case .SQLITE_READONLY: self.init(.readOnlyFileSystem, at: path)
    case .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: self.init(.permissionDenied, at: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse(path)
    default:
      self.init(
        code: .failed, message: "\(path.printable): \(error.message ?? error.resultCode.description)", path: path)
    }
  }

  static func inUse(_ path: FilePath) -> ObservationStoreError {
    ObservationStoreError(
      code: .inUse, message: "another observer writes to \(path.printable)", path: path,
      advice: "give each observer a store of its own, or stop the other one; any number of programs may read it")
  }

  static func corrupt(_ path: FilePath, _ reason: String) -> ObservationStoreError {
    ObservationStoreError(
      code: .corrupt, message: "\(path.printable) is damaged: \(reason)", path: path,
      advice: "identities are in the tags of the files and remain; what happened while nothing observed is not known")
  }

  static func otherTree(_ path: FilePath, of directory: FilePath) -> ObservationStoreError {
    ObservationStoreError(
      code: .otherTree, message: "\(path.printable) is of another folder, which was \(directory.printable)", path: path,
      advice: """
        give each folder a store of its own; this one is used again when its folder is there; documents that are put back \
        into this folder are known as long as there are no others; if its documents are in this folder now, give it its \
        name again, and take it over (takesOverStore, --take-over-store)
        """)
  }

  static func newerVersion(_ path: FilePath) -> ObservationStoreError {
    ObservationStoreError(
      code: .newerVersion, message: "\(path.printable) was written by a newer version of this library", path: path,
      advice: "use that version again, or go on without what it has stored")
  }

  static func notAStore(_ path: FilePath) -> ObservationStoreError {
    ObservationStoreError(
      code: .notAStore, message: "\(path.printable) is not a store, and was not touched", path: path,
      advice: "choose another name")
  }

  static func remote(_ path: FilePath, _ type: String) -> ObservationStoreError {
    ObservationStoreError(
      code: .unsupportedFileSystem, message: "\(path.printable) is on a file system of another host (\(type))",
      path: path, advice: "choose a place on a disk of this machine")
  }
}
#endif
