import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Searches a folder for the tag and the inode of a file, with the scan of an observer: one look at each item.
///
/// It follows no symbolic link, opens only directories, and waits for no mount that does not answer.
struct FolderSearch {
  struct Result {
    /// The paths of everything that has the tag or the inode.
    var found: [FilePath] = []
    /// Directories that could not be searched completely.
    var unread: [FilePath] = []
    var isCancelled = false
  }

  private let bookmark: FileBookmark
  private let uuid: UUIDBits
  private let isCancelled: () -> Bool

  init(_ bookmark: FileBookmark, isCancelled: @escaping () -> Bool) {
    self.bookmark = bookmark
    uuid = UUIDBits(bookmark.uuid)
    self.isCancelled = isCancelled
  }

  /// Searches a folder and everything below it.
  ///
  /// - Throws: Why the folder itself cannot be searched.
  func search(_ folder: FilePath) throws(Errno) -> Result {
    let files = GuardedFileSystem(HostFileSystem(tag: FileTag(name: bookmark.tagName), sparesLower: false))
    defer { files.end() }
    var result = Result(found: [folder])
    var failure: Errno?
    var paths = PathsOfListings(folder)
    try scan(folder, files).run(threads: processorCount) { listing in
      let path = paths.take(listing)
      if let error = listing.failure, listing.number == 0 { failure = error }
      if listing.failure != nil || !listing.unprobed.isEmpty { result.unread.append(path) }
      result.isCancelled = isCancelled()
      let isFound = collect(listing, path, &result)
      return !isFound && !result.isCancelled
    }
    if let failure { throw failure }
    return result
  }

  private func scan(
    _ folder: FilePath, _ files: GuardedFileSystem
  ) throws(Errno) -> TreeScan<GuardedFileSystem, NoEvents> {
    let root = try files.openRoot(at: folder)
    files.noteRoot(root)
    return try TreeScan(reading: root, ItemFilter(includesHidden: true), files)
  }

  /// Takes in what a directory has; whether the file itself was among it, so that nothing else can be it.
  private func collect(_ listing: DirectoryListing, _ path: FilePath, _ result: inout Result) -> Bool {
    var isFound = false
    for scanned in listing.entries {
      let bearsTag = scanned.entry.tag.uuid == uuid
      let hasInode = scanned.entry.key.inode == bookmark.traits.inode
      guard bearsTag || hasInode else { continue }
      result.found.append(path.appending(bytes: listing.nameBytes(of: scanned)))
      if bearsTag, isCertain(scanned.entry) { isFound = true }
    }
    return isFound
  }

  /// Whether a search for another is needless; of several names, the best is chosen in the end.
  private func isCertain(_ entry: Entry) -> Bool {
    let traits = bookmark.traits
    return entry.key.inode == traits.inode && entry.key.born == traits.born && traits.hasBirthTime
      && entry.fileSystem == traits.fileSystem && entry.linkCount == 1
  }
}

/// The paths of directories that are going to be listed, by the numbers of their listings.
private struct PathsOfListings {
  private var paths: [UInt32: FilePath]

  init(_ root: FilePath) {
    paths = [0: root]
  }

  /// The path of a directory; notes those of the directories in it.
  mutating func take(_ listing: DirectoryListing) -> FilePath {
    let path = paths.removeValue(forKey: listing.number) ?? ""
    for scanned in listing.entries where scanned.listing != 0 {
      paths[scanned.listing] = path.appending(bytes: listing.nameBytes(of: scanned))
    }
    return path
  }
}
