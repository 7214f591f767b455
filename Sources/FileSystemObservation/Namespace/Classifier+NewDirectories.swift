import FileEvents
import FileIdentity
import LinuxFileSystem

// New directories. A directory is announced before its contents.

/// A directory at a place whose former entry is not decided.
struct WaitingDirectory: Sendable {
  let key: FileKey
  let tag: TagReading
  /// Whether it was renamed to its place.
  let wasMoved: Bool

  init(_ entry: Entry, wasMoved: Bool) {
    (key, tag, self.wasMoved) = (entry.key, entry.tag, wasMoved)
  }
}

extension Classifier {
  mutating func observeNewDirectory(_ entry: Entry, over occupant: NodeID?, _ look: Look) {
    takeArrival(at: look.place)
    guard let occupant, let unresolvedEntry = unresolved[occupant] else {
      return announceWhenExplained(entry, look)
    }
    // The next look may find the former entry elsewhere, and perhaps one has.
    let isDecided = look.cause == .check && unresolvedEntry.since < now && !mayBeFound(occupant, besides: entry)
    switch unresolvedEntry.believedLocation {
    case .at(let elsewhere):
      commitMove(occupant, to: elsewhere)
      announceWhenExplained(entry, look)
    case .unknown where !isDecided, .outside where !isDecided && !isExplained(look):
      // The former entry may have been renamed, and its hint not been read; or a look will find it elsewhere. Or it is not
      // known yet whether the directory was made here, or renamed to here for a save.
      waitingDirectories[look.place] = WaitingDirectory(entry, wasMoved: wasMoved(entry, look))
    case .unknown where unresolvedEntry.leftByRename, .outside:
      if wasMoved(entry, look), mayContinue(occupant, entry) { return replaceDirectory(occupant, by: entry) }
      endReplaced(occupant)
      announceDirectory(entry, look)
    case .unknown, .gone:
      if mayContinue(occupant, entry) {
        continueIdentity(of: occupant, with: entry)
        if !isMade(look) { noteReplacement(occupant, entry) }
      } else {
        endReplaced(occupant, otherwise: .removed)
        announceDirectory(entry, look)
      }
    }
  }

  /// Whether a missing directory, or another with its tag, may be among what was found and is not decided.
  private func mayBeFound(_ id: NodeID, besides entry: Entry) -> Bool {
    if aheadOfLog.has(graph.key(id)) { return true }
    guard entry.tag.uuid != graph[id].uuid, !aheadOfLog.isEmpty, let since = unresolved[id]?.since else { return false }
    return now - since < timing.unprovenQuiet
  }

  /// Whether hints say how a directory has come to its place.
  private func isExplained(_ look: Look) -> Bool {
    !placesToInspect.kinds(of: look.place).union(look.cause.kinds).isDisjoint(with: [.created, .movedTo])
  }

  /// Whether a directory was renamed to its place; if the one that was there left by a rename, this is its next version.
  private func wasMoved(_ entry: Entry, _ look: Look) -> Bool {
    // Another look may come before the one that the hint asks for.
    let kinds = placesToInspect.kinds(of: look.place).union(look.cause.kinds)
    if kinds.contains(.movedTo) { return !kinds.contains(.created) }
    return waitingDirectories[look.place].map { $0.key == entry.key && $0.wasMoved } ?? false
  }

  /// Whether a directory may become the one whose place it has.
  private func mayContinue(_ id: NodeID, _ entry: Entry) -> Bool {
    graph[id].kind == .directory && !bringsIdentity(entry) && !coverage.has(.covered, id)
  }

  /// Whether a directory has a tag that no entry has: it was moved here, or was here unseen.
  func bringsIdentity(_ entry: Entry) -> Bool {
    entry.tag.uuid.map { graph.node(with: $0) == nil } ?? false
  }

  /// Continues a directory's identity in one that was renamed to its place: a document of several files was saved.
  private mutating func replaceDirectory(_ id: NodeID, by entry: Entry) {
    continueIdentity(of: id, with: entry)
    // What was in the former directory has left with it.
    for item in graph.storage.descendants(of: id) where unresolved[item] == nil {
      markUnresolved(item, .gone, leftByRename: false)
    }
  }

