import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Listing directories, and comparing the listings with the graph.

extension Engine {
  /// Marks and lists one directory.
  ///
  /// Its subdirectories are then scanned by request.
  func scanDirectory(_ id: NodeID, _ now: MonotonicTime) {
    let (place, level) = state.classify { classifier -> (Place?, Int) in
      guard classifier.graph.isLive(id), classifier.graph[id].kind == .directory else { return (nil, 0) }
      return (classifier.graph.place(id), classifier.graph.storage.level(of: id))
    }
    guard let place, !coveredPlaces.contains(place), settings.filter.listsDirectories(onLevel: level) else { return }
    if state.classify({ $0.coverage.has(.needsListing, id) }) { return scanSubtree(id, now) }
    guard let directory = directory(id) else { return noteStale(id, now) }
    list(id, directory, level: level, now)
  }

  /// Marks and lists the observed directory again.
  func scanRootAgain(_ now: MonotonicTime) {
    list(.root, root, level: -1, now)
  }

  private func list(_ id: NodeID, _ directory: Files.Directory, level: Int, _ now: MonotonicTime) {
    let path = settings.filter.needsPaths ? relativePath(id) : []
    var listing = DirectoryListing(number: 0)
    do throws(Errno) {
      let opened = try files.reopenForListing(directory)
      listing = scanner(writesTags: false).scan(opened, number: 0, level: level, path: path)
    } catch {
      listing.failure = error
    }
    if let mark = listing.mark {
      source.deliverPending()
      listedAt.insert(mark, at: deliveredCount)
    }
    merge(listing, into: id, now)
  }

  func scanner(writesTags: Bool) -> DirectoryScanner<Files, Source> {
    DirectoryScanner(files: files, source: source, filter: settings.filter, writesTags: writesTags)
  }

  /// Compares a directory's listing with the graph.
  ///
  /// - Returns: The places and keys of the subdirectories, by the numbers of their own listings. Their entries are
  ///   known only after the requests: one that was moved may have to be looked for.
  @discardableResult
  func merge(_ listing: DirectoryListing, into id: NodeID, _ now: MonotonicTime) -> [UInt32: (Place, FileKey)] {
    tally.add(listing)
    register(listing, id, now)
    guard listing.failure == nil else { return [:] }
    var (seen, replaced): (Set<NodeID>, [NodeID]) = ([], [])
    var directories: [UInt32: (Place, FileKey)] = [:]
    let unchanged = unchangedEntries(listing, in: id)
    if unchanged.isAll, listing.unprobed.isEmpty, hasChildren(id, listing.entries.count) {
      return directoryPlaces(listing, in: id)
    }
    for (index, scanned) in listing.entries.enumerated() {
      if let known = unchanged[index] {
        seen.insert(known)
        guard scanned.listing != 0 else { continue }
        let place = Place(parent: id, name: FileName(bytes: listing.nameBytes(of: scanned)))
        directories[scanned.listing] = (place, scanned.entry.key)
        continue
      }
      let place = Place(parent: id, name: FileName(bytes: listing.nameBytes(of: scanned)))
      let sighting = Sighting(place: place, entry: scanned.entry, cause: .scan)
      let (known, isAnother) = state.classify { classifier -> (NodeID?, Bool) in
        classifier.observe(sighting, at: now)
        let known = classifier.graph.node(at: place)
        return (known, known.map { classifier.graph.key($0) != scanned.entry.key } ?? false)
      }
      if let known { seen.insert(known) }
      if let known, isAnother { replaced.append(known) }
      if scanned.listing != 0 { directories[scanned.listing] = (place, scanned.entry.key) }
    }
    for name in listing.unprobed {
      let place = Place(parent: id, name: FileName(bytes: listing.names[name]))
      state.classify { $0.noteUnprobed(place, now) }
      if let known = state.classify({ $0.graph.node(at: place) }) { seen.insert(known) }
    }
    markUnseen(in: id, seen, replaced: replaced, now)
    return directories
  }

  private func markUnseen(in id: NodeID, _ seen: Set<NodeID>, replaced: [NodeID], _ now: MonotonicTime) {
    state.classify { classifier in
      let unseen = classifier.graph.storage.children(of: id).filter { !seen.contains($0) }
      for child in unseen where classifier.displaced[child] == nil {
        classifier.observe(Sighting(place: classifier.graph.place(child), entry: nil, cause: .scan), at: now)
      }
      guard classifier.coverage.isRecovering else { return }
      // Events below them may be missing: they are listed when they turn up.
      let missed = (unseen + replaced).filter { classifier.graph.isLive($0) && classifier.graph[$0].kind == .directory }
      for id in missed { classifier.coverage.set(.needsListing, of: id) }
      // An entry whose name another inode had may be back without ever having been missing.
      for id in missed where seen.contains(id) { classifier.catchUpLater(id, now) }
    }
  }

