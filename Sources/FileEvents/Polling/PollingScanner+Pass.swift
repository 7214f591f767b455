package import LinuxFileSystem
import SystemPackage

// One pass over all directories.

extension PollingScanner {
  /// The results of a pass.
  package struct Findings: Sendable {
    package var hints: [Hint] = []
    /// Whether every reachable directory was looked at, without a shortage of descriptors or memory.
    ///
    /// A mount that does not answer is left out: no file is renamed from or to it.
    package var isComplete = true
    /// The devices of mounts that did not answer.
    package var silent: Set<UInt64> = []

    fileprivate mutating func note(_ error: Errno, of id: DirectoryID) {
      if error.isShortage { isComplete = false }
      if error == .timedOut { silent.insert(id.device) }
    }
  }

  /// A directory to look at.
  private struct Work {
    var id: DirectoryID
    var way: Way
  }

  private enum Way {
    case anchor(Anchor<Files.Directory>)
    case entry(FileName, of: Files.Directory)
  }

  private static var lookingKinds: HintTraits { .unordered }

  /// Looks at all directories.
  ///
  /// - Parameters:
  ///   - tryMark: Asked for a mark of each directory that wants one, until there is no room.
  package func pass(
    at now: MonotonicTime, tryMark: (Files.Directory, MarkScope) -> MarkID? = { _, _ in nil }
  ) -> Findings {
    var findings = Findings()
    var hasRoom = true
    var stack = table.withLock { table -> [Work] in
      table.pass += 1
      return table.sortedAnchors.compactMap { id in table[id]?.anchor.map { Work(id: id, way: .anchor($0)) } }
    }
    while let work = stack.popLast() {
      guard let directory = open(work, &findings) else { continue }
      look(at: work.id, directory, &findings, &stack, now)
      if hasRoom { hasRoom = tryMarking(work.id, directory, tryMark, &findings) }
    }
    if findings.isComplete {
      let lost = table.withLock { $0.takeLost(butOn: findings.silent) }
      findings.hints += lost.map { Hint(directory: $0, kinds: Self.markAgain) }
    }
    return findings
  }

  private func open(_ work: Work, _ findings: inout Findings) -> Files.Directory? {
    do throws(Errno) {
      switch work.way {
      case .anchor(.open(let directory)): return directory
      case .anchor(.path(let path)): return try files.openRoot(at: path)
      case .entry(let name, let directory):
        return try name.withView { (view) throws(Errno) in try files.openDirectory(view, in: directory, for: .search) }
      }
    } catch {
      findings.note(error, of: work.id)
      return nil
    }
  }

  private func look(
    at id: DirectoryID, _ directory: Files.Directory, _ findings: inout Findings, _ stack: inout [Work],
    _ now: MonotonicTime
  ) {
    do throws(Errno) {
      let status = try files.status(of: directory)
      // Another directory has its name now: the listing reports that.
      guard DirectoryID(status) == id else { return }
      noteSelf(id, status, &findings, now)
      let begun = table.withLock { table in table.begin(id).map { (visit: $0, recent: table.takeRecent(id)) } }
      guard let begun else { return }
      var visit = begun.visit
      let first = findings.hints.count
      defer { end(visit, at: id, findings.hints[first...].compactMap(\.name)) }
      let known = visit.stamp
      if DirectoryStamp(status) != known || !visit.isFinal {
        try compare(&visit, id, directory, &findings, now)
      } else {
        checkEntries(&visit, id, directory, &findings)
      }
      if visit.stamp?.modified != known?.modified { repeatLooks(begun.recent, visit, from: first, &findings) }
      push(visit.shadow, directory, &stack)
    } catch {
      table.withLock { $0[id]?.recent.isListed = true }
      findings.note(error, of: id)
    }
  }

  /// Ends a visit that has reported some names.
  private func end(_ visit: Visit, at id: DirectoryID, _ names: [FileName]) {
    table.withLock { table in
      table.end(visit, at: id)
      table[id]?.recent.note(names)
    }
  }

  /// Repeats what was looked at since the last pass, because names have changed meanwhile.
  private func repeatLooks(_ recent: RecentLooks, _ visit: Visit, from first: Int, _ findings: inout Findings) {
    if recent.isListed { findings.hints.append(Hint(directory: visit.mark, kinds: .markAgain)) }
    let hinted = Set(findings.hints[first...].compactMap(\.name))
    for name in recent.names where !hinted.contains(name) { hint([], { name }, visit, &findings) }
  }

