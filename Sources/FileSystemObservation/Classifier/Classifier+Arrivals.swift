import FileEvents
import FileIdentity
import LinuxFileSystem

// Inodes that have not been announced.

extension Classifier {
  mutating func put(_ arrival: Arrival, at place: Place) {
    takeArrival(at: place)
    arrivals[place] = arrival
    if arrival.key != .unseen { arrivalPlaces.insert(place, for: arrival.key) }
    for name in partialNames(at: place) { partialArrivals.insert(place, for: name) }
    if arrival.progress.isOld {
      oldNameCounts[arrival.key, default: 0] += 1
    } else {
      newcomerCounts[place.parent, default: 0] += 1
    }
    if let tag = arrival.entry?.tag.uuid { tagsInDoubt.insert(.arrival(place), for: tag) }
    if let holder = held[place] { setWhereabouts(of: holder, .gone) }
    timers.schedule(.arrival(place), at: arrival.progress.nextCheck)
  }

  /// Takes an arrival out of the books.
  @discardableResult
  mutating func takeArrival(at place: Place) -> Arrival? {
    guard let arrival = arrivals.removeValue(forKey: place) else { return nil }
    arrivalPlaces.remove(place, for: arrival.key)
    for name in partialNames(at: place) { partialArrivals.remove(place, for: name) }
    if let tag = arrival.entry?.tag.uuid { tagsInDoubt.remove(.arrival(place), for: tag) }
    if arrival.progress.isOld {
      oldNameCounts.countDown(arrival.key)
    } else {
      newcomerCounts.countDown(place.parent)
    }
    return arrival
  }

  /// Gone again before it was announced: nothing is said.
  mutating func dropArrival(at place: Place, _ now: MonotonicTime) {
    guard let arrival = takeArrival(at: place) else { return }
    // Through its further name, which is gone, a document may have been written.
    if let known = graph.node(with: arrival.key) { noteActivity(of: known, kinds: [], now) }
    wakeFileHeldUp(by: place, now)
  }

  /// A file or link that the graph does not know.
  mutating func noteArrival(_ entry: Entry, _ sighting: Sighting, _ now: MonotonicTime) {
    if let known = arrivals[sighting.place], known.key == .unseen || known.key == entry.key {
      updateArrival(entry, sighting, now)
    } else {
      // If it is not what was renamed to here, that may be where it was.
      if let previous = arrivals[sighting.place]?.previous { touched.insert(previous, []) }
      put(Arrival(entry, progress(of: entry, sighting, now)), at: sighting.place)
    }
    adoptNewcomer(at: sighting.place, now)
  }

  private func progress(of entry: Entry, _ sighting: Sighting, _ now: MonotonicTime) -> Progress {
    let cause = sighting.cause
    var progress = Progress(entry, at: now, nextCheck: now + timing.quiet)
    progress.isClosed = entry.kind == .symlink
    if case .hint(let kinds) = cause {
      progress.isClosed = progress.isClosed || kinds.contains(.closed)
      progress.isWritten = kinds.contains(.written)
    }
    if isFoundLate(sighting.place, cause, now) { progress.recovery = coverage.recovery }
    if cause == .scan || cause == .check, !entry.isRecent {
      progress.lastActivity = now + -timing.partialPatience
      progress.nextCheck = now
    }
    progress.isRevealed = isRevealing && cause == .scan
    return progress
  }

  private mutating func updateArrival(_ entry: Entry, _ sighting: Sighting, _ now: MonotonicTime) {
    guard var arrival = takeArrival(at: sighting.place) else { return }
    if case .hint(let kinds) = sighting.cause, !kinds.isDisjoint(with: [.written, .closed]) {
      arrival.progress.noteActivity(kinds, now, quiet: timing.quiet)
      arrival.progress.nextCheck = now + timing.quiet
    }
    if entry.kind == .symlink { arrival.progress.isClosed = true }
    noteProgress(&arrival.progress, entry, now)
    arrival.entry = entry
    arrival.key = entry.key
    arrival.kind = entry.kind
    put(arrival, at: sighting.place)
  }

  /// Whatever changed since the last look is activity, whether or not an event told of it.
  func noteProgress(_ progress: inout Progress, _ entry: Entry, _ now: MonotonicTime) {
    let isSame = progress.size == entry.size && progress.modified == entry.modified
    defer { progress.isLookedAt = true }
    progress.size = entry.size
    progress.modified = entry.modified
    if isSame || !progress.isLookedAt { return }
    progress.lastActivity = now
    progress.isComplete = false
    progress.isWritten = true
    progress.isRevealed = false
    progress.checks = 0
  }

