import LinuxFileSystem

/// A fresh listing of a directory.
struct Listing: Sendable {
  var stamp: DirectoryStamp
  /// When this stamp was first seen.
  var since: MonotonicTime
  var isFinal = false
  /// None if the entries are not wanted.
  var shadow: DirectoryShadow?

  init(_ status: FileStatus, since: MonotonicTime) {
    stamp = DirectoryStamp(status)
    self.since = since
  }
}
