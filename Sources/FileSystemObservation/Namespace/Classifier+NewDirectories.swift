import FileEvents
import FileIdentity
import LinuxFileSystem

// New directories. A directory is announced before its contents.

extension Classifier {
  mutating func observeNewDirectory(_ entry: Entry, over occupant: NodeID?, _ look: Look) {
    takeArrival(at: look.place)
    guard let occupant, let unresolvedEntry = unresolved[occupant] else {
      return announceDirectory(entry, look)
    }
    // The next look may find the former entry elsewhere, and perhaps one has.
    let isDecided = look.cause == .check && unresolvedEntry.since < now && !aheadOfLog.has(graph.key(occupant))
    switch unresolvedEntry.believedLocation {
    case .at(let elsewhere):
      commitMove(occupant, to: elsewhere)
      announceDirectory(entry, look)
    case .unknown where !isDecided:
      // The former entry may have been renamed, and its hint not been read; or a look will find it elsewhere.
      waitingDirectories.insert(look.place)
    case .unknown where unresolvedEntry.leftByRename, .outside:
      endReplaced(occupant)
      announceDirectory(entry, look)
    case .unknown, .gone:
      if graph[occupant].kind == .directory, !bringsIdentity(entry), !coverage.has(.covered, occupant) {
        continueIdentity(of: occupant, with: entry)
      } else {
        endReplaced(occupant, otherwise: .removed)
        announceDirectory(entry, look)
      }
    }
  }

  /// Whether a directory has a tag that no entry has: it was moved here, or was here unseen.
  func bringsIdentity(_ entry: Entry) -> Bool {
    entry.tag.uuid.map { graph.node(with: $0) == nil } ?? false
  }

  /// Continues a directory's identity in one made anew at its path; the contents are compared by name.
  mutating func continueIdentity(of id: NodeID, with entry: Entry) {
    log.record(.continued, id, in: graph, by: .directoryMadeAnew)
    waitingDirectories.remove(graph.place(id))
    markResolved(id)
    graph.setInode(id, entry.key)
    graph.setFlags(id, .tagged, false)
    requests.append(.forget(id))
    if entry.tag.uuid == graph[id].uuid { requests.append(.awaitCopies(id)) }
    requests.append(.writeTag(id, claiming: false))
    requests.append(.scan(id))
  }

  private mutating func announceDirectory(_ entry: Entry, _ look: Look) {
    guard isFree(look.place) else { return scheduleRecheck(at: look.place, after: now) }
    var original: NodeID?
    if let owner = owner(ofTagIn: entry, besides: nil) {
      if hasGone(owner) {
        // The scan may find that one itself, elsewhere: then this is its copy.
        if look.cause == .scan, coverage.isRescanning { return awaitRecord(look.place, entry.key) }
        // Whether it continues the missing one is decided together with the contents of that one.
        guard mayWait(look) else { return moveOwner(owner, to: look.place, entry) }
        announce(entry, copyOf: owner, at: look.place, waits: true)
        return
      }
      guard look.isVerified else {
        return requests.append(.verify([owner], then: .place(look.place, look.cause)))
      }
      let recovery = isFoundLate(look.place, look.cause) ? coverage.recovery : nil
      if isOriginal(entry, ofFound: owner, in: recovery) {
        return announceOriginal(entry, of: owner, at: look.place)
      }
      original = owner
    }
    let id = announce(entry, copyOf: original, at: look.place, waits: mayWait(look))
    if isFoundLate(look.place, look.cause) || hasCoverageGap {
      noteLateFind(id, isCopy: original != nil, isMade: isMade(look))
    }
  }

  /// Whether a directory was just made, and not moved here from an unobserved place.
  func isMade(_ look: Look) -> Bool {
    switch look.cause {
    case .hint(let kinds): kinds.contains(.created)
    case .scan: wasMade(look.place.parent)
    case .check: false
    }
  }
}
