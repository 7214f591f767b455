package import LinuxFileSystem
package import SystemPackage

/// Compares directories with what was last seen of them, and makes hints of what is different.
///
/// It has no thread and no clock: whoever drives it says when to look. While nothing changes a pass costs one statx(2)
/// a directory and one a file. All hints are in no order: a pass sees what is there, not how it came to be.
package final class PollingScanner<Files: DirectoryAccess>: Sendable {
  let files: Files
  let table = Mutex(PolledDirectories<Files.Directory>())

  package init(_ files: Files) {
    self.files = files
  }

  /// Whether there is anything to look at.
  package var isIdle: Bool { table.withLock { $0.isEmpty } }
  /// Whether a pass may find something that was moved.
  package var hasEntries: Bool { table.withLock { $0.hasEntries } }
  /// How many directories would rather be marked.
  package var wantingCount: Int { table.withLock { $0.wantingCount } }
  /// The directories whose entries are wanted and to which nothing leads that is polled.
  var anchorMarks: [MarkID] {
    table.withLock { table in
      let anchors = table.anchors.compactMap { table[$0] }.filter { $0.scope.wantsEntries }
      return anchors.map(\.mark).sorted { $0.rawValue < $1.rawValue }
    }
  }
  package var count: Int { table.withLock { $0.items.count } }

  /// Begins to poll a directory, or changes what is wanted of it: what it holds now is what later passes compare with.
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

  /// Changes what is wanted of a directory whose entries are known already: what is different by now is still to be
  /// told.
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

  /// Lets go of a directory.
  ///
  /// - Returns: The mark that the kernel has of it already, which nobody else knows of.
  package func unmark(_ mark: MarkID) -> MarkID? {
    table.withLock { $0.remove(mark) }
  }

  /// Lets go of a directory that the kernel tells of now.
  package func unmark(_ directory: Files.Directory) {
    if isIdle { return }
    guard let status = try? files.status(of: directory) else { return }
    table.withLock { table in
      if let mark = table[DirectoryID(status)]?.mark { _ = table.remove(mark) }
    }
  }

  /// Lists a directory.
  ///
  /// Whoever renames things while it is listed may make a name be missed, or be seen twice: then it is listed again.
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
    // Asked before it is listed: what happens meanwhile changes its times.
    let status = try files.status(of: directory)
    var listing = Listing(status, since: now)
    let known = table.withLock { table in
      let item = table[id]
      let since = item?.stamp == listing.stamp ? item?.stampSince ?? now : now
      return (since, table.isFinal(listing.stamp, since: since, on: id.device, at: now))
    }
    (listing.since, listing.isFinal) = known
    if listing.isFinal { listing.isFinal = timesFollowEntries(of: directory, id) }
    let opened = try files.reopenForListing(directory)
    var shadow = DirectoryShadow()
    var failure: Errno?
    try files.list(opened) { name, _, _ in
      do throws(Errno) {
        shadow.append(name, try files.status(of: name, in: opened))
      } catch {
        // Gone again; the rest is seen when the directory is listed again.
        if error != .noSuchFileOrDirectory { failure = error }
        listing.isFinal = false
      }
    }
    if let failure, failure.isShortage { throw failure }
    // What is mounted in it does not answer; or it is itself on that mount.
    if failure == .timedOut { _ = try files.status(of: directory) }
    listing.shadow = shadow
    return listing
  }

  /// The same for all directories of a file system, so it is asked once: that may be a question to a server.
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
