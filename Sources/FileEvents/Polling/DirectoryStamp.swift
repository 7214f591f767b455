import LinuxFileSystem

/// The times of a directory, which change with its entries.
struct DirectoryStamp: Equatable, Sendable {
  var modified: Int64
  var changed: Int64
  var linkCount: UInt32
  var size: Int64

  init(_ status: FileStatus) {
    modified = status.modified
    changed = status.changed
    linkCount = status.linkCount
    size = status.size
  }
}
