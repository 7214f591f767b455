import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Looks at the file system.

extension Engine {
  /// The result of a look at a place.
  enum Probe {
    case entry(Entry)
    case absent
    /// The directory is not at its announced place, or has no search permission: the entry is unknown.
    case unreachable
    /// There is an entry, but it could not be read: no memory, no descriptor, or a bad disk.
    case failed

    var entry: Entry? { if case .entry(let entry) = self { entry } else { nil } }

    /// Whether it is known what is at the place.
    var isReadable: Bool {
      switch self {
      case .entry, .absent: true
      case .unreachable, .failed: false
      }
    }
  }

  /// Looks at a place, relative to the descriptor of its directory.
  func probe(_ place: Place, _ cause: LookReason = .check) -> Probe {
    let found = directory(place.parent).map { directory in place.name.withView { probe($0, in: directory) } }
    if recorder != nil { note(found ?? .unreachable, at: place, cause) }
    return found ?? .unreachable
  }

  /// Looks at a place; an entry that the filter excludes by its kind counts as absent.
  private func probeObserved(_ place: Place, _ cause: LookReason = .check) -> Probe {
    observed(probe(place, cause), at: place)
  }

  private func observed(_ found: Probe, at place: Place) -> Probe {
    guard settings.filter.needsKinds, let entry = found.entry else { return found }
    return isExcluded(place, isDirectory: entry.kind == .directory) ? .absent : found
  }

  /// Finds out whether a file has writers, and then looks at it for a decision.
  ///
  /// - Returns: `nil` as for `probeForDecision`; nothing of writers for what is no regular file.
  func probeAfterWriters(_ place: Place, _ now: MonotonicTime) -> (Probe, WriterProbe?)? {
    guard let directory = directory(place.parent) else { return probeForDecision(place, now).map { ($0, nil) } }
    let (found, writers) = place.name.withView { name -> (Probe, WriterProbe) in
      let look = files.lookAfterWriters(of: name, in: directory)
      return (probe(look.status, look.tag, name, in: directory), look.writers)
    }
    recorder?.noteLease(writers, at: place, inode: inode(of: place.parent))
    if recorder != nil { note(found, at: place, .check) }
    guard let found = decision(on: observed(found, at: place), at: place, now) else { return nil }
    return (found, found.entry?.kind == .file ? writers : nil)
  }

  private func probe(_ name: NameView, in directory: Files.Directory) -> Probe {
    let status = Result { () throws(Errno) in try files.status(of: name, in: directory) }
    let kind = try? status.get().kind
    let hasTag = kind == .file || kind == .directory
    return probe(status, hasTag ? files.readTag(of: name, in: directory) : .unreadable, name, in: directory)
  }

  private func probe(
    _ found: Result<FileStatus, Errno>, _ tag: TagReading, _ name: NameView, in directory: Files.Directory
  ) -> Probe {
    do throws(Errno) {
      let status = try found.get()
      // A socket, pipe or device is no item.
      if status.kind == .special { return .absent }
      return .entry(
        Entry(
          status, tag: tag, fileSystem: files.fileSystemIdentifier(of: status, named: name, in: directory),
          isRecent: DirectoryScanner<Files, Source>.isRecent(status, at: files.wallClock)))
    } catch {
      return switch error {
      case .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong: .absent
      case .permissionDenied: .unreachable
      default: .failed
      }
    }
  }

  /// An open directory of the graph; `nil` if it is not at its announced place.
  func directory(_ id: NodeID) -> Files.Directory? {
    if id == .root { return root }
    if let known = handles.find(id) { return known }
    var missing: [(NodeID, FileName, FileKey)] = []
    var current = id
    var base: Files.Directory?
    while base == nil {
      let (name, key, parent) = state.classify { classifier in
        (classifier.graph.name(current), classifier.graph.key(current), classifier.graph[current].parent)
      }
      missing.append((current, name, key))
      current = parent
      base = current == .root ? root : handles.find(current)
    }
    return base.flatMap { open(missing.reversed(), below: $0) }
  }

  private func open(_ steps: [(NodeID, FileName, FileKey)], below base: Files.Directory) -> Files.Directory? {
    var directory = base
    for (id, name, key) in steps {
      let opened = name.withView { view -> Files.Directory? in
        let next = try? files.openDirectory(view, in: directory, for: .search)
        let status = next.flatMap { try? files.status(of: $0) }
        if recorder != nil { noteOpen(status.map { FileKey($0) }, id, name) }
        guard let next, let status, FileKey(status) == key else { return nil }
        return next
      }
      guard let opened else { return nil }
      // A directory that stays open between two steps would keep its mount from being unmounted.
      handles.insert(opened, for: id, isPassing: !mountPoints.isEmpty && !files.mayStayOpen(opened))
      directory = opened
    }
    return directory
  }

