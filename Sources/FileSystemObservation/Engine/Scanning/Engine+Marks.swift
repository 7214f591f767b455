import FileEvents
import FileIdentity
import LinuxFileSystem

// Marks: which directories the source watches.

extension Engine {
  /// Marks the directories above the root, to notice its removal and a rename of any of them, and notes the mounts
  /// below.
  ///
  /// A directory without read permission cannot be marked. Then only events of the root itself are noticed.
  func markSurroundings() {
    // The tree comes first: a fanotify group can watch some file systems (FUSE, btrfs subvolumes) only if it watches no
    // other.
    _ = try? source.mark(root, for: .entriesWithoutAttributes)
    mountPoints = files.mountPoints(below: root)
    markAncestors()
  }

  func markAncestors() {
    var scope = MarkScope.departures
    for ancestor in files.openAncestors(of: root) {
      if let mark = try? source.mark(ancestor, for: scope) { ancestorMarks.insert(mark) }
      scope = .itself
    }
  }

  /// Stores a listing's mark, and reports its failures.
  func register(_ listing: DirectoryListing, _ id: NodeID, _ now: MonotonicTime) {
    recorder?.note(listing, of: id, inode: inode(of: id))
    if let mark = listing.mark ?? recognize(listing, id) { setMark(mark, of: id) }
    if settings.filter.dependsOnPlace { filterReaches[id] = filterReach(of: id) }
    if let error = listing.markFailure { reportMarkFailure(error, id) }
    if listing.failure == nil, state.classify({ $0.coverage.set(.needsListing, of: id, false) }) {
      noteNeedsListingBelow(id)
    }
    // No event reports changes in a directory without a mark: it is listed again until it has one.
    if listing.failure == .timedOut || listing.markFailure == .timedOut {
      state.classify { _ = $0.coverage.set(.silent, of: id) }
    }
    noteReadability(listing, of: id, now)
  }

  private func setMark(_ mark: MarkID, of id: NodeID) {
    // The directory has another inode now, or another source watches it.
    if let former = marks[id], former != mark, markedDirectories[former] == id { release(former, of: nil) }
    // The directory was found again at another place.
    if let other = markedDirectories[mark], other != id { marks[other] = nil }
    if marks[id] != mark { recorder?.noteMark(mark, of: (id, inode(of: id))) }
    markedDirectories[mark] = id
    marks[id] = mark
  }

  private func noteReadability(_ listing: DirectoryListing, of id: NodeID, _ now: MonotonicTime) {
    let isUnreadable = listing.failure != nil || listing.markFailure.map(Self.mayPass) == true
    // A change of permissions makes an event.
    let mayPass = listing.failure != .permissionDenied
    let wasUnreadable = state.classify(at: now) { classifier in
      if let modified = listing.modified { classifier.setModified(id, modified) }
      let was = classifier.coverage.has(.unlistable, id)
      classifier.setUnlistable(id, isUnreadable, mayPass: mayPass)
      return was
    }
    if let error = listing.failure, !wasUnreadable { reportUnreadable(error, id) }
  }

  /// Removes the mark of a directory without an entry, unless the scan finds that it is observed elsewhere.
  func releaseMark(of listing: DirectoryListing) {
    if let mark = listing.mark, markedDirectories[mark] == nil { idleMarks[mark] = .some(nil) }
  }

  /// Removes a mark, at the earliest at the end of a scan: the directory may be found elsewhere, with the same mark.
  func release(_ mark: MarkID, of handle: Files.Directory?) {
    markedDirectories[mark] = nil
    recorder?.noteMark(mark, of: nil)
    if scans.depth > 0 { idleMarks[mark] = .some(handle) } else { source.unmark(mark, of: handle) }
  }

  /// The mark of a directory without read permission, which reports a change of the permissions.
  func recognize(_ listing: DirectoryListing, _ id: NodeID) -> MarkID? {
    guard listing.failure == .permissionDenied, let directory = directory(id) else { return nil }
    return source.recognize(directory)
  }

  /// Moves the needs-listing mark of a directory that has been listed one level down.
  ///
  /// Its subdirectories have not been listed. A subdirectory that is moved before its listing keeps the mark.
  func noteNeedsListingBelow(_ id: NodeID) {
    let below = state.classify { classifier -> [NodeID] in
      let storage = classifier.graph.storage
      guard settings.filter.listsDirectories(onLevel: storage.level(of: id) + 1) else { return [] }
      return storage.children(of: id).filter { classifier.isDirectory($0) }
    }
    for id in below { noteNeedsListing(id) }
  }

  func filterReach(of id: NodeID) -> FilterReach {
    settings.filter.reach(below: pathForFilter(of: id), level: level(of: id))
  }
}
