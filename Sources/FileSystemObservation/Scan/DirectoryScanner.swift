import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Lists one directory: marks it, reads its entries, looks at each, reads its tag, and where it may, gives it one.
///
/// Runs on the scanning threads. No path, string or object is made for an entry: names go into one buffer a directory.
struct DirectoryScanner<Files: FileSystem, Source: EventSource>: Sendable where Source.Directory == Files.Directory {
  let files: Files
  let source: Source
  let filter: ItemFilter
  /// Whether files without a tag are given one: only in the first scan, when there is no graph that knows better.
  let writesTags: Bool
  /// An inode that changed within this many nanoseconds may still be written.
  static var recentWindow: Int64 { 10_000_000_000 }

  /// Marks a directory **before** it is listed, then lists it.
  ///
  /// - Parameter path: The path below the root, needed only where the filter has patterns for paths.
  func scan(_ directory: Files.Directory, number: UInt32, level: Int, path: [UInt8]) -> DirectoryListing {
    var maker = ListingMaker(scanner: self, directory: directory, number: number, level: level, path: path)
    mark(directory, for: writesTags ? .entriesToTag : .entries, &maker.listing)
    maker.listing.modified = (try? files.status(of: directory))?.modified
    do throws(Errno) {
      try files.visitEntries(of: directory, &maker)
    } catch {
      maker.listing.failure = error
    }
    // While tags were written, their events were not wanted; from now on others' are.
    if writesTags, maker.listing.hasWrittenTags || maker.listing.mark?.isOfInotify == true {
      mark(directory, for: .entries, &maker.listing)
      readTagsAgain(in: directory, &maker.listing)
    }
    return maker.listing
  }

  /// Somebody else may have written a tag while events of that were not wanted: only where something is going on now.
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
