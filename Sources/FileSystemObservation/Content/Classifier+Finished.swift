import FileEvents
import LinuxFileSystem

// Whether a file is finished.

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
  func pause(_ progress: Progress) -> Int64 {
    min(timing.longestPause, timing.quiet << Int64(min(progress.checks, 4)))
  }

  /// Whether a sibling says that the file is not finished: `x.aria2`, `x-journal`, `x.part`.
  func isHeldUp(_ place: Place, _ progress: Progress) -> Bool {
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
