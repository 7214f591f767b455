import FileEvents
import FileIdentity
import LinuxFileSystem

// New directories. They are announced at once: what is below them cannot be told before them.

extension Classifier {
  mutating func observeNewDirectory(_ entry: Entry, over occupant: NodeID?, _ look: Look) {
    takeArrival(at: look.place)
    guard let occupant, let unresolvedEntry = unresolved[occupant] else {
      return announceDirectory(entry, look)
    }
    // What was there until now may be what the next look finds elsewhere.
    let isDecided = look.cause == .check && unresolvedEntry.since < now
    switch unresolvedEntry.believedLocation {
    case .at(let elsewhere):
      commitMove(occupant, to: elsewhere)
      announceDirectory(entry, look)
    case .unknown where !isDecided:
      // The entry that stood here may have been renamed, and the kernel has not said so yet, or it is to be seen
      // elsewhere.
      waitingDirectories.insert(look.place)
    case .unknown where unresolvedEntry.leftByRename, .outside:
      endReplaced(occupant)
      announceDirectory(entry, look)
    case .unknown, .gone:
      if graph[occupant].kind == .directory, !bringsIdentity(entry), !coverage.has(.covered, occupant) {
        adopt(entry, as: occupant)
      } else {
        endReplaced(occupant, otherwise: .removed)
        announceDirectory(entry, look)
      }
    }
  }

  /// Whether a directory bears a tag that nothing else here does: it was not made here, but came, or was here all the
  /// time, unseen.
  private func bringsIdentity(_ entry: Entry) -> Bool {
    entry.tag.uuid.map { graph.node(with: $0) == nil } ?? false
  }

  /// A directory was removed and made anew: the identity stays with the path, and what is below is compared by name.
  mutating func adopt(_ entry: Entry, as id: NodeID) {
    log.record(.continued, id, in: graph, by: .directoryMadeAnew)
    waitingDirectories.remove(graph.place(id))
    markResolved(id)
    graph.setInode(id, entry.key)
    graph.setFlags(id, .tagged, false)
    requests.append(.forget(id))
    requests.append(.writeTag(id, claiming: false))
    requests.append(.scan(id))
  }

  private mutating func announceDirectory(_ entry: Entry, _ look: Look) {
    guard isFree(look.place) else {
      if graph.isLive(look.place.parent) { scheduleRecheck(at: look.place, after: now) }
      return
    }
    var original: NodeID?
    if let owner = owner(ofTagIn: entry, besides: nil) {
      if hasGone(owner) {
        // Whether it is the one that has gone is decided with all that was in that.
        guard mayWait(look) else { return moveOwner(owner, to: look.place, entry) }
        announce(entry, copyOf: owner, at: look.place, waits: true)
        return
      }
      guard look.isVerified else {
        return requests.append(.verify([owner], then: look.place, look.cause))
      }
      let recovery = isFoundLate(look.place, look.cause) ? coverage.recovery : nil
      if isOriginal(entry, ofFound: owner, in: recovery) {
        return announceOriginal(entry, of: owner, at: look.place)
      }
      original = owner
    }
    let id = announce(entry, copyOf: original, at: look.place, waits: mayWait(look))
    if isFoundLate(look.place, look.cause) || isBlind() {
      noteLateFind(id, isCopy: original != nil, isMade: isMade(look))
    }
  }

  /// Whether a directory was just made, rather than moved here from where nobody looked.
  func isMade(_ look: Look) -> Bool {
    switch look.cause {
    case .hint(let kinds): kinds.contains(.created)
    case .scan: wasMade(look.place.parent)
    case .check: false
    }
  }
}
