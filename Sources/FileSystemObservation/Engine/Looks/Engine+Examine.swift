import FileEvents
import FileIdentity
import LinuxFileSystem

// Looks at what may be complete, moved or gone, for a decision of the classifier.

extension Engine {
  func finish(_ place: Place, _ probesWriters: Bool, isVerified: Bool, _ now: MonotonicTime) {
    guard state.classify({ $0.graph.isLive(place.parent) }) else { return }
    let answer = probeForEnd(place, probesWriters, now) { $0.finishLater(place, isUnreachable: $1) }
    guard let (found, writers) = answer else { return }
    state.classify(at: now) { classifier in
      if let entry = found.entry { classifier.takeFirstLook(entry, at: place) }
      classifier.finish(place, found.entry, writers, isVerified: isVerified)
    }
  }

  func checkWriting(_ id: NodeID, _ probesWriters: Bool, isVerified: Bool, _ now: MonotonicTime) {
    guard let place = place(of: id) else { return }
    let answer = probeForEnd(place, probesWriters, now) { $0.settleWritingLater(id, isUnreachable: $1) }
    guard let (found, writers) = answer else { return }
    state.classify(at: now) { $0.settleWriting(id, found.entry, writers, isVerified: isVerified) }
  }

  /// Looks at a file that may be finished, and at whether it has writers.
  ///
  /// - Parameter postpone: Called if that cannot be decided now; the second argument says whether it is out of reach.
  private func probeForEnd(
    _ place: Place, _ probesWriters: Bool, _ now: MonotonicTime, orLater postpone: (inout Classifier, Bool) -> Void
  ) -> (Probe, WriterProbe?)? {
    let answer = probesWriters ? probeAfterWriters(place, now) : probeForDecision(place, now).map { ($0, nil) }
    if let (found, writers) = answer, found.isReadable, writers != .failed { return answer }
    state.classify(at: now) { postpone(&$0, answer != nil) }
    if case .unreachable? = answer?.0 { noteUnfollowed(place.parent, now) }
    return nil
  }

  func probeWriters(_ place: Place) -> WriterProbe {
    guard let directory = directory(place.parent) else { return .unknown }
    let writers = place.name.withView { files.probeWriters(of: $0, in: directory) }
    recorder?.noteLease(writers, at: place, inode: inode(of: place.parent))
    return writers
  }

  func examine(_ id: NodeID, _ now: MonotonicTime) {
    let (place, elsewhere, isUnresolved) = state.classify { classifier in
      let (place, elsewhere) = classifier.places(of: id)
      return (place, elsewhere, classifier.isUnresolved(id))
    }
    guard let place, isUnresolved else { return }
    guard hasBeenLookedFor(id) else { return state.classify(at: now) { $0.examineLater(id) } }
    let here = probeIfObserved(place, now)
    let there = elsewhere.map { probeIfObserved($0, now) } ?? .absent
    guard let here, let there else { return state.classify(at: now) { $0.examineLater(id) } }
    if state.classify({ $0.isMissing(id) }), stillExists(id) { state.classify { $0.noteLeftByRename(id) } }
    state.classify(at: now) { $0.resolve(id, here: here.entry, elsewhere: there.entry) }
  }

  /// Looks at a place for a decision; there is nothing at one that is not observed, as by another filter than before.
  private func probeIfObserved(_ place: Place, _ now: MonotonicTime) -> Probe? {
    isUnobserved(place) ? .absent : probeForDecision(place, now)
  }

  /// Whether a missing directory still exists: the link count of its open descriptor says whether it was removed.
  func stillExists(_ id: NodeID) -> Bool {
    guard let handle = handles.find(id) else { return false }
    let status = try? files.status(of: handle)
    recorder?.noteAnswer(.exists, status.map { $0.linkCount > 0 ? 1 : 0 }, about: inode(of: id))
    return status.map { $0.kind == .directory && $0.linkCount > 0 } ?? false
  }

  /// Whether all events up to the moment when an entry was missed have been replayed.
  ///
  /// Until then it may be at a place that was not looked at, or it was found and must be found a second time.
  func hasBeenLookedFor(_ id: NodeID) -> Bool {
    let (since, isFound) = state.classify { $0.missingSince(id) }
    guard let since, let horizon = horizon(since: since) else { return since == nil }
    return horizon <= nextHint && !(isFound && horizon > 0)
  }

  /// Looks at entries at their believed places; `false` if the next hints may explain more.
  func verify(_ entries: [NodeID], _ now: MonotonicTime) -> Bool {
    var isDone = true
    for id in entries {
      let (place, elsewhere) = state.classify { $0.places(of: id) }
      guard let current = elsewhere ?? place else { continue }
      look(at: current, .check, now)
      isDone = isDone && state.classify { $0.isCertain(current) }
    }
    return isDone && !state.classify { $0.mustLookFurther(than: entries) }
  }

  func lookIfLive(_ place: Place, _ cause: LookReason, isVerified: Bool = false, _ now: MonotonicTime) {
    guard isDirectory(place.parent) else { return }
    if isUnobserved(place) { return state.classify(at: now) { $0.leave(place) } }
    look(at: place, cause, isVerified: isVerified, now)
  }

  /// Whether a directory is both at a place and at its own, and did not move between two looks.
  func isAtAnotherPlace(_ place: Place) -> Bool {
    guard let key = probe(place).entry?.key else { return false }
    let (id, own) = state.classify { classifier in
      let id = classifier.graph.node(with: key)
      return (id, id.map { classifier.graph.place($0) })
    }
    if id == .root { return true }
    guard let own, own != place, probe(own).entry?.key == key else { return false }
    return probe(place).entry?.key == key
  }

  /// Reports that a directory is at two places, which is a bind mount: to follow it could go on forever.
  func reportLoop(_ place: Place) {
    guard reportedProblems.isFirst(.directoryLoop(place)) else { return }
    let path = path(of: place.parent).appending(bytes: place.name.bytes)
    report(
      .directoryLoop, path,
      "\(path) is a directory that is observed at another place already (a bind mount); it is left out")
  }
}