  /// Reports a change or removal of the directory itself, or of one above the observed one.
  private func noteSelf(_ id: DirectoryID, _ status: FileStatus, _ findings: inout Findings, _ now: MonotonicTime) {
    let stamp = DirectoryStamp(status)
    let hint = table.withLock { table -> Hint? in
      guard let item = table[id] else { return nil }
      let pass = table.pass
      table[id]?.lastPass = pass
      if item.scope.wantsEntries {
        if item.anchor != nil, status.linkCount == 0 { return Hint(directory: item.mark, kinds: .selfRemoved) }
        // Its own attributes may have changed, if not its entries.
        table[id]?.isOwnChangeUnreported = false
        guard item.isOwnChangeUnreported || item.stamp.map({ $0.changed != stamp.changed }) == true else { return nil }
        return Hint(directory: item.mark, kinds: [.attributes, .directory])
      }
      guard stamp != item.stamp else { return nil }
      table[id]?.stamp = stamp
      return Hint(directory: item.mark, kinds: .selfMoved)
    }
    if let hint { findings.hints.append(hint) }
  }

  /// Lists a directory that has changed, and reports the differences.
  private func compare(
    _ visit: inout Visit, _ id: DirectoryID, _ directory: Files.Directory, _ findings: inout Findings,
    _ now: MonotonicTime
  ) throws(Errno) {
    let listing = try list(directory, id, at: now)
    guard let fresh = listing.shadow else { return }
    visit.shadow.forEachDifference(to: fresh) { difference in
      hint(difference.kinds, { difference.name }, visit, &findings)
    }
    visit.hasAdoptedTimes = true
    visit.former = visit.shadow
    visit.shadow = fresh
    visit.stamp = listing.stamp
    visit.stampSince = listing.since
    visit.isFinal = listing.isFinal
  }

  /// Checks each entry of a directory whose names have not changed.
  private func checkEntries(
    _ visit: inout Visit, _ id: DirectoryID, _ directory: Files.Directory, _ findings: inout Findings
  ) {
    for index in visit.shadow.items.indices {
      let item = visit.shadow.items[index]
      // A polled directory is checked by its own visit.
      if item.kind == .directory, table.withLock({ $0[item.directory] != nil }) { continue }
      let found = visit.shadow.withName(index) { name -> Result<FileStatus, Errno> in
        do throws(Errno) { return .success(try files.status(of: name, in: directory)) } catch { return .failure(error) }
      }
      switch found {
      case .success(let status):
        guard let kinds = visit.shadow.update(index, to: status) else { continue }
        table.withLock { $0.noteChange(status.changed, on: status.device) }
        hint(kinds, { visit.shadow.name(index) }, visit, &findings)
      case .failure(let error):
        findings.note(error, of: item.kind == .directory ? item.directory : id)
        // The removal has changed the directory's times: the next pass lists it.
        if error == .noSuchFileOrDirectory { visit.isFinal = false }
      }
    }
    visit.hasAdoptedTimes = true
  }

  private func hint(
    _ kinds: HintKinds, _ name: () -> FileName, _ visit: Visit, _ findings: inout Findings
  ) {
    let isOwnTime = visit.mustAdoptTimes || visit.scope == .entriesWithoutAttributes
    if isOwnTime, kinds.contains(.attributes) { return }
    findings.hints.append(Hint(directory: visit.mark, kinds: kinds, traits: Self.lookingKinds, name: name()))
  }

  /// Adds the directories below, to be looked at next.
  private func push(_ shadow: DirectoryShadow, _ directory: Files.Directory, _ stack: inout [Work]) {
    for index in shadow.items.indices where shadow.items[index].kind == .directory {
      let id = shadow.items[index].directory
      guard table.withLock({ $0[id] != nil && !$0.anchors.contains(id) }) else { continue }
      stack.append(Work(id: id, way: .entry(shadow.name(index), of: directory)))
    }
  }

  /// Asks for a mark of a directory; returns whether there was room.
  private func tryMarking(
    _ id: DirectoryID, _ directory: Files.Directory, _ tryMark: (Files.Directory, MarkScope) -> MarkID?,
    _ findings: inout Findings
  ) -> Bool {
    let wanted = table.withLock { table in table[id].flatMap { $0.wantsMark ? ($0.mark, $0.scope) : nil } }
    guard let (mark, scope) = wanted, scope != .entriesWithoutAttributes else { return true }
    guard let taken = tryMark(directory, scope) else { return false }
    table.withLock { if $0[id]?.mark == mark { $0[id]?.takenMark = taken } }
    findings.hints.append(Hint(directory: mark, kinds: Self.markAgain))
    return true
  }

  /// Includes its own attributes, which may have changed since the last look.
  private static var markAgain: HintKinds { [.markAgain, .attributes, .directory] }
}
