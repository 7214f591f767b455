import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Writes tags, and reports failures.

extension Engine {
  /// Tags an untagged file, after a burst of such files if there is one.
  func writeTagInTime(_ id: NodeID, _ claiming: Bool, _ now: MonotonicTime) {
    guard settings.writesTags else { return }
    let (key, unfinished) = state.classify { ($0.graph.key(id), $0.unfinishedCount) }
    if heldTags.mustWait(unfinished: unfinished) {
      heldTags.insert(HeldTags.Held(id: id, key: key, isClaiming: claiming), now)
    } else {
      writeTag(id, claiming, now)
    }
  }

  /// Tags an entry's file; returns whether the tag was written.
  @discardableResult
  func writeTag(_ id: NodeID, _ claiming: Bool, _ now: MonotonicTime) -> Bool {
    guard settings.writesTags else { return false }
    guard let (place, key, uuid) = state.classify({ $0.resolvedEntry(id) }), !isOnTheWay(place) else { return false }
    guard let directory = directory(place.parent) else {
      // The file has moved, and gets its tag when it is listed there.
      noteUnfollowed(place.parent, now)
      return false
    }
    do throws(Errno) {
      let written = try write(uuid, claiming, at: place, in: directory, expecting: key)
      if recorder != nil { note(written.outcome, uuid, of: id, at: place) }
      if written.outcome == .written { ownTags.insert(place, OwnTags.Written(key: key, changed: written.changed)) }
      take(written.outcome, id, place, key, now)
      return written.outcome == .written
    } catch {
      recorder?.noteTag(.tagFailed, uuid, of: id, at: place, inode: inode(of: place.parent), error: error)
      state.classify { $0.noteTagWritten(id, key, false) }
      reportTagFailure(error, path(of: id))
      return false
    }
  }

  private func write(
    _ uuid: UUIDBits, _ claiming: Bool, at place: Place, in directory: Files.Directory, expecting key: FileKey
  ) throws(Errno) -> (outcome: TagWriting, changed: Int64?) {
    try place.name.withView { (name) throws(Errno) in
      if !claiming { return (try files.replaceTag(with: uuid, for: name, in: directory, expecting: key), nil) }
      return marks[place.parent]?.isOfInotify == true
        ? try files.claimTagNotingTime(uuid, for: name, in: directory, expecting: key)
        : (try files.claimTag(uuid, for: name, in: directory, expecting: key), nil)
    }
  }

  private func take(_ outcome: TagWriting, _ id: NodeID, _ place: Place, _ key: FileKey, _ now: MonotonicTime) {
    switch outcome {
    case .written:
      tally.tagged += 1
      state.classify { $0.noteTagWritten(id, key, true) }
    case .notWritten: look(at: place, .check, now)
    case .spared:
      state.classify { $0.noteTagWritten(id, key, false) }
      reportSpared(path(of: id))
    }
  }

  /// Reports restored tags once a turn.
  func reportRestoredTags() {
    guard let id = restoredTags.first else { return }
    let path = path(of: id)
    let more = restoredTags.count - 1
    restoredTags = RestoredTags()
    let what: Message =
      more == 0 ? "the tag of \(path) was" : "the tags of \(path) and \(more) more were"
    report(.tagRestored, path, "\(what) removed or changed by another program or observer, and put back")
  }

  /// Reports each reason once.
  private func reportTagFailure(_ error: Errno, _ path: FilePath) {
    guard error != .noSuchFileOrDirectory, reportedProblems.isFirst(.tagNotWritten(error)) else { return }
    report(
      .tagNotWritten, path,
      "cannot write the tag of \(path) (\(error)): such files are known by their inode instead, and lose their "
        + "identity when they are replaced", errno: error)
  }

  /// Reports spared files once.
  private func reportSpared(_ path: FilePath) {
    guard reportedProblems.isFirst(.sparedFile) else { return }
    report(
      .tagNotWritten, path,
      "\(path) is left without a tag, for it is in a lower layer of an overlay file system, and would be copied into "
        + "the upper: such files are known by their inode until they are changed")
  }

  /// Whether the first scan tags what it finds.
  var tagsFirstScan: Bool { settings.writesTags && settings.tagsWhatIsFound }

  /// Tags the observed directory.
  func claimRoot() {
    guard tagsFirstScan, settings.filter.selected.isEmpty else { return }
    let (uuid, key) = state.classify { ($0.graph[.root].uuid, $0.graph.key(.root)) }
    _ = try? FileName(".").withView { (name) throws(Errno) in
      try files.claimTag(uuid, for: name, in: root, expecting: key)
    }
  }

  /// Writes the requested tags; the other requests stay.
  ///
  /// A tag of another item is replaced in any case.
  func writeTags(_ now: MonotonicTime) {
    var others: [Request] = []
    for request in state.classify({ $0.takeRequests() }) {
      switch request {
      case .writeTag(let id, let claiming), .writeTagInTime(let id, let claiming):
        if settings.tagsWhatIsFound || !claiming { writeTag(id, claiming, now) }
      default: others.append(request)
      }
    }
    state.classify { $0.request(others) }
  }
}

/// Items whose tags were restored in one turn.
struct RestoredTags {
  private(set) var first: NodeID?
  private(set) var count = 0

  mutating func insert(_ id: NodeID) {
    if first == nil { first = id }
    count += 1
  }
}
