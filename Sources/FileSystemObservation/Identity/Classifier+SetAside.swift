import FileIdentity
import LinuxFileSystem

// Documents that are set aside for a save, under any name: the new version is beside them, and is renamed to their
// place.

extension Classifier {
  /// Whether a renamed document may be about to be saved: a new file is beside it, or a hidden file is being written
  /// there.
  func mayBeAboutToBeSaved(_ id: NodeID) -> Bool {
    guard graph[id].kind == .file, !graph[id].flags.contains(.copying) else { return false }
    let directory = graph[id].parent
    if arrivals.hasNewInode(in: directory) || hasUnfinishedEntry(in: directory) { return true }
    return isWrittenUnobserved(in: directory)
  }

  /// Whether an unobserved file was made or written in a directory a moment ago.
  func isWrittenUnobserved(in directory: NodeID) -> Bool {
    unobservedWrites[directory].map { now - $0 < timing.settle } ?? false
  }

  private func hasUnfinishedEntry(in directory: NodeID) -> Bool { graph.hasCopying(in: directory) }

  /// Notes that an unobserved file was made or written in a directory.
  mutating func noteUnobservedWriting(in directory: NodeID) {
    unobservedWrites.set(now, for: directory) { now - $0 < timing.settle }
  }

  /// Recognizes that the document which left a place a moment ago was set aside for the file now renamed to that place.
  ///
  /// - Parameters:
  ///   - firstSeen: When that file was first seen.
  ///   - previous: Where it was before.
  mutating func recognizeSave(firstSeen: MonotonicTime, at place: Place, from previous: Place?) {
    if let id = graph.node(at: place) {
      guard let unresolvedEntry = unresolved[id], let aside = unresolvedEntry.believedPlace else { return }
      let isSuccessor = isSuccessor(firstSeen, since: unresolvedEntry.since)
      unresolved[id]?.isSetAside = isSuccessor && !NumberSeries.hasBoth(place.name, aside.name)
    } else if let departure = recentDepartures[from: place], isSuccessor(firstSeen, since: departure.since) {
      // The rename would have been held back for a file that was beside it: this one was made later.
      let cameLater = previous?.parent == place.parent && firstSeen >= departure.since
      if !cameLater { revertRename(departure, to: place) }
    }
  }

  /// Whether a file existed when a document was set aside, or came so soon that it must have.
  private func isSuccessor(_ firstSeen: MonotonicTime, since: MonotonicTime) -> Bool {
    firstSeen <= since || now - since <= timing.exchangeDelay
  }

  /// Whether the times of two inodes show that a document was set aside for the file that is in its place now, while
  /// nobody observed.
  ///
  /// The file was made a moment before the document was renamed, and was renamed itself right after that. On kernels
  /// before 6.13, times have the granularity of a clock tick: what happened within one shows nothing.
  func wasSetAside(_ id: NodeID, _ entry: Entry, at place: Place) -> Bool {
    guard isResuming, graph[id].kind == .file, let arrival = arrivals[graph.place(id)], canContinue(id, with: arrival),
      let successor = arrival.entry, successor.key.hasBirthTime
    else { return false }
    let born = successor.key.born
    guard mayShowRename(of: entry, graph[id].parent, madeThere: born),
      mayShowRename(of: entry, place.parent, madeThere: nil)
    else { return false }
    return born < entry.changed && WallClock.interval(from: born, to: entry.changed) <= timing.longestSave
      && abs(WallClock.interval(from: entry.changed, to: successor.changed)) <= timing.settle
  }

  /// Whether the time of a directory allows that an inode was last changed by a rename there or from there: a rename
  /// changes it.
  ///
  /// A time before something was made in the directory, or the directory itself, shows nothing: a program has put it
  /// back, as rsync does.
  private func mayShowRename(of entry: Entry, _ directory: NodeID, madeThere born: Int64?) -> Bool {
    let modified = graph.content(of: directory).modified
    if entry.mayBeRenamed(inDirectoryModified: modified) { return true }
    let key = graph.key(directory)
    return key.hasBirthTime && modified < key.born || born.map { modified < $0 } ?? false
  }

  /// Whether a document's name elsewhere may be that of its backup: any new one but the next of a series, and of another
  /// document's names only one that is made from this one's.
  ///
  /// A document that was exchanged with one that had just been saved looks the same: it keeps its tag.
  func mayBeSetAside(_ id: NodeID, at place: Place) -> Bool {
    if NumberSeries.hasBoth(graph.name(id), place.name) { return false }
    guard let other = graph.node(at: place), other != id else { return true }
    return isBackup(id, place) || VersionName(of: graph.name(id)).isMade(place.name)
  }

  /// Whether a document is moved over another one, and not for a save.
  ///
  /// While others are on their way, the other one may have left before, and a hint of that be missing.
  func isPutOverAnother(_ id: NodeID, at place: Place) -> Bool {
    guard let other = graph.node(at: place), graph[other].uuid != graph[id].uuid else { return false }
    return !mayBeSetAside(id, at: place) && unresolved.ids.allSatisfy { $0 == id || $0 == other }
  }

  /// Keeps a document that was found elsewhere with the file in its place.
  mutating func holdForSave(_ id: NodeID, foundAt place: Place) {
    markLeft(id)
    setBelievedLocation(of: id, .at(place))
    unresolved[id]?.isFound = true
    unresolved[id]?.isSetAside = true
    log.record(.held, id, in: graph, by: .putAsideForSave)
    continueIdentity(of: id)
  }

  /// Takes back the announced rename of a document that was set aside for a save.
  private mutating func revertRename(_ departure: RecentDeparture, to place: Place) {
    let id = departure.node
    guard graph.key(id) == departure.key, graph[id].kind == .file, unresolved[id] == nil,
      !NumberSeries.hasBoth(place.name, graph.name(id))
    else { return }
    let aside = graph.place(id)
    // One that is back where it had been before was only on its way here.
    if departure.former == aside { return }
    recentDepartures.forget(from: place)
    by(.broughtBackForSave) { $0.commitMove(id, to: place) }
    recentDepartures.forget(from: aside)
    guard graph.node(at: place) == id else { return }
    markUnresolved(id, .at(aside), leftByRename: true)
    unresolved[id]?.isSetAside = true
  }
}
