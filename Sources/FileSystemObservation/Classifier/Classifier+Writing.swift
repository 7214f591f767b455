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

  /// Hints that have not been followed up may tell more of a file that is being written.
  mutating func settleWritingLater(_ id: NodeID, _ now: MonotonicTime, after delay: Int64? = nil) {
    guard writing[id] != nil else { return }
    let due = now + (delay ?? retryDelay)
    writing[id]?.nextCheck = due
    timers.schedule(.writing(id), at: due)
  }

  /// Something else is there than the file that is being written.
  private mutating func lookAgain(_ id: NodeID, _ entry: Entry?, _ now: MonotonicTime) {
    writing[id]?.nextCheck = now + timing.quiet
    timers.schedule(.writing(id), at: now + timing.quiet)
    observe(Sighting(place: graph.place(id), entry: entry, cause: .check), at: now)
  }

  mutating func waitForWriting(_ id: NodeID, _ progress: Progress, until: MonotonicTime) {
    var progress = progress
    progress.checks += 1
    progress.nextCheck = until
    writing[id] = progress
    timers.schedule(.writing(id), at: until)
  }

  mutating func endWriting(_ id: NodeID, _ entry: Entry, _ progress: Progress, _ now: MonotonicTime) {
    let node = graph[id]
    stopWriting(id)
    noteTagInDoubt(id, .none)
    // Who was told in the middle is told of the end.
    let isDue = progress.isTold || hasNews(of: id, entry, progress)
    graph.setContent(id, modified: entry.modified, size: entry.size)
    if isDue { log.append(.modified, id, in: graph, by: progress.isSave ? .savedVersion : .writtenInPlace) }
    graph.setFlags(id, .tagged, entry.tag.uuid == node.uuid)
    if node.flags.contains(.tagUnread) {
      noteTag(of: id, entry, now)
    } else if entry.kind == .file, entry.tag.uuid != node.uuid, entry.tag != .unreadable {
      requests.append(
        entry.tag == .none ? .writeTagInTime(id, claiming: false) : .writeTag(id, claiming: false))
    }
    wakeFileHeldUp(by: graph.place(id), now)
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

  /// A file is complete that bears the tag of another, which is gone: all its names are that one's now.
  mutating func endAsOriginal(
    _ original: NodeID, _ id: NodeID, _ entry: Entry, isReplaced: Bool, _ now: MonotonicTime
  ) {
    let links = unlinkOthers(of: id)
    let place = graph.place(id)
    if isReplaced { endReplaced(id, now) } else { delete(id, reason: .removed, now) }
    moveBearer(original, to: place, entry, now)
    guard graph.isLive(original), graph.key(original) == entry.key else { return }
    for place in links where graph.node(at: place) == nil { link(original, at: place) }
  }

  /// Another identity for a file that was told as copying with what was minted for it, and is not tagged yet: something
  /// else bears that as its tag, as a document does that was saved and has what was minted for its first inode.
  mutating func giveUpClaimed(_ id: NodeID, _ entry: Entry) {
    guard graph[id].flags.contains(.copying), !graph[id].flags.contains(.tagged) else { return }
    takeFreeIdentity(id, entry)
  }

  private mutating func endCopying(_ id: NodeID, _ entry: Entry, _ progress: Progress, _ now: MonotonicTime) {
    let original = bearer(ofTagIn: entry, besides: id)
    if let original, isInRemovedFolder(original) { return settleWritingLater(id, now, after: timing.quiet) }
    stopWriting(id)
    noteTagInDoubt(id, .none)
    // A document's old inode has been there before: nobody moved the document there by copying.
    if let original, hasGone(original), !progress.isOld {
      return endAsOriginal(original, id, entry, isReplaced: false, now)
    }
    if tagsInDoubt.hasMembers(graph[id].uuid) { giveUpClaimed(id, entry) }
    graph.setFlags(id, .copying, false)
    graph.setContent(id, modified: entry.modified, size: entry.size)
    if let original { tellCopy(id, of: original, now) }
    log.append(.copyFinished, id, in: graph, by: progress.isClosed ? .finishedByClose : .finishedAfterQuiet)
    noteAnnounced(id, now)
    if graph[id].flags.contains(.tagUnread) { noteTag(of: id, entry, now) } else { requestTag(id, entry) }
    wakeFileHeldUp(by: graph.place(id), now)
  }
}
