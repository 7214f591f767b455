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
    var listing = DirectoryListing(number: number)
    mark(directory, for: .entries, &listing)
    let context = ListingContext(
      wallClock: files.wallClock, path: path,
      listsDirectories: filter.listsDirectories(onLevel: level + 1))
    do throws(Errno) {
      try files.list(directory) { name, kind, _ in
        append(name, kind, in: directory, context, to: &listing)
      }
    } catch {
      listing.failure = error
    }
    // While tags were written, their events were not wanted; from now on others' are.
    if listing.hasWrittenTags {
      mark(directory, for: .entries, &listing)
      readTagsAgain(in: directory, &listing)
    }
    return listing
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

  private struct ListingContext {
    var wallClock: Int64
    var path: [UInt8]
    var listsDirectories: Bool
  }

  private func mark(_ directory: Files.Directory, for scope: MarkScope, _ listing: inout DirectoryListing) {
    do throws(Errno) {
      listing.mark = try source.mark(directory, for: scope)
    } catch {
      listing.markFailure = error
    }
  }

  private func append(
    _ name: NameView, _ kind: ListedKind, in directory: Files.Directory, _ context: ListingContext,
    to listing: inout DirectoryListing
  ) {
    if let reason = filter.reasonToSkip(name, in: context.path) {
      listing.skipped[reason, default: 0] += 1
      return
    }
    guard let status = status(of: name, kind, in: directory, &listing) else { return }
    var scanned = ScannedEntry(
      nameStart: UInt32(listing.names.count), nameCount: UInt8(clamping: name.count),
      entry: Entry(
        status, tag: status.kind == .symlink ? .unreadable : readTag(of: name, in: directory),
        fileSystem: fileSystem(of: status, name, in: directory, &listing),
        isRecent: abs(context.wallClock &- status.changed) < Self.recentWindow))
    if writesTags { settle(&scanned, isSpared: status.isSpared, name, in: directory, &listing) }
    if status.kind == .directory {
      scanned.listing = context.listsDirectories ? 1 : 0
      if !context.listsDirectories { listing.skipped[.belowLevels, default: 0] += 1 }
    }
    unsafe listing.names.append(contentsOf: unsafe name.bytes)
    listing.entries.append(scanned)
  }

  /// Reads once more what cannot be read: for want of memory for a moment, no document gets another identity.
  private func readTag(of name: NameView, in directory: Files.Directory) -> TagReading {
    let reading = files.readTag(of: name, in: directory)
    return reading == .unreadable ? files.readTag(of: name, in: directory) : reading
  }

  private func status(
    of name: NameView, _ kind: ListedKind, in directory: Files.Directory, _ listing: inout DirectoryListing
  ) -> FileStatus? {
    do throws(Errno) {
      let status = kind == .special ? nil : try files.status(of: name, in: directory)
      if let status, status.kind != .special { return status }
      listing.skipped[.special, default: 0] += 1
    } catch {
      switch error {
      // Gone again: then an event tells of it.
      case .noSuchFileOrDirectory: break
      // A directory that may be listed but not searched tells nothing.
      case .permissionDenied: listing.failure = error
      default:
        let start = listing.names.count
        unsafe listing.names.append(contentsOf: unsafe name.bytes)
        listing.unprobed.append(start..<listing.names.count)
      }
    }
    return nil
  }

  private func fileSystem(
    of status: FileStatus, _ name: NameView, in directory: Files.Directory, _ listing: inout DirectoryListing
  ) -> UInt64 {
    if let known = listing.fileSystem, known.device == status.device { return known.identifier }
    let identifier = files.fileSystemIdentifier(of: status, named: name, in: directory)
    listing.fileSystem = (status.device, identifier)
    return identifier
  }

  /// In the first scan a file at rest gets its tag at once; one that is being written waits until it is complete.
  private func settle(
    _ scanned: inout ScannedEntry, isSpared: Bool, _ name: NameView, in directory: Files.Directory,
    _ listing: inout DirectoryListing
  ) {
    let entry = scanned.entry
    if entry.kind == .file && entry.isRecent {
      let writers = files.probeWriters(of: name, in: directory)
      // What cannot be found out now is found out when a file without identity has rested.
      scanned.isBeingWritten = writers == .beingWritten || writers == .failed && entry.tag == .none
      if scanned.isBeingWritten { return }
    }
    // Garbage is replaced by the engine, which knows which inode it means.
    guard entry.tag == .none else { return }
    if isSpared { return listing.skipped[.onlyInLowerLayer, default: 0] += 1 }
    let minted = UUIDBits.minted(for: entry.key, on: entry.fileSystem)
    if !listing.hasWrittenTags {
      mark(directory, for: .entriesWithoutAttributes, &listing)
      listing.hasWrittenTags = true
    }
    do throws(Errno) {
      if try files.claimTag(minted, for: name, in: directory) {
        scanned.entry.tag = .uuid(minted)
        scanned.wasTagged = true
      } else {
        scanned.entry.tag = files.readTag(of: name, in: directory)
      }
    } catch {
      listing.skipped[SkipReason(tagFailure: error), default: 0] += 1
    }
  }
}

extension SkipReason {
  /// Why a tag could not be written.
  init(tagFailure error: Errno) {
    switch error {
    case .noSpace, .diskQuotaExceeded: self = .noRoomForTag
    case .readOnlyFileSystem: self = .readOnly
    case .notSupported: self = .tagNotSupported
    default: self = .tagNotPermitted
    }
  }
}
