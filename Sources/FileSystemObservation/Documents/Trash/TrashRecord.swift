import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// The info file of an item that is being trashed.
struct TrashRecord: ~Copyable {
  private let trash: TrashFolder
  private let original: FilePath
  private let seconds: Int64
  private let names: TrashName
  private var file: TemporaryName
  /// The name of the item in the trash folder, once it has one.
  private(set) var name: FileName

  /// Writes the info file under a hidden name.
  static func write(
    _ operations: DocumentOperations, _ trashing: DocumentOperations.Trashing, in trash: TrashFolder
  ) throws(FileSystemObserverError) -> TrashRecord {
    let (name, seconds) = (trashing.place.name, WallClock.nanoseconds / 1_000_000_000)
    let original = try operations.perform(.checkItem, of: trashing.task) { () throws(Errno) in
      guard let folder = FilePath.ofOpen(trashing.place.folder.descriptor) else { throw .fileNameTooLong }
      return folder.appending(bytes: name.bytes)
    }
    let bytes = TrashInfo(path: trash.recordedPath(of: original), deleted: LocalTime(seconds: seconds)).bytes
    var file = TemporaryName(in: trash.info)
    let descriptor = try operations.perform(.createFile, of: trashing.task) { () throws(Errno) in
      try file.createFile()
    }
    try operations.perform(.writeContents, of: trashing.task) { () throws(Errno) in
      try descriptor.write(bytes)
      try descriptor.synchronize()
    }
    return TrashRecord(
      trash: trash, original: original, seconds: seconds, names: TrashName(name), file: file, name: name)
  }

  /// Gives the info file the first name that is free, and then the item the same name.
  ///
  /// - Parameter move: Gives the item the name, or fails with EEXIST if it is taken.
  mutating func publish(_ move: (FileName) throws(Errno) -> Void) throws(Errno) {
    for number in 1... {
      let candidate = names.candidate(number)
      do throws(Errno) {
        try file.publish(as: infoName(of: candidate))
        name = candidate
        do throws(Errno) {
          return try move(candidate)
        } catch {
          takeBack()
          throw error
        }
      } catch {
        guard error == .fileExists, number < 100_000 else { throw error }
      }
    }
  }

  /// Undoes the publication of the info file.
  mutating func takeBack() { try? file.takeBack(from: infoName(of: name)) }

  /// Notes the size of a trashed folder.
  func noteSize() { trash.noteSize(of: name, info: infoName(of: name)) }

  private func infoName(of name: FileName) -> FileName {
    FileName(bytes: Array(name.bytes) + Array(TrashInfo.suffix.utf8))
  }

  /// The item for the caller.
  func trashedItem(_ uuid: UUIDBits?) -> FileSystemObserver.TrashedItem {
    FileSystemObserver.TrashedItem(
      originalPath: original, path: trash.path.appending("files").appending(bytes: name.bytes),
      infoPath: trash.path.appending("info").appending(bytes: infoName(of: name).bytes),
      deletionDate: Date(timeIntervalSince1970: Double(seconds)), uuid: uuid.map { UUID($0) })
  }
}
