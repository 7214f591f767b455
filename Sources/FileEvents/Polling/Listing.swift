import LinuxFileSystem

/// A directory as it was just listed.
struct Listing: Sendable {
  var stamp: DirectoryStamp
  /// When it was first seen with this stamp.
  var since: MonotonicTime
  var isFinal = false
  /// None where its entries are not wanted.
  var shadow: DirectoryShadow?

  init(_ status: FileStatus, since: MonotonicTime) {
    stamp = DirectoryStamp(status)
    self.since = since
  }
}
