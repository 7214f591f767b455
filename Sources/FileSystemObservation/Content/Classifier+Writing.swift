import FileEvents
import FileIdentity
import LinuxFileSystem

// Files that are being written: in place, as a save, or while they arrive.

extension Classifier {
  /// Takes in what a file looks like that was written in place, or was announced as copying.
  mutating func settleWriting(
    _ id: NodeID, _ entry: Entry?, _ probe: WriterProbe?, isVerified: Bool, at now: MonotonicTime
  ) {
    guard graph.isLive(id), var progress = writing[id], displaced[id] == nil else { return }
    guard let entry, entry.key == graph.key(id) else {
      return lookAgain(id, entry, now)
    }
    noteProgress(&progress, entry, now)
    if graph[id].flags.contains(.copying) {
      settleCopying(id, entry, progress, probe, now)
    } else if progress.isSave {
      settleSave(id, entry, progress, probe, isVerified, now)
    } else if progress.isComplete || now - progress.lastActivity >= timing.quiet {
      endWriting(id, entry, progress, now)
    } else {
      waitForRest(of: id, entry, progress, until: progress.lastActivity + timing.quiet, now)
    }
  }

  /// Something else is there than the file that is being written.
  mutating func lookAgain(_ id: NodeID, _ entry: Entry?, _ now: MonotonicTime) {
    writing[id]?.nextCheck = now + timing.quiet
    timers.schedule(.writing(id), at: now + timing.quiet)
    observe(Sighting(place: graph.place(id), entry: entry, cause: .check), at: now)
  }

  private mutating func settleSave(
    _ id: NodeID, _ entry: Entry, _ progress: Progress, _ probe: WriterProbe?, _ isVerified: Bool, _ now: MonotonicTime
  ) {
    noteTagInDoubt(id, entry.tag)
    switch verdict(on: progress, at: graph.place(id), probe, now) {
    case .wait(let until): waitForRest(of: id, entry, progress, until: until, now)
    case .finished: endSave(id, entry, progress, isVerified: isVerified, now)
    }
  }

  private mutating func settleCopying(
    _ id: NodeID, _ entry: Entry, _ progress: Progress, _ probe: WriterProbe?, _ now: MonotonicTime
  ) {
    noteTagInDoubt(id, entry.tag)
    switch verdict(on: progress, at: graph.place(id), probe, now) {
    case .wait(let until): waitForWriting(id, progress, until: until)
    case .finished: endCopying(id, entry, progress, now)
    }
  }
}
