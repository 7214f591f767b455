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
  func verdict(on activity: WriteActivity, of kind: FileKind = .file, at place: Place, _ probe: WriterProbe?) -> Verdict
  {
    if activity.isComplete { return .finished }
    let rested = now - activity.lastActivity
    if kind == .file && isBlockedBySibling(place, activity) || probe == .beingWritten {
      return .wait(until: now + pause(activity))
    }
    var needed = timing.quiet
    if !activity.isClosed && probe != .nobodyWrites { needed = timing.unprovenQuiet }
    if patterns.isTransient(place.name) { needed = max(needed, timing.unprovenQuiet) }
    if patterns.isPartial(place.name) { needed = timing.partialQuiet }
    if rested >= needed { return .finished }
    return .wait(until: activity.lastActivity + needed)
  }

  /// The time until the next look, which doubles while nothing happens; events cut it short.
  func pause(_ activity: WriteActivity) -> Int64 {
    min(timing.longestPause, timing.quiet << Int64(min(activity.checks, 4)))
  }

  /// Whether a sibling marks the file as unfinished: `x.aria2`, `x-journal`, `x.part`.
  func isBlockedBySibling(_ place: Place, _ activity: WriteActivity) -> Bool {
    if activity.size == 0, isPlaceholder(place) { return true }
    return patterns.hasPendingSibling(of: place.name) { sibling, isAlwaysPending in
      if arrivals.mayHavePendingSibling(in: place.parent),
        arrivals[Place(parent: place.parent, name: FileName(bytes: sibling))] != nil
      {
        return true
      }
      guard let id = graph.node(named: sibling.span, in: place.parent), unresolved[id] == nil else { return false }
      return isAlwaysPending && !isLeftover(id, beside: activity) || writing[id] != nil
    }
  }

  /// Whether nobody has written a partial file since long before the file beside it: the download was given up.
  private func isLeftover(_ partial: NodeID, beside activity: WriteActivity) -> Bool {
    guard let began = period.began else { return false }
    let firstSeen = period.beganOnWallClock + (activity.firstSeen - began)
    return graph.content(of: partial).modified < firstSeen - timing.partialQuiet
  }

  /// Whether an empty file may be the placeholder of a download beside it.
  private func isPlaceholder(_ place: Place) -> Bool {
    guard arrivals.hasPartialNames || writing.hasPartialNames, !patterns.isPartial(place.name) else { return false }
    return patterns.endings(ofPlaceholder: place.name).contains { ending in
      let name = PartialName(directory: place.parent, ending: ending)
      return arrivals.contains(name) || writing.contains(name)
    }
  }

  /// Checks the file that was blocked by a sibling which is gone.
  mutating func wakeBlockedFile(by place: Place) {
    guard let name = patterns.fileBlocked(by: place.name) else { return }
    let file = Place(parent: place.parent, name: name)
    if arrivals[file] != nil {
      finishLater(file, after: 0)
    } else if let id = graph.node(at: file) {
      settleWritingLater(id, after: 0)
    }
  }
}