  /// Takes in that something was written or closed.
  ///
  /// Says whether the place is known; if not, it must be looked at.
  mutating func noteWriting(at place: Place, _ kinds: HintKinds, _ now: MonotonicTime) -> Bool {
    if arrivals[place] != nil {
      // In place: taking the arrival out and in again for every write would be waste.
      arrivals[place]?.progress.noteActivity(kinds, now, quiet: timing.quiet)
      if kinds.contains(.closed) { timers.schedule(.arrival(place), at: now + timing.quiet) }
      // By its further name, which is not told yet, a document may be written.
      if let known = arrivals[place].flatMap({ graph.node(with: $0.key) }) {
        noteActivity(of: known, kinds: kinds, now)
      }
      if kinds.contains(.closed) { adoptNewcomer(at: place, now) }
      return true
    }
    guard let id = graph.node(at: place), displaced[id] == nil else { return false }
    if graph[id].kind == .file { noteActivity(of: id, kinds: kinds, now) }
    return true
  }

  /// Of several names of one file, the one under which it is known to be written; else this one.
  func unfinishedName(of id: NodeID) -> NodeID {
    guard graph.hasOtherNames(id) else { return id }
    return graph.names(of: id, with: .written).first { writing[$0] != nil } ?? id
  }

  /// An entry's content is being changed in place.
  mutating func noteActivity(of id: NodeID, kinds: HintKinds, _ now: MonotonicTime) {
    let id = unfinishedName(of: id)
    if writing[id] == nil {
      let known = graph.content(of: id)
      var progress = Progress(now: now, size: known.size, modified: known.modified, nextCheck: now + timing.quiet)
      progress.noteActivity(kinds, now, quiet: timing.quiet)
      if !graph[id].flags.contains(.copying) { progress.tellBy = now + timing.longestSilence }
      return beginWriting(id, progress)
    }
    writing[id]?.noteActivity(kinds, now, quiet: timing.quiet)
    if kinds.contains(.closed), let next = writing[id]?.nextCheck { timers.schedule(.writing(id), at: next) }
  }
}

extension Dictionary where Value == Int {
  /// Counts one of these less, and forgets it with the last.
  mutating func countDown(_ key: Key) {
    guard let count = self[key] else { return }
    self[key] = count > 1 ? count - 1 : nil
  }
}

// MARK: - Is it finished?

extension Classifier {
  /// What is to be done with an unfinished file.
  enum Verdict: Equatable {
    case finished
    case wait(until: MonotonicTime)
  }

  /// Decides whether a file is finished: its last writer has closed it, the quiet period has passed, and nothing marks
  /// it as pending.
  func verdict(
    on progress: Progress, of kind: FileKind = .file, at place: Place, _ probe: WriterProbe?, _ now: MonotonicTime
  ) -> Verdict {
    if progress.isComplete { return .finished }
    let rested = now - progress.lastActivity
    if kind == .file && isHeldUp(place, progress) || probe == .beingWritten {
      return .wait(until: now + pause(progress))
    }
    var needed = timing.quiet
    if !progress.isClosed && probe != .nobodyWrites { needed = timing.patience }
    if patterns.isTransient(place.name) { needed = max(needed, timing.patience) }
    if patterns.isPartial(place.name) { needed = timing.partialPatience }
    if rested >= needed { return .finished }
    return .wait(until: progress.lastActivity + needed)
  }

  /// The pause doubles while nothing happens: events cut it short, so that it costs no delay.
  private func pause(_ progress: Progress) -> Int64 {
    min(timing.longestPause, timing.quiet << Int64(min(progress.checks, 4)))
  }

  /// Whether a sibling says that the file is not finished: `x.aria2`, `x-journal`, `x.part`.
  private func isHeldUp(_ place: Place, _ progress: Progress) -> Bool {
    if progress.size == 0, isPlaceholder(place) { return true }
    return patterns.pendingSiblings(of: place.name).contains { sibling in
      let place = Place(parent: place.parent, name: sibling.name)
      if arrivals[place] != nil { return true }
      guard let id = graph.node(at: place), displaced[id] == nil else { return false }
      return sibling.isAlwaysPending || writing[id] != nil
    }
  }

  /// Whether an empty file may be the placeholder of a download that goes on beside it.
  private func isPlaceholder(_ place: Place) -> Bool {
    guard !patterns.isPartial(place.name) else { return false }
    return patterns.endings(ofPlaceholder: place.name).contains { ending in
      let name = PartialName(directory: place.parent, ending: ending)
      return partialArrivals.hasMembers(name) || writing.contains(name)
    }
  }

  /// Something that held up another file is gone: that one may be finished now.
  mutating func wakeFileHeldUp(by place: Place, _ now: MonotonicTime) {
    guard let name = patterns.fileHeldUp(by: place.name) else { return }
    let file = Place(parent: place.parent, name: name)
    if arrivals[file] != nil {
      arrivals[file]?.progress.nextCheck = now
      timers.schedule(.arrival(file), at: now)
    } else if let id = graph.node(at: file), writing[id] != nil {
      writing[id]?.nextCheck = now
      timers.schedule(.writing(id), at: now)
    }
  }
}