  /// Stores a listing's mark, and reports its failures.
  func register(_ listing: DirectoryListing, _ id: NodeID, _ now: MonotonicTime) {
    recorder?.note(listing, of: id, inode: inode(of: id))
    if let mark = listing.mark ?? recognize(listing, id) {
      // The directory has another inode now, or another source watches it.
      if let former = marks[id], former != mark, markedDirectories[former] == id { release(former, of: nil) }
      // The directory was found again at another place.
      if let other = markedDirectories[mark], other != id { marks[other] = nil }
      if marks[id] != mark { recorder?.noteMark(mark, of: (id, inode(of: id))) }
      markedDirectories[mark] = id
      marks[id] = mark
    }
    if settings.filter.dependsOnPlace { filterReaches[id] = filterReach(of: id) }
    if let error = listing.markFailure { reportMarkFailure(error, id) }
    if listing.failure == nil, state.classify({ $0.coverage.set(.needsListing, of: id, false) }) { noteStaleBelow(id) }
    // No event reports changes in a directory without a mark: it is listed again until it has one.
    if listing.failure == .timedOut || listing.markFailure == .timedOut {
      state.classify { _ = $0.coverage.set(.silent, of: id) }
    }
    let isUnreadable = listing.failure != nil || listing.markFailure.map(Self.mayPass) == true
    // A change of permissions makes an event.
    let mayPass = listing.failure != .permissionDenied
    let wasUnreadable = state.classify { classifier in
      if let modified = listing.modified { classifier.setModified(id, modified) }
      let was = classifier.coverage.has(.unlistable, id)
      classifier.setUnlistable(id, isUnreadable, mayPass: mayPass, now)
      return was
    }
    if let error = listing.failure, !wasUnreadable { reportUnreadable(error, id) }
  }

  /// Moves the needs-listing mark of a directory that has been listed one level down.
  ///
  /// Its subdirectories have not been listed. A subdirectory that is moved before its listing keeps the mark.
  private func noteStaleBelow(_ id: NodeID) {
    let below = state.classify { classifier -> [NodeID] in
      let graph = classifier.graph
      guard settings.filter.listsDirectories(onLevel: graph.storage.level(of: id) + 1) else { return [] }
      return graph.storage.children(of: id).filter { graph.isLive($0) && graph[$0].kind == .directory }
    }
    for id in below { noteNeedsListing(id) }
  }

  /// The mark of a directory without read permission, so that a change of its permissions is noticed.
  private func recognize(_ listing: DirectoryListing, _ id: NodeID) -> MarkID? {
    guard listing.failure == .permissionDenied, let directory = directory(id) else { return nil }
    return source.recognize(directory)
  }

  /// Scans a directory that has another place or is back, if hints below it could not be followed up meanwhile.
  func catchUp(_ id: NodeID, _ now: MonotonicTime) {
    let isStale = isStale(id)
    let isFilteredAnew = isFilteredAnew(id)
    if isFilteredAnew { removeExcluded(below: id, now) }
    guard let place = state.classify({ $0.graph.isLive(id) ? $0.graph.place(id) : nil }) else { return }
    if isStale && !coveredPlaces.contains(place) || isFilteredAnew { scanSubtree(id, now) }
  }

  /// Whether the filter treats the contents of a directory differently at its new place; if not, no look is needed.
  private func isFilteredAnew(_ id: NodeID) -> Bool {
    guard settings.filter.dependsOnPlace, isDirectory(id) else { return false }
    let reach = filterReach(of: id)
    return filterReaches.updateValue(reach, forKey: id) != reach
  }

  func filterReach(of id: NodeID) -> FilterReach {
    let path = settings.filter.needsPaths ? relativePath(id) : []
    return settings.filter.reach(below: path, level: state.classify { $0.graph.storage.level(of: id) })
  }

  /// Whether hints of a directory, or of one below it, could not be followed up.
  private func isStale(_ id: NodeID) -> Bool {
    state.classify { classifier in
      let storage = classifier.graph.storage
      return classifier.coverage.entries(with: .needsListing).contains { storage.isEntry($0, inside: id) }
    }
  }

  /// Marks a directory that left a needs-listing directory before it was listed as needing a listing itself.
  func carryStaleness(to id: NodeID, from former: NodeID) {
    guard isDirectory(id) else { return }
    let isStale = state.classify { classifier in
      let graph = classifier.graph
      // The graph has forgotten the former directory, and its mark with it.
      guard graph.isLive(former) else { return true }
      var current = former
      while current != .root && !classifier.coverage.has(.needsListing, current) { current = graph[current].parent }
      return classifier.coverage.has(.needsListing, current)
    }
    if isStale { noteNeedsListing(id) }
  }

  /// Whether a directory is still in the graph: its number may belong to another entry by now.
  func isDirectory(_ id: NodeID) -> Bool {
    state.classify { $0.graph.isLive(id) && $0.graph[id].kind == .directory }
  }

