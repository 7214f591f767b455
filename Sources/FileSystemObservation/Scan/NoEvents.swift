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
