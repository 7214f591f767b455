import FileEvents
import FileIdentity
import LinuxFileSystem

// Files that are being written: in place, as a save, or while they arrive.

extension Classifier {
  /// Takes in a look at a file that was written in place, or announced as being copied.
  mutating func settleWriting(_ id: NodeID, _ entry: Entry?, _ probe: WriterProbe?, isVerified: Bool) {
    guard graph.isLive(id), var activity = writing[id], unresolved[id] == nil else { return }
    guard let entry, entry.key == graph.key(id) else {
      return lookAgain(id, entry)
    }
    noteLook(&activity, entry)
    if graph[id].flags.contains(.copying) {
      settleCopying(id, entry, activity, probe)
    } else if activity.isSave {
      settleSave(id, entry, activity, probe, isVerified)
    } else if activity.isComplete || now - activity.lastActivity >= timing.quiet {
      endWritingInPlace(id, entry, activity)
    } else {
      waitForRest(of: id, entry, activity, until: activity.lastActivity + timing.quiet)
    }
  }

  private mutating func endWritingInPlace(_ id: NodeID, _ entry: Entry, _ activity: WriteActivity) {
    unconfirmedTags.set(entry.tag.uuid, of: id)
    if !endInChain(id, entry, activity) { endWriting(id, entry, activity) }
  }

  /// Takes in that another inode is in the place of the file being written.
  mutating func lookAgain(_ id: NodeID, _ entry: Entry?) {
    settleWritingLater(id, after: timing.quiet)
    observe(Look(place: graph.place(id), entry: entry, cause: .check))
  }

  private mutating func settleSave(
    _ id: NodeID, _ entry: Entry, _ activity: WriteActivity, _ probe: WriterProbe?, _ isVerified: Bool
  ) {
    unconfirmedTags.set(entry.tag.uuid, of: id)
    switch verdict(on: activity, at: graph.place(id), probe) {
    case .wait(let until): waitForRest(of: id, entry, activity, until: until)
    case .finished: endSave(id, entry, activity, isVerified: isVerified)
    }
  }

  private mutating func settleCopying(_ id: NodeID, _ entry: Entry, _ activity: WriteActivity, _ probe: WriterProbe?) {
    let entry = presumingTag(recognizing(entry, restoredAt: graph.place(id)))
    unconfirmedTags.set(entry.tag.uuid, of: id)
    switch verdict(on: activity, at: graph.place(id), probe) {
    case .wait(let until): waitForWriting(id, activity, until: until)
    case .finished:
      if let delay = contentDelay(entry, at: graph.place(id)) {
        return waitForWriting(id, activity, until: now + delay)
      }
      endCopying(id, presumingTag(entry), activity)
    }
  }
}
