import FileEvents
import FileIdentity
import LinuxFileSystem

// Files whose content is being changed.

extension Classifier {
  /// An entry's content is being changed in place.
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

  /// Of several names of one file, the one under which it is known to be written; else this one.
  func unfinishedName(of id: NodeID) -> NodeID {
    guard graph.hasOtherNames(id) else { return id }
    return graph.names(of: id, with: .written).first { writing[$0] != nil } ?? id
  }

  /// The content of an entry begins to be written, or to be taken for a save.
  mutating func beginWriting(_ id: NodeID, _ activity: WriteActivity) {
    writing.begin(id, at: graph.place(id), activity)
    graph.setFlags(id, .written, true)
    noteBeginning(of: id)
    timers.schedule(.writing(id), at: activity.nextCheck)
  }

  /// The content of an entry is not being written any more, as far as is known.
  mutating func stopWriting(_ id: NodeID) {
    writing[id] = nil
    graph.setFlags(id, .written, false)
  }

  /// An entry has another place in the graph: what is kept of it by its directory and name follows.
  mutating func notePlace(of id: NodeID) {
    if writing[id] != nil { writing.move(id, to: graph.place(id)) }
  }

  /// What was written through one name is told of the others, though nothing was heard of them.
  mutating func goOnWriting(_ id: NodeID, _ activity: WriteActivity?) {
    if let activity, writing[id] == nil {
      beginWriting(id, activity)
    }
    if unresolved[id] == nil { requests.append(.look(graph.place(id), .check)) }
  }
}

// MARK: - What a look says of the content

extension Classifier {
  mutating func noteContent(of id: NodeID, _ entry: Entry, _ cause: LookReason) {
    // By its tag it may have turned out to be another, which another entry stands for.
    guard graph.isLive(id) else { return }
    if entry.kind == .directory { return setModified(id, entry.modified) }
    guard entry.kind == .file else { return }
    // One hint may say several things: a close that came together with an attribute is still a close.
    if case .hint(let kinds) = cause, !kinds.isDisjoint(with: [.written, .closed]) {
      return noteActivity(of: id, kinds: kinds)
    }
    let unfinished = unfinishedName(of: id)
    if var activity = writing[unfinished] {
      // To look at a file is no activity; what changed since the last look is.
      noteLook(&activity, entry)
      writing[unfinished] = activity
      return
    }
    // Times that were set by hand are a change like any other: what was written through a mapping is found the same
    // way.
    if isChanged(id, entry) { noteActivity(of: id, kinds: []) }
  }

  /// Whether a file has another size or time of modification than was told.
  func isChanged(_ id: NodeID, _ entry: Entry) -> Bool {
    let known = graph.content(of: id)
    return entry.modified != known.modified || entry.size != known.size
  }

  /// Whatever changed since the last look is activity, whether or not an event told of it.
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

  /// Notes activity of an entry, if a listener asks for activity.
  mutating func noteBeginning(of id: NodeID) {
    guard news.notesActivity, unannounced[id] == nil, !graph[id].flags.contains(.copying) else { return }
    news.beginnings.insert(id)
  }

  /// Stores the time of a directory, and notes it for listeners if it has changed.
  mutating func setModified(_ directory: NodeID, _ modified: Int64) {
    let known = graph[directory].modified
    graph.setModified(directory, modified)
    if news.notesProperties, known != modified, unannounced[directory] == nil { news.changedTimes.insert(directory) }
  }
}