  /// Continues a directory's identity in one made anew at its path; the contents are compared by name.
  mutating func continueIdentity(of id: NodeID, with entry: Entry) {
    log.record(.continued, id, in: graph, by: .directoryMadeAnew)
    waitingDirectories.removeValue(forKey: graph.place(id))
    markResolved(id)
    noteFormerInode(of: id)
    graph.setInode(id, entry.key)
    graph.setFlags(id, .tagged, false)
    requests.append(.forget(id))
    if entry.tag.uuid == graph[id].uuid { requests.append(.awaitCopies(id)) }
    requests.append(.writeTag(id, claiming: false))
    requests.append(.scan(id))
  }

  /// Notes that a directory may be in the one that was taken for it: nobody saw that one being made.
  private mutating func noteReplacement(_ id: NodeID, _ entry: Entry) {
    let isTagged = entry.tag.uuid == graph[id].uuid
    noteLateFind(id, isCopy: false, replacement: isTagged ? .tagged : .untagged)
  }

  /// Announces a directory; one where another was a moment ago only when its hint is read, which says whether it was
  /// renamed to there.
  private mutating func announceWhenExplained(_ entry: Entry, _ look: Look) {
    if case .hint = look.cause, !isExplained(look), recentDepartures[from: look.place] != nil {
      return awaitRecord(look.place, entry.key)
    }
    announceDirectory(entry, look)
  }

  private mutating func announceDirectory(_ entry: Entry, _ look: Look) {
    guard isFree(look.place) else { return scheduleRecheck(at: look.place, after: now) }
    guard let owner = owner(ofTagIn: entry, besides: nil) else { return announce(entry, copyOf: nil, look) }
    if hasGone(owner) { return decide(entry, withTagOfMissing: owner, look) }
    guard look.isVerified else {
      return requests.append(.verify([owner], then: .place(look.place, look.cause)))
    }
    let isLate = coverage.lateFinds[owner]?.replacement != nil || isFoundLate(look.place, look.cause)
    if isOriginal(entry, ofFound: owner, in: isLate ? coverage.recovery : nil) {
      return announceOriginal(entry, of: owner, at: look.place)
    }
    announce(entry, copyOf: owner, look)
  }

  private mutating func announce(_ entry: Entry, copyOf original: NodeID?, _ look: Look) {
    let id = announceWhereItCame(entry, copyOf: original, look)
    guard isFoundLate(look.place, look.cause) || hasCoverageGap else { return }
    noteLateFind(id, isCopy: original != nil, isMade: isMade(look))
  }

  /// Announces a directory, in which the one may go on that left its place a moment ago.
  private mutating func announceWhereItCame(_ entry: Entry, copyOf original: NodeID?, _ look: Look) -> NodeID {
    let id = announce(entry, copyOf: original, at: look.place, waits: mayWait(look))
    noteVersion(id, from: look.place, at: look.place)
    continueInVersion(at: look.place)
    return id
  }

  /// Decides whether a directory is the missing one whose tag it has, or may become it.
  ///
  /// That one itself comes first, wherever it is found, and then a directory with its tag at its place.
  private mutating func decide(_ entry: Entry, withTagOfMissing owner: NodeID, _ look: Look) {
    let isScanGoingOn = look.cause == .scan && (coverage.isRescanning || isResuming)
    if isScanGoingOn || aheadOfLog.has(graph.key(owner)) || isResuming && aheadOfLog.hasFolders {
      return awaitRecord(look.place, entry.key)
    }
    if isBackAtItsPlace(owner) { return awaitDecision(of: owner, look) }
    guard mayWait(look) else { return moveOwner(owner, to: look.place, entry) }
    // Whether it continues the missing one is decided together with the contents of that one. At the place that one
    // has left it is its next version, and another observer has said so before.
    _ = announceWhereItCame(entry, copyOf: owner, look)
  }

  /// Whether another directory with the tag of a missing one waits at its place; it is gone with a removed folder.
  private func isBackAtItsPlace(_ id: NodeID) -> Bool {
    waitingDirectories[graph.place(id)]?.tag.uuid == graph[id].uuid && !isInRemovedFolder(id)
  }

  /// Has a missing directory decided before what was found.
  private mutating func awaitDecision(of id: NodeID, _ look: Look) {
    if look.isVerified { return awaitRecord(look.place, look.entry?.key) }
    requests.append(.verify([id], then: .place(look.place, look.cause)))
  }

  /// Whether a directory was just made, and not moved here from an unobserved place.
  func isMade(_ look: Look) -> Bool {
    look.cause.kinds.contains(.created) || look.cause == .scan && wasMade(look.place.parent)
  }
}
