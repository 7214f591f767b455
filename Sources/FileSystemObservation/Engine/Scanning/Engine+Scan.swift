import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Listings of directories and trees.

extension Engine {
  /// Marks and lists one directory; its subdirectories are then scanned by request.
  ///
  /// If something in it needs a listing, it is compared with all that is below it.
  func scanDirectory(_ id: NodeID, _ now: MonotonicTime) {
    guard isDirectory(id), let place = place(of: id), !coveredPlaces.contains(place) else { return }
    guard isListed(id) else { return awaitTag(ofUnlisted: id, at: place, now) }
    if isStale(id) { return scanSubtree(id, now) }
    guard let directory = directory(id) else { return noteUnfollowed(id, now) }
    list(id, directory, now)
  }

  /// Whether the filter has the contents of a directory listed.
  func isListed(_ id: NodeID) -> Bool { settings.filter.listsDirectories(onLevel: level(of: id)) }

  /// Marks and lists the observed directory again.
  func scanRootAgain(_ now: MonotonicTime) {
    list(.root, root, now)
  }

  private func list(_ id: NodeID, _ directory: Files.Directory, _ now: MonotonicTime) {
    let scan = scans.beginListing()
    var listing = DirectoryListing(number: 0)
    do throws(Errno) {
      let opened = try files.reopenForListing(directory)
      listing = scanner(writesTags: false).scan(opened, number: 0, level: level(of: id), path: pathForFilter(of: id))
    } catch {
      listing.failure = error
    }
    if let mark = listing.mark {
      source.deliverPending()
      listedAt.insert(mark, at: deliveredCount)
    }
    merge(listing, into: id, by: scan, now)
  }

  func scanner(writesTags: Bool) -> DirectoryScanner<Files, Source> {
    DirectoryScanner(files: files, source: source, filter: settings.filter, writesTags: writesTags)
  }

  /// Scans a directory that was moved or found again, if hints below it could not be replayed.
  func rescanIfNeeded(_ id: NodeID, _ now: MonotonicTime) {
    let isStale = isStale(id)
    let isFilteredAnew = isFilteredAnew(id)
    if isFilteredAnew { removeExcluded(below: id, now) }
    guard let place = place(of: id) else { return }
    if isStale && !coveredPlaces.contains(place) || isFilteredAnew { scanSubtree(id, now) }
  }

  /// Whether the filter treats the contents of a directory differently at its new place.
  private func isFilteredAnew(_ id: NodeID) -> Bool {
    guard settings.filter.dependsOnPlace, isDirectory(id) else { return false }
    let reach = filterReach(of: id)
    return filterReaches.updateValue(reach, forKey: id) != reach
  }

  /// Whether hints of a directory, or of one below it, could not be replayed.
  private func isStale(_ id: NodeID) -> Bool {
    state.classify { classifier in
      let storage = classifier.graph.storage
      return classifier.coverage.entries(with: .needsListing).contains { storage.isEntry($0, inside: id) }
    }
  }

  /// Removes entries that are too deep after a move, or that the filter excludes by their new path.
  func removeExcluded(below id: NodeID, _ now: MonotonicTime) {
    for entry in state.classify({ $0.graph.storage.descendants(of: id) }) {
      guard let place = place(of: entry) else { continue }
      if isUnobserved(place, isDirectory: isDirectory(entry)) {
        state.classify(at: now) { $0.by(.excludedByFilter) { $0.delete(entry, reason: .movedOut) } }
      }
    }
  }

  private func scanSubtree(_ id: NodeID, _ now: MonotonicTime) {
    guard let directory = directory(id) else { return noteUnfollowed(id, now) }
    if isListed(id) { compareTree(id, directory, threads: min(1, settings.scanThreads), now) }
  }

  /// Compares everything below a directory with the graph.
  ///
  /// - Parameters:
  ///   - known: The tree of an earlier run, if the whole tree is compared with it.
  ///   - reportProgress: Called after each directory.
  func compareTree(
    _ top: NodeID, _ directory: Files.Directory, threads: Int, _ now: MonotonicTime, known: KnownTags? = nil,
    reportProgress: () -> Void = {}
  ) {
    let number = scans.begin()
    defer { endScan() }
    var nodes: [UInt32: NodeID] = [0: top]
    do throws(Errno) {
      var scanner = scanner(writesTags: false)
      scanner.known = known
      let scan = try TreeScan(
        scanner, root: directory, level: level(of: top), path: pathForFilter(of: top), known: known.map { _ in top })
      try scan.run(threads: threads) { listing in
        // If the directory was moved or removed meanwhile, events report that.
        guard let id = nodes.removeValue(forKey: listing.number), state.classify({ $0.graph.isLive(id) }) else {
          releaseMark(of: listing)
          return mayContinue()
        }
        compare(listing, with: id, by: number, &nodes, now)
        // Directories that wait for their listing keep their numbers.
        publish(reusingNumbers: false)
        reportProgress()
        return mayContinue()
      }
    } catch {
      reportUnreadable(error, top)
    }
  }

  /// Compares a listing with the graph, and notes the entries of the subdirectories that are listed next.
  private func compare(
    _ listing: DirectoryListing, with id: NodeID, by scan: Int, _ nodes: inout [UInt32: NodeID], _ now: MonotonicTime
  ) {
    let directories = merge(listing, into: id, by: scan, now)
    // It was renamed, or is unreadable for now, and is compared later.
    if listing.failure != nil, id != .root { noteNeedsListing(id) }
    coveredPlaces.formUnion(directories.values.map(\.0))
    performRequests(now)
    coveredPlaces.subtract(directories.values.map(\.0))
    // Sorted, because a replay must make the same system calls.
    for number in directories.keys.sorted() {
      if let (place, key) = directories[number] { nodes[number] = listed(place, key, now) }
    }
  }

  /// The entry of the directory that was listed at a place.
  ///
  /// If no event has moved it there yet, it is listed again after that event, or when it proves not to have moved.
  private func listed(_ place: Place, _ key: FileKey, _ now: MonotonicTime) -> NodeID? {
    let (there, known) = state.classify { ($0.graph.node(at: place), $0.graph.node(with: key)) }
    guard let known, known != there else { return known }
    noteNeedsListing(known)
    state.classify(at: now) { $0.rescanLater(known) }
    return nil
  }

  /// Forgets a directory that is no longer observed, and removes its mark.
  func forget(_ id: NodeID) {
    let handle = handles.find(id)
    handles.remove(id)
    filterReaches[id] = nil
    // Its place is another directory's now: what was in it and has not been listed is found elsewhere.
    if state.classify({ $0.graph.isLive(id) && $0.coverage.has(.needsListing, id) }) { noteNeedsListingBelow(id) }
    state.classify { classifier in
      for gap in [Coverage.Gaps.needsListing, .silent] { classifier.coverage.set(gap, of: id, false) }
    }
    guard let mark = marks.removeValue(forKey: id) else { return }
    // Another entry may have the same inode already: a directory that was moved and found again.
    guard markedDirectories[mark] == id else { return }
    release(mark, of: handle)
  }

  /// Ends a scan, and removes marks without a directory.
  func endScan() {
    guard scans.end() else { return }
    let idle = idleMarks.sorted { $0.key.rawValue < $1.key.rawValue }
    for (mark, handle) in idle where markedDirectories[mark] == nil {
      source.unmark(mark, of: handle)
      // inotify reports each removal. An overflow by those events would cause the next scan, which would end the same
      // way.
      source.deliverPending()
    }
    idleMarks = [:]
  }
}
