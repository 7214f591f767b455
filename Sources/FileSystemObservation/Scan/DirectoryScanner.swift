import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Lists one directory: marks it, reads and probes its entries, reads tags, and writes tags in the first scan.
///
/// This runs on the scanning threads. Entries need no path, string or object of their own: names go into one buffer a
/// directory.
struct DirectoryScanner<Files: FileSystem, Source: EventSource>: Sendable where Source.Directory == Files.Directory {
  let files: Files
  let source: Source
  let filter: ItemFilter
  /// Whether to tag untagged files: only in the first scan, when there is no graph to consult.
  let writesTags: Bool
  /// The tree of an earlier run: the tags of what has not changed since are not read.
  var known: KnownTags?
  /// An inode that changed within this many nanoseconds may still be written.
  static var recentWindow: Int64 { 10_000_000_000 }

  /// Whether an inode has changed so recently that it may still be written.
  static func isRecent(_ status: FileStatus, at wallClock: Int64) -> Bool {
    abs(WallClock.interval(from: status.changed, to: wallClock)) < recentWindow
  }

  /// Marks a directory **before** listing it, then lists it.
  ///
  /// - Parameters:
  ///   - path: The path below the root; needed only if the filter has patterns for paths.
  ///   - entry: The directory in the tree of an earlier run.
  func scan(
    _ directory: Files.Directory, number: UInt32, level: Int, path: [UInt8], entry: NodeID? = nil
  ) -> DirectoryListing {
    var maker = ListingMaker(scanner: self, directory: directory, number: number, level: level, path: path)
    maker.known = known.flatMap { known in entry.map { (known, $0) } }
    mark(directory, for: writesTags ? .entriesToTag : .entries, &maker.listing)
    maker.listing.modified = (try? files.status(of: directory))?.modified
    do throws(Errno) {
      try files.visitEntries(of: directory, &maker)
    } catch {
      maker.listing.failure = error
    }
    // The mark left out attribute events while tags were written. From now on it reports those of other programs.
    if writesTags, maker.listing.hasWrittenTags || maker.listing.mark?.isOfInotify == true {
      mark(directory, for: .entries, &maker.listing)
      readTagsAgain(in: directory, &maker.listing)
    }
    return maker.listing
  }

  /// Reads recent tags again: another program may have written one without an event.
  private func readTagsAgain(in directory: Files.Directory, _ listing: inout DirectoryListing) {
    for index in listing.entries.indices where listing.entries[index].entry.isRecent {
      let scanned = listing.entries[index]
      guard scanned.entry.kind != .symlink, !scanned.isBeingWritten else { continue }
      let tag = FileName(listing.name(of: scanned)).withView { files.readTag(of: $0, in: directory) }
      if tag == scanned.entry.tag || tag == .unreadable { continue }
      listing.entries[index].entry.tag = tag
      listing.entries[index].wasTagged = false
    }
  }

  func mark(_ directory: Files.Directory, for scope: MarkScope, _ listing: inout DirectoryListing) {
    do throws(Errno) {
      listing.mark = try source.mark(directory, for: scope)
    } catch {
      listing.markFailure = error
    }
  }
}
