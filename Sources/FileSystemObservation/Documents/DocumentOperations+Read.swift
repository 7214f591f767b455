internal import FileIdentity
internal import FoundationEssentials
internal import Glibc
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// How often a document is read that is written meanwhile.
  private static var mostReadings: Int { 4 }
  /// The time between two readings that must agree, in microseconds.
  private static var pause: UInt32 { 100_000 }

  /// The contents of a document, of one version.
  ///
  /// A write that goes on for long sets the time of the file only when it begins. So the contents count at once if no
  /// program has the file open for writing, and otherwise if another reading gives the same.
  ///
  /// - Parameter path: A regular file. A symbolic link is not followed.
  /// - Throws: `notAFile`; `itemIsBusy` if it is written all the time; `fileOperationFailed` with the reason; ESTALE if
  ///   it is not the expected one.
  package func contents(
    of path: FilePath
  ) throws(FileSystemObserverError) -> FileSystemObserver.DocumentContents {
    let task = DocumentTask.read(path)
    var former: FileSystemObserver.DocumentContents?
    for reading in 1...Self.mostReadings {
      let document = try OpenDocument.open(at: path, for: task)
      try requireExpected(document.file, document.status, task)
      let next = try perform(.readContents, of: task) { () throws(Errno) in try read(document, at: path) }
      if let next, !next.isWritten || next.contents == former { return next.contents }
      former = next?.contents
      if next != nil, reading < Self.mostReadings { usleep(Self.pause) }
    }
    throw task.isWritten(path)
  }

  /// All bytes of an open document, and whether a program may have written when the reading began; `nil` if they
  /// changed meanwhile.
  private func read(
    _ document: borrowing OpenDocument, at path: FilePath
  ) throws(Errno) -> (contents: FileSystemObserver.DocumentContents, isWritten: Bool)? {
    let isWritten = WriterProbe.of(document.file) != .nobodyWrites
    let version = FileSystemObserver.ContentVersion(document.status)
    var data = Data()
    let isWhole = unsafe try document.file.readContent(ofSize: document.status.size) {
      unsafe data.append(contentsOf: $0)
    }
    guard isWhole, try FileSystemObserver.ContentVersion(FileStatus.of(document.file)) == version else { return nil }
    return (FileSystemObserver.DocumentContents(data: data, version: version, path: path), isWritten)
  }
}
