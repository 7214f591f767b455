import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// What a scanning thread found of one entry; the name is in the listing's bytes.
struct ScannedEntry: Sendable {
  var nameStart: UInt32
  /// Names of NTFS and exFAT may have 765 bytes, those of a FUSE file system as many as a path.
  var nameCount: UInt16
  /// Whether somebody has the file open for writing.
  var isBeingWritten = false
  /// Whether the scan gave the file its tag.
  var wasTagged = false
  /// The number of this directory's own listing; 0 where there will be none.
  var listing: UInt32 = 0
  var entry: Entry

  /// Whether it bears no tag, or has just been given one.
  var isWithoutIdentity: Bool { wasTagged || entry.tag.uuid == nil }
}

/// One directory as the scan found it.
struct DirectoryListing: Sendable {
  /// The number its parent's listing gave it; 0 for the root of the scan.
  var number: UInt32
  var mark: MarkID?
  var names: [UInt8] = []
  var entries: [ScannedEntry] = []
  /// Entries that are there, and could not be looked at: where their names are.
  var unprobed: [Range<Int>] = []
  /// The time of the last change of its entries, read after it was marked: later changes are announced by events.
  var modified: Int64?
  /// Why it could not be listed, or not wholly.
  var failure: Errno?
  /// Why it could not be marked.
  var markFailure: Errno?
  var skipped: [FileSystemObserver.SkipReason: Int] = [:]
  /// Whether files were given tags, while attribute events were not wanted.
  var hasWrittenTags = false
  /// The file system of the last entry, by its device: nearly always that of the next one too.
  var fileSystem: (device: UInt64, identifier: UInt64)?

  /// The bytes of an entry's name, as a slice.
  func nameBytes(of scanned: ScannedEntry) -> ArraySlice<UInt8> {
    let start = Int(scanned.nameStart)
    return names[start..<start + Int(scanned.nameCount)]
  }

  /// The bytes of an entry's name.
  @_lifetime(borrow self)
  func name(of scanned: ScannedEntry) -> Span<UInt8> {
    let start = Int(scanned.nameStart)
    return names.span.extracting(start..<start + Int(scanned.nameCount))
  }
}