  /// Looks at a place for a decision.
  ///
  /// - Returns: `nil` if the next hints may explain the result: an operation is visible on disk a moment before the
  ///   kernel reports it. The place is then looked at again after those hints, or after a moment.
  func probeForDecision(_ place: Place, for cause: LookReason = .check, _ now: MonotonicTime) -> Probe? {
    decision(on: probeObserved(place, cause), at: place, for: cause, now)
  }

  private func decision(
    on found: Probe, at place: Place, for cause: LookReason = .check, _ now: MonotonicTime
  ) -> Probe? {
    switch found {
    case .unreachable: return found
    case .failed:
      recorder?.noteWait(place)
      state.classify(at: now) { $0.noteUnprobed(place) }
      return nil
    case .entry, .absent: break
    }
    let key = found.entry?.key
    let isExpected = state.classify { $0.expects(found.entry, at: place) }
    // A version that nobody has seen is identified by this look: it must not be one that comes here only later.
    let isFirst = isExpected && mustWaitForFirstLook(at: place)
    if isExpected, !isFirst { return found }
    switch order(in: place.parent) {
    case .certain: return found
    case .unproven where isFirst: return found
    case .unproven where state.classify({ $0.isConfirmed(key, at: place) }): return found
    case .unproven where cause != .check && state.classify({ $0.mayCountAtOnce(found.entry, at: place) }): return found
    case .unproven, .behind: break
    }
    recorder?.noteWait(place)
    state.classify(at: now) { $0.awaitRecord(place, key, saying: cause.kinds) }
    return nil
  }

  /// Whether the first look at a version waits for hints; an operation decides at once, and only follows what it has.
  private func mustWaitForFirstLook(at place: Place) -> Bool {
    guard state.classify({ $0.hasUnseenVersion(at: place) }) else { return false }
    return !isPerformingOperation || isStillReplayed(place.parent)
  }

  /// What is known of the order of a look and the hints of its directory.
  private enum LookOrder {
    /// Hints have not been replayed, which may explain the look.
    case behind
    /// All hints of what the look has seen have been replayed.
    case certain
    /// Nothing orders them: a later look must find the same.
    case unproven
  }

  /// The order of a look that was just made in a directory, and the hints of that.
  private func order(in directory: NodeID) -> LookOrder {
    guard let mark = marks[directory] else { return .unproven }
    if isStillReplayed(directory) { return .behind }
    let isOrdered = !mark.isOfPolling && passBarrier(in: directory)
    source.deliverPending()
    if awaitsHints(of: mark) { return .behind }
    return isOrdered ? .certain : .unproven
  }

  /// Whether hints of a directory were taken that have not been replayed.
  private func isStillReplayed(_ directory: NodeID) -> Bool {
    guard let mark = marks[directory] else { return false }
    return carried.hints.contains { $0.directory == mark } || toFollow.contains { $0.directory == mark }
  }

  /// Whether all hints of what was seen in a directory by now have been replayed.
  func isCertain(in directory: NodeID) -> Bool {
    if case .certain = order(in: directory) { true } else { false }
  }

  /// Looks at a place, and passes the result to the classifier.
  func look(at place: Place, _ cause: LookReason, isVerified: Bool = false, _ now: MonotonicTime) {
    let found = isVerified ? probeObserved(place, cause) : probeForDecision(place, for: cause, now)
    switch found {
    case nil: return
    case .entry, .absent:
      let look = Look(place: place, entry: found?.entry, cause: cause, isVerified: isVerified)
      state.classify(at: now) { $0.observe(look) }
    case .unreachable where !toFollow.isEmpty:
      // The hints that are still to be followed may say where its directory is.
      state.classify { $0.inspect(place, cause.kinds) }
    case .unreachable:
      state.classify { $0.forgetFind(at: place) }
      noteUnfollowed(place.parent, now)
      state.classify(at: now) { $0.leaveToListing(place) }
    case .failed: state.classify(at: now) { $0.noteUnprobed(place) }
    }
  }

  /// Notes that hints of a directory could not be replayed; it is listed when it is found.
  func noteUnfollowed(_ id: NodeID, _ now: MonotonicTime) {
    // The graph may still have a file where a directory is by now.
    guard id != .root, isDirectory(id) else { return }
    let isNew = noteNeedsListing(id)
    let parent = state.classify(at: now) { classifier -> Place? in
      guard classifier.graph.isLive(id), isNew || !classifier.coverage.has(.unlistable, id) else { return nil }
      classifier.setUnlistable(id, true, mayPass: true)
      return classifier.graph.place(id)
    }
    if let parent, directory(parent.parent) != nil { look(at: parent, .check, now) }
  }
}
