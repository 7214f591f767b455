import FileEvents
import LinuxFileSystem
import SystemPackage

/// A source for a scan that watches nothing.
struct NoEvents: EventSource {
  typealias Directory = DirectoryHandle

  var delivered: UInt64 { 0 }

  func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {}
  func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID { MarkID(rawValue: 0) }
  func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {}
  func deliverPending() {}
  func stop() {}
}

extension TreeScan where Files == GuardedFileSystem, Source == NoEvents {
  /// Makes a scan that reads what is there, and neither watches nor tags anything.
  ///
  /// - Parameters:
  ///   - level: The level of the directory itself; -1 for the observed one.
  ///   - path: The path of the directory below the observed one.
  convenience init(
    reading directory: DirectoryHandle, level: Int = -1, path: [UInt8] = [], _ filter: ItemFilter,
    _ files: GuardedFileSystem
  ) throws(Errno) {
    let scanner = DirectoryScanner(files: files, source: NoEvents(), filter: filter, writesTags: false)
    try self.init(scanner, root: directory, level: level, path: path)
  }
}
