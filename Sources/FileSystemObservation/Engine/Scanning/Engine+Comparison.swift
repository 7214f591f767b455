import FileIdentity
import LinuxFileSystem

// The comparison of a directory's listing with the graph.

extension Engine {
  /// Compares a directory's listing with the graph.
  ///
  /// - Parameter scan: The number of the scan that has made the listing.
  /// - Returns: The places and keys of the subdirectories, by the numbers of their own listings. Their entries are
  ///   known only after the requests, because a moved one may have to be found.
  @discardableResult
  func merge(
    _ listing: DirectoryListing, into id: NodeID, by scan: Int, _ now: MonotonicTime
  ) -> [UInt32: (Place, FileKey)] {
    tally.add(listing)
    register(listing, id, now)
    guard listing.failure == nil else { return [:] }
    if scans.compare(id, by: scan) { return directoryPlaces(listing, in: id) }
    let unchanged = unchangedEntries(listing, in: id)
    if unchanged.isAll, listing.unprobed.isEmpty, hasChildren(id, listing.entries.count) {
      return directoryPlaces(listing, in: id)
    }
    var comparison = Comparison()
    compareEntries(of: listing, in: id, unchanged, &comparison, now)
    leaveUnprobed(in: listing, id, &comparison, now)
    followRenames(in: id, &comparison, now)
    missUnseen(in: id, comparison, now)
    state.classify { $0.endAbsences(in: id) }
    return comparison.directories
  }

  private func compareEntries(
    of listing: DirectoryListing, in id: NodeID, _ unchanged: UnchangedEntries, _ comparison: inout Comparison,
    _ now: MonotonicTime
  ) {
    for (index, scanned) in listing.entries.enumerated() {
      if let known = unchanged[index] {
        comparison.seen.insert(known)
        if scanned.listing == 0 { continue }
      }
      let place = Place(parent: id, name: FileName(bytes: listing.nameBytes(of: scanned)))
      if unchanged[index] == nil, !noteRenamed(scanned, to: place, &comparison) {
        observe(scanned, at: place, &comparison, now)
      }
      if scanned.listing != 0 { comparison.directories[scanned.listing] = (place, scanned.entry.key) }
    }
  }

  /// Notes a listed file that is known by another name in the directory; returns whether it is one.
  private func noteRenamed(_ scanned: ScannedEntry, to place: Place, _ comparison: inout Comparison) -> Bool {
    let isRenamed = state.classify { classifier in
      guard classifier.isRenamedFile(scanned.entry, to: place) else { return false }
      if let occupant = classifier.graph.node(at: place) { comparison.seen.insert(occupant) }
      return true
    }
    if isRenamed { comparison.renamed.append((scanned, place)) }
    return isRenamed
  }

  /// Names that could not be looked at may stand for what they stood for.
  private func leaveUnprobed(
    in listing: DirectoryListing, _ id: NodeID, _ comparison: inout Comparison, _ now: MonotonicTime
  ) {
    for name in listing.unprobed {
      let place = Place(parent: id, name: FileName(bytes: listing.names[name]))
      state.classify(at: now) { $0.noteUnprobed(place) }
      if let known = state.classify({ $0.graph.node(at: place) }) { comparison.seen.insert(known) }
    }
  }

  /// Takes in the files that were renamed in the directory.
  ///
  /// If no hint may explain the listing, the old names are missing for certain. They need no look each.
  private func followRenames(in id: NodeID, _ comparison: inout Comparison, _ now: MonotonicTime) {
    if comparison.renamed.isEmpty { return }
    if isCertain(in: id) {
      comparison.missing = state.classify(at: now) { $0.missChildren(of: id, besides: comparison.seen) }
    }
    for (scanned, place) in comparison.renamed { observe(scanned, at: place, &comparison, now) }
  }

  private func observe(
    _ scanned: ScannedEntry, at place: Place, _ comparison: inout Comparison, _ now: MonotonicTime
  ) {
    let look = Look(place: place, entry: scanned.entry, cause: .scan)
    let (known, isAnother) = state.classify(at: now) { classifier -> (NodeID?, Bool) in
      classifier.observe(look)
      let known = classifier.graph.node(at: place)
      return (known, known.map { classifier.graph.key($0) != scanned.entry.key } ?? false)
    }
    guard let known else { return }
    comparison.seen.insert(known)
    if isAnother { comparison.replaced.append(known) }
  }

  private func missUnseen(in id: NodeID, _ comparison: Comparison, _ now: MonotonicTime) {
    state.classify(at: now) { classifier in
      let unseen = comparison.missing + classifier.missChildren(of: id, besides: comparison.seen)
      guard classifier.coverage.isRescanning else { return }
      // Events below these may be missing, so they are listed when they are found.
      let missed = (unseen + comparison.replaced).filter { classifier.isDirectory($0) }
      for id in missed { classifier.coverage.set(.needsListing, of: id) }
      // An entry may be back at its name without having been missed, although another inode had the name.
      for id in comparison.replaced where classifier.isDirectory(id) { classifier.rescanLater(id) }
    }
  }
}

/// What the comparison of a listing with the graph has found.
private struct Comparison {
  /// The known entries that were found.
  var seen: Set<NodeID> = []
  /// Those of them whose name stands for another inode.
  var replaced: [NodeID] = []
  /// Files that have another name in the directory, by the graph.
  var renamed: [(ScannedEntry, Place)] = []
  /// Known entries that were missed before `renamed` was taken in.
  var missing: [NodeID] = []
  /// The places and keys of the subdirectories, by the numbers of their own listings.
  var directories: [UInt32: (Place, FileKey)] = [:]
}
