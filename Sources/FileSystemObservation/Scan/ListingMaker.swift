import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Makes the listing of one directory from its entries.
struct ListingMaker<Files: FileSystem, Source: EventSource> where Source.Directory == Files.Directory {
  private let scanner: DirectoryScanner<Files, Source>
  private let directory: Files.Directory
  private let place: FilteredDirectory
  /// Whether the filter needs to know if an entry is a directory.
  private let needsKinds: Bool
  private let wallClock: Int64
  private let listsDirectories: Bool
  var listing: DirectoryListing
  /// The tree of an earlier run, and the directory in it.
  var known: (tags: KnownTags, directory: NodeID)?
  /// The indices of entries to tag, and their tags.
  private var untagged: [(entry: Int, tag: UUIDBits)] = []
  private var firstUntagged = 0

  init(scanner: DirectoryScanner<Files, Source>, directory: Files.Directory, number: UInt32, level: Int, path: [UInt8])
  {
    self.scanner = scanner
    self.directory = directory
    place = scanner.filter.directory(path)
    needsKinds = scanner.filter.needsKinds
    wallClock = scanner.files.wallClock
    listsDirectories = scanner.filter.listsDirectories(onLevel: level + 1)
    listing = DirectoryListing(number: number)
    listing.readAt = wallClock
    // Enough for most directories, so that the arrays rarely grow.
    listing.entries.reserveCapacity(32)
    listing.names.reserveCapacity(512)
  }

  private var files: Files { scanner.files }
}

// MARK: - Entries

extension ListingMaker: EntryVisitor {
  /// Only files at rest: others must be checked for writers first, and stay untagged if they have any.
  var presumesNoTagBefore: Int64? { scanner.writesTags ? wallClock &- Scanner.recentWindow : nil }

  var knownTag: KnownTag? {
    known.map { known in { name, status in known.tags.tag(of: name, in: known.directory, status) } }
  }

  mutating func wants(_ name: NameView, _ kind: ListedKind) -> Bool {
    let skipped = scanner.filter.reasonToSkip(name, isDirectory: kind.isDirectory, in: place)
    guard let reason = skipped ?? (kind == .special ? .special : nil) else { return true }
    note(skipped: reason)
    return false
  }

  /// Counts an entry that is no item, unless it is outside of the selected folders.
  private mutating func note(skipped reason: FileSystemObserver.SkipReason) {
    if place.steps == nil { listing.skipped[reason, default: 0] += 1 }
  }

  mutating func visit(_ name: NameView, _ status: Result<FileStatus, Errno>, _ tag: TagReading) -> UUIDBits? {
    guard let status = known(status, name), !needsKinds || isWanted(name, status.kind) else { return nil }
    var scanned = ScannedEntry(
      nameStart: UInt32(listing.names.count), nameCount: UInt16(clamping: name.count),
      entry: Entry(
        status, tag: status.kind == .symlink ? .unreadable : certain(tag, of: name),
        fileSystem: fileSystem(of: status, name), isRecent: Scanner.isRecent(status, at: wallClock)))
    if status.kind == .directory {
      scanned.listing = listsDirectories ? 1 : 0
      if !listsDirectories { listing.skipped[.belowLevels, default: 0] += 1 }
    }
    let minted = scanner.writesTags ? tagToWrite(&scanned, isSpared: status.isSpared, name) : nil
    if let minted { untagged.append((listing.entries.count, minted)) }
    unsafe listing.names.append(contentsOf: unsafe name.bytes)
    listing.entries.append(scanned)
    return minted
  }

  /// Whether an entry is observed; the listing itself may not have its kind.
  private mutating func isWanted(_ name: NameView, _ kind: FileKind) -> Bool {
    let skipped = scanner.filter.reasonToSkip(name, isDirectory: kind == .directory, in: place)
    guard let reason = skipped else { return true }
    note(skipped: reason)
    return false
  }

  private typealias Scanner = DirectoryScanner<Files, Source>

  /// The status of an entry; `nil` if it is unknown or no item, which is noted.
  private mutating func known(_ status: Result<FileStatus, Errno>, _ name: NameView) -> FileStatus? {
    switch status {
    case .success(let status):
      if status.kind != .special { return status }
      listing.skipped[.special, default: 0] += 1
    // Removed meanwhile: an event reports that.
    case .failure(.noSuchFileOrDirectory): break
    // A directory with read but no search permission.
    case .failure(.permissionDenied): listing.failure = .permissionDenied
    case .failure:
      let start = listing.names.count
      unsafe listing.names.append(contentsOf: unsafe name.bytes)
      listing.unprobed.append(start..<listing.names.count)
    }
    return nil
  }

  /// Reads an unreadable tag again, so that a brief lack of memory gives no document another identity.
  private func certain(_ tag: TagReading, of name: NameView) -> TagReading {
    tag == .unreadable ? files.readTag(of: name, in: directory) : tag
  }

  private mutating func fileSystem(of status: FileStatus, _ name: NameView) -> UInt64 {
    if let known = listing.fileSystem, known.device == status.device { return known.identifier }
    let identifier = files.fileSystemIdentifier(of: status, named: name, in: directory)
    listing.fileSystem = (status.device, identifier)
    return identifier
  }
}

// MARK: - Tags

extension ListingMaker {
  /// The tag for a file at rest in the first scan; a file that is being written gets its tag when it is complete.
  private mutating func tagToWrite(_ scanned: inout ScannedEntry, isSpared: Bool, _ name: NameView) -> UUIDBits? {
    let entry = scanned.entry
    if entry.kind == .file && entry.isRecent {
      let writers = files.probeWriters(of: name, in: directory)
      // If the probe failed, it is repeated when an untagged file has rested.
      scanned.isBeingWritten = writers == .beingWritten || writers == .failed && entry.tag == .none
      if scanned.isBeingWritten { return nil }
    }
    // The engine replaces garbage, because it knows the inode.
    guard entry.tag == .none, !place.isOnTheWay(name) else { return nil }
    if isSpared {
      listing.skipped[.onlyInLowerLayer, default: 0] += 1
      return nil
    }
    if !listing.hasWrittenTags {
      if listing.mark?.isOfInotify != true { scanner.mark(directory, for: .entriesWithoutAttributes, &listing) }
      listing.hasWrittenTags = true
    }
    return UUIDBits.minted(for: entry.key, on: entry.fileSystem)
  }

  mutating func noteTag(of name: NameView, _ claim: TagClaim) {
    let (index, tag) = untagged[firstUntagged]
    firstUntagged += 1
    switch claim {
    case .written:
      listing.entries[index].entry.tag = .uuid(tag)
      listing.entries[index].wasTagged = true
    case .found(let found): listing.entries[index].entry.tag = certain(found, of: name)
    case .failed(let error, let found):
      listing.entries[index].entry.tag = certain(found, of: name)
      if found == .none { listing.skipped[FileSystemObserver.SkipReason(tagFailure: error), default: 0] += 1 }
    }
  }
}

extension ListedKind {
  fileprivate var isDirectory: Bool? { self == .unknown ? nil : self == .directory }
}

extension FileSystemObserver.SkipReason {
  init(tagFailure error: Errno) {
    switch error {
    case .noSpace, .diskQuotaExceeded: self = .noRoomForTag
    case .readOnlyFileSystem: self = .readOnly
    case .notSupported: self = .tagNotSupported
    default: self = .tagNotPermitted
    }
  }
}