  /// Removes entries that are too deep after a move, or that the filter excludes by their new path.
  func removeExcluded(below id: NodeID, _ now: MonotonicTime) {
    let below = state.classify { classifier -> [NodeID] in
      var below: [NodeID] = []
      classifier.graph.storage.forEachDescendant(of: id) { below.append($0) }
      return below
    }
    for entry in below {
      let found = state.classify { classifier -> (Place, Int, FileKind)? in
        let graph = classifier.graph
        return graph.isLive(entry) ? (graph.place(entry), graph.storage.level(of: entry), graph[entry].kind) : nil
      }
      guard let (place, level, kind) = found else { continue }
      if isExcluded(place, isDirectory: kind == .directory) || !settings.filter.includesLevel(level) {
        state.classify { $0.by(.excludedByFilter) { $0.delete(entry, reason: .movedOut, now) } }
      }
    }
  }

  private func scanSubtree(_ id: NodeID, _ now: MonotonicTime) {
    guard let directory = directory(id) else { return noteStale(id, now) }
    let level = state.classify { $0.graph.storage.level(of: id) }
    guard settings.filter.listsDirectories(onLevel: level) else { return }
    let path = settings.filter.needsPaths ? relativePath(id) : []
    compareTree(id, directory, level: level, path: path, threads: min(1, settings.scanThreads), now)
  }

  /// Compares everything below a directory with the graph.
  ///
  /// - Parameters:
  ///   - known: The tree of an earlier run, if the whole tree is compared with it.
  ///   - reportProgress: Called after each directory.
  func compareTree(
    _ top: NodeID, _ directory: Files.Directory, level: Int, path: [UInt8], threads: Int, _ now: MonotonicTime,
    known: KnownTags? = nil, reportProgress: () -> Void = {}
  ) {
    scanDepth += 1
    defer { endScan() }
    var nodes: [UInt32: NodeID] = [0: top]
    do throws(Errno) {
      var scanner = scanner(writesTags: false)
      scanner.known = known
      let scan = try TreeScan(scanner, root: directory, level: level, path: path, known: known.map { _ in top })
      try scan.run(threads: threads) { listing in
        // The directory may have been moved or removed meanwhile. Then events report that.
        guard let id = nodes.removeValue(forKey: listing.number), state.classify({ $0.graph.isLive(id) }) else {
          releaseMark(of: listing)
          return mayContinue()
        }
        compare(listing, with: id, &nodes, now)
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
    _ listing: DirectoryListing, with id: NodeID, _ nodes: inout [UInt32: NodeID], _ now: MonotonicTime
  ) {
    let directories = merge(listing, into: id, now)
    // It was renamed, or is unreadable for now. Its contents are compared later.
    if listing.failure != nil, id != .root { noteNeedsListing(id) }
    coveredPlaces.formUnion(directories.values.map(\.0))
    performRequests(now)
    coveredPlaces.subtract(directories.values.map(\.0))
    // In a fixed order: system calls follow, and a replay must make the same ones.
    for number in directories.keys.sorted() {
      if let (place, key) = directories[number] { nodes[number] = listed(place, key, now) }
    }
  }

  /// The entry of the directory that was listed at a place.
  ///
  /// If no event has put it there yet, it is listed again when one does, or when it turns out to be where it was.
  private func listed(_ place: Place, _ key: FileKey, _ now: MonotonicTime) -> NodeID? {
    let (there, known) = state.classify { ($0.graph.node(at: place), $0.graph.node(with: key)) }
    guard let known, known != there else { return known }
    noteNeedsListing(known)
    state.classify { $0.catchUpLater(known, now) }
    return nil
  }

  /// Removes the mark of a directory without an entry, unless the scan finds that it is observed elsewhere.
  func releaseMark(of listing: DirectoryListing) {
    if let mark = listing.mark, markedDirectories[mark] == nil { idleMarks[mark] = .some(nil) }
  }

  /// Forgets a directory that is no longer observed, and removes its mark.
  func forget(_ id: NodeID) {
    let handle = handles.find(id)
    handles.remove(id)
    filterReaches[id] = nil
    state.classify { classifier in
      for gap in [Coverage.Gaps.needsListing, .silent] { classifier.coverage.set(gap, of: id, false) }
    }
    guard let mark = marks.removeValue(forKey: id) else { return }
    // Another entry may have the same inode already: a directory that was moved and found again.
    guard markedDirectories[mark] == id else { return }
    release(mark, of: handle)
  }

  /// Removes a mark, but not before the end of a scan: the directory may turn up elsewhere, with the same mark.
  private func release(_ mark: MarkID, of handle: Files.Directory?) {
    markedDirectories[mark] = nil
    recorder?.noteMark(mark, of: nil)
    if scanDepth > 0 { idleMarks[mark] = .some(handle) } else { source.unmark(mark, of: handle) }
  }

  /// Ends a scan, and removes the marks that have no directory after it.
  func endScan() {
    scanDepth -= 1
    guard scanDepth == 0 else { return }
    let idle = idleMarks.sorted { $0.key.rawValue < $1.key.rawValue }
    for (mark, handle) in idle where markedDirectories[mark] == nil {
      source.unmark(mark, of: handle)
      // inotify reports each removal. If they overflowed its queue, they would cause the next scan, which would end the
      // same way.
      source.deliverPending()
    }
    idleMarks = [:]
  }
}
