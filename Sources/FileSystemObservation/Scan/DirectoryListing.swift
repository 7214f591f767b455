import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// An entry as a scanning thread found it; the listing's bytes have its name.
struct ScannedEntry: Sendable {
  var nameStart: UInt32
  /// Names on NTFS and exFAT may have 765 bytes, and on FUSE as many as a path.
  var nameCount: UInt16
  /// Whether a process has the file open for writing.
  var isBeingWritten = false
  /// Whether the scan tagged the file.
  var wasTagged = false
  /// The number of this directory's own listing; 0 if it will have none.
  var listing: UInt32 = 0
  var entry: Entry

  /// Whether it had no tag before this scan.
  var isWithoutIdentity: Bool { wasTagged || entry.tag.uuid == nil }
}

/// A directory as the scan found it.
struct DirectoryListing: Sendable {
  /// The number from its parent's listing; 0 for the root of the scan.
  var number: UInt32
  var mark: MarkID?
  var names: [UInt8] = []
  var entries: [ScannedEntry] = []
  /// Entries that could not be probed: the ranges of their names.
  var unprobed: [Range<Int>] = []
  /// When its entries last changed, read after the mark was set: events report later changes.
  var modified: Int64?
  /// The wall clock when it was read.
  var readAt: Int64 = 0
  /// Why it could not be listed completely.
  var failure: Errno?
  /// Why it could not be marked.
  var markFailure: Errno?
  var skipped: [FileSystemObserver.SkipReason: Int] = [:]
  /// Whether the scan wrote tags, during which the mark leaves out attribute events.
  var hasWrittenTags = false
  /// The file system of the last entry, which is nearly always that of the next.
  var fileSystem: (device: UInt64, identifier: UInt64)?

  /// The bytes of an entry's name, as a slice.
  func nameBytes(of scanned: ScannedEntry) -> ArraySlice<UInt8> {
    let start = Int(scanned.nameStart)
    return names[start..<start + Int(scanned.nameCount)]
  }

  @_lifetime(borrow self)
  func name(of scanned: ScannedEntry) -> Span<UInt8> {
    let start = Int(scanned.nameStart)
    return names.span.extracting(start..<start + Int(scanned.nameCount))
  }
}
