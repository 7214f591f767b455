package import LinuxFileSystem
package import SystemPackage

/// Compares directories with their last known state, and makes hints of the differences.
///
/// It has no thread and no clock: the caller decides when to look. A pass without changes costs one statx(2) for each
/// directory and file. A pass sees states and not events, so that its hints have no order.
package final class PollingScanner<Files: DirectoryAccess>: Sendable {
  let files: Files
  let table = Mutex(PolledDirectories<Files.Directory>())

  package init(_ files: Files) {
    self.files = files
  }

  /// Whether there is nothing to look at.
  package var isIdle: Bool { table.withLock { $0.isEmpty } }
  /// Whether a pass may find moved entries.
  package var hasEntries: Bool { table.withLock { $0.hasEntries } }
  /// The number of directories that want a mark of the kernel.
  package var wantingCount: Int { table.withLock { $0.wantingCount } }
  /// The directories with wanted entries whose parent is not polled.
  var anchorMarks: [MarkID] {
    table.withLock { table in
      let anchors = table.anchors.compactMap { table[$0] }.filter { $0.scope.wantsEntries }
      return anchors.map(\.mark).sorted { $0.rawValue < $1.rawValue }
    }
  }
  package var count: Int { table.withLock { $0.items.count } }

  /// Starts to poll a directory, or changes its scope.
  ///
  /// Later passes compare with its present entries.
  package func mark(
    _ directory: Files.Directory, for scope: MarkScope, wantsMark: Bool = false, at now: MonotonicTime
  ) throws(Errno) -> MarkID {
    let status = try files.status(of: directory)
    let id = DirectoryID(status)
    if let known = remark(id, directory, for: scope, wantsMark: wantsMark, at: now) { return known }
    let listing = scope.wantsEntries ? try list(directory, id, at: now) : Listing(status, since: now)
    return table.withLock { table in
      let mark = table.insert(
        id, directory, mayStayOpen: { files.mayStayOpen(directory) }, at: { files.path(of: directory) }, for: scope,
        wantsMark: wantsMark, now)
      table.takeOver(listing, in: id)
      return mark
    }
  }

  /// Changes the scope of a directory with known entries; differences since then are still reported.
  private func remark(
    _ id: DirectoryID, _ directory: Files.Directory, for scope: MarkScope, wantsMark: Bool, at now: MonotonicTime
  ) -> MarkID? {
    guard scope.wantsEntries else { return nil }
    let found = table.withLock { table -> (mark: MarkID, visit: Visit?)? in
      guard let item = table[id], item.scope.wantsEntries, !item.isLost else { return nil }
      let hadOwnTimes = item.scope == .entriesWithoutAttributes && scope == .entries
      let mark = table.insert(
        id, directory, mayStayOpen: { files.mayStayOpen(directory) }, at: { files.path(of: directory) }, for: scope,
        wantsMark: wantsMark, now)
      guard hadOwnTimes else { return (mark, nil) }
      table[id]?.mustAdoptTimes = true
      return (mark, table.begin(id))
    }
    guard let found else { return nil }
    if var visit = found.visit {
      adoptTimes(&visit, in: directory)
      table.withLock { $0.end(visit, at: id) }
    }
    return found.mark
  }

  /// Stops polling a directory.
  ///
  /// - Returns: The mark that the kernel already has, unknown to the caller.
  package func unmark(_ mark: MarkID) -> MarkID? {
    table.withLock { $0.remove(mark) }
  }

  /// Stops polling a directory that the kernel reports now.
  package func unmark(_ directory: Files.Directory) {
    if isIdle { return }
    guard let status = try? files.status(of: directory) else { return }
    table.withLock { table in
      if let mark = table[DirectoryID(status)]?.mark { _ = table.remove(mark) }
    }
  }

  /// Lists a directory.
  ///
  /// A rename during the listing may hide or repeat a name: the directory is then listed again.
  func list(_ directory: Files.Directory, _ id: DirectoryID, at now: MonotonicTime) throws(Errno) -> Listing {
    var listing = try listOnce(directory, id, at: now)
    for _ in 0..<Self.mostAttempts {
      if DirectoryStamp(try files.status(of: directory)) == listing.stamp { return listing }
      listing = try listOnce(directory, id, at: now)
    }
    return listing
  }

  private static var mostAttempts: Int { 4 }

  private func listOnce(
    _ directory: Files.Directory, _ id: DirectoryID, at now: MonotonicTime
  ) throws(Errno) -> Listing {
    // Read before the listing, because a change during the listing changes the times.
    let status = try files.status(of: directory)
    var listing = Listing(status, since: now)
    let known = table.withLock { table in
      let item = table[id]
      let since = item?.stamp == listing.stamp ? item?.stampSince ?? now : now
      return (since, table.isFinal(listing.stamp, since: since, on: id.device, at: now))
    }
    (listing.since, listing.isFinal) = known
    if listing.isFinal { listing.isFinal = timesFollowEntries(of: directory, id) }
    let entries = try entries(of: directory)
    listing.shadow = entries.shadow
    if entries.isIncomplete { listing.isFinal = false }
    return listing
  }

  /// Reads a directory; whether an entry could not be looked at.
  private func entries(
    of directory: Files.Directory
  ) throws(Errno) -> (shadow: DirectoryShadow, isIncomplete: Bool) {
    let opened = try files.reopenForListing(directory)
    var shadow = DirectoryShadow()
    var isIncomplete = false
    var failure: Errno?
    try files.list(opened) { name, _, _ in
      do throws(Errno) {
        shadow.append(name, try files.status(of: name, in: opened))
      } catch {
        // The entry is gone; the next listing shows what replaced it.
        if error != .noSuchFileOrDirectory { failure = error }
        isIncomplete = true
      }
    }
    if let failure, failure.isShortage { throw failure }
    // A mount in the directory does not answer, or the directory's own mount does not.
    if failure == .timedOut { _ = try files.status(of: directory) }
    return (shadow, isIncomplete)
  }

  /// Asked once for each file system, because a server may have to answer.
  private func timesFollowEntries(of directory: Files.Directory, _ id: DirectoryID) -> Bool {
    if let known = table.withLock({ $0.timesFollowEntries[id.device] }) { return known }
    let asked = files.timesFollowEntries(of: directory)
    table.withLock { $0.timesFollowEntries[id.device] = asked }
    return asked
  }

  private func adoptTimes(_ visit: inout Visit, in directory: Files.Directory) {
    for index in visit.shadow.items.indices {
      guard let status = visit.shadow.withName(index, { try? files.status(of: $0, in: directory) }) else { continue }
      visit.shadow.adoptChangeTime(index, of: status)
    }
    visit.hasAdoptedTimes = true
  }
}
