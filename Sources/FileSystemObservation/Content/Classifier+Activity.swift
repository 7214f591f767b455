import FileEvents
import FileIdentity
import LinuxFileSystem

// Files whose content is being changed.

extension Classifier {
  /// Notes activity in an entry's content.
  mutating func noteActivity(of id: NodeID, kinds: HintKinds) {
    let id = unfinishedName(of: id)
    if writing[id] == nil {
      let known = graph.content(of: id)
      var activity = WriteActivity(now: now, size: known.size, modified: known.modified, nextCheck: now + timing.quiet)
      activity.noteActivity(kinds, now, quiet: timing.quiet)
      if !graph[id].flags.contains(.copying) { activity.announceBy = now + timing.longestSilence }
      return beginWriting(id, activity)
    }
    writing[id]?.noteActivity(kinds, now, quiet: timing.quiet)
    if kinds.contains(.closed), let next = writing[id]?.nextCheck { timers.schedule(.writing(id), at: next) }
  }

  /// The name under which a file with several names is being written; otherwise this one.
  func unfinishedName(of id: NodeID) -> NodeID {
    guard graph.hasOtherNames(id) else { return id }
    return graph.names(of: id, with: .written).first { writing[$0] != nil } ?? id
  }

  /// Begins to follow the writing of an entry, or its save.
  mutating func beginWriting(_ id: NodeID, _ activity: WriteActivity) {
    writing.begin(id, at: graph.place(id), activity)
    graph.setFlags(id, .written, true)
    noteBeginning(of: id)
    timers.schedule(.writing(id), at: activity.nextCheck)
  }

  /// Ends the writing of an entry.
  mutating func stopWriting(_ id: NodeID) {
    writing[id] = nil
    unconfirmedTags.set(nil, of: id)
    graph.setFlags(id, .written, false)
  }

  /// Updates the tables that index an entry by directory and name.
  mutating func notePlace(of id: NodeID) {
    if writing[id] != nil { writing.move(id, to: graph.place(id)) }
  }

  /// Continues the writing of a file under another of its names, although no hint named that.
  mutating func goOnWriting(_ id: NodeID, _ activity: WriteActivity?) {
    if let activity, writing[id] == nil {
      beginWriting(id, activity)
    }
    if unresolved[id] == nil { requestLook(at: graph.place(id)) }
  }
}

// MARK: - Content in looks

extension Classifier {
  mutating func noteContent(of id: NodeID, _ entry: Entry, _ cause: LookReason) {
    // The tag may just have shown that another entry stands for this inode.
    guard graph.isLive(id) else { return }
    if entry.kind == .directory { return setModified(id, entry.modified) }
    guard entry.kind == .file else { return }
    // One hint may have several kinds: a close that came together with an attribute is still a close.
    if cause.kinds.hasAny(of: .contentChanges) { return noteActivity(of: id, kinds: cause.kinds) }
    let unfinished = unfinishedName(of: id)
    if var activity = writing[unfinished] {
      // A look is no activity, but a change since the last look is.
      noteLook(&activity, entry)
      writing[unfinished] = activity
      return
    }
    // A time that was set by hand is a change, too: it looks the same as a write through a memory map.
    if isChanged(id, entry) { noteChange(of: id) }
  }

  /// Notes a change that no hint has reported.
  private mutating func noteChange(of id: NodeID) {
    guard isResuming, let began = period.began else { return noteActivity(of: id, kinds: []) }
    // Nobody knows through which of its names it was written; and that was before, whenever it is found.
    let oldest = graph.node(with: graph[id].uuid) ?? id
    noteActivity(of: oldest, kinds: [])
    let unfinished = unfinishedName(of: oldest)
    writing[unfinished]?.firstSeen = began
    writing[unfinished]?.lastActivity = began
  }

  /// Whether a file's size or modification time differs from the announced one.
  func isChanged(_ id: NodeID, _ entry: Entry) -> Bool {
    let known = graph.content(of: id)
    return entry.modified != known.modified || entry.size != known.size
  }

  /// Takes a change since the last look as activity, even without an event.
  func noteLook(_ activity: inout WriteActivity, _ entry: Entry) {
    let isSame = activity.size == entry.size && activity.modified == entry.modified
    defer { activity.isLookedAt = true }
    activity.size = entry.size
    activity.modified = entry.modified
    if isSame || !activity.isLookedAt { return }
    activity.lastActivity = now
    activity.isComplete = false
    activity.isWritten = true
    activity.isRevealed = false
    activity.checks = 0
  }

  mutating func waitForWriting(_ id: NodeID, _ activity: WriteActivity, until: MonotonicTime) {
    var activity = activity
    activity.checks += 1
    activity.nextCheck = until
    writing[id] = activity
    timers.schedule(.writing(id), at: until)
  }

  /// Notes activity for the listeners that ask for it.
  mutating func noteBeginning(of id: NodeID) {
    guard news.notesActivity, unannounced[id] == nil, !graph[id].flags.contains(.copying) else { return }
    news.beginnings.insert(id)
  }

  /// Stores the time of a directory, and notes a change for listeners.
  mutating func setModified(_ directory: NodeID, _ modified: Int64) {
    let known = graph[directory].modified
    graph.setModified(directory, modified)
    if known != modified, unannounced[directory] == nil { news.changedTimes.insert(directory) }
  }
}
