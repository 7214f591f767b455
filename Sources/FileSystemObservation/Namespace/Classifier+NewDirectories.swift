import FileEvents
import FileIdentity
import LinuxFileSystem

// New directories. They are announced at once: what is below them cannot be told before them.

extension Classifier {
  mutating func observeNewDirectory(
    _ entry: Entry, over occupant: NodeID?, _ sighting: Sighting, _ now: MonotonicTime
  ) {
    takeArrival(at: sighting.place)
    guard let occupant, let displacement = displaced[occupant] else {
      return announceDirectory(entry, sighting, now)
    }
    // What was there until now may be what the next look finds elsewhere.
    let isDecided = sighting.cause == .check && displacement.since < now
    switch displacement.whereabouts {
    case .at(let elsewhere):
      commitMove(occupant, to: elsewhere, now)
      announceDirectory(entry, sighting, now)
    case .unknown where !isDecided:
      // The entry that stood here may have been renamed, and the kernel has not said so yet, or it is to be seen
      // elsewhere.
      deferred.insert(sighting.place)
    case .unknown where displacement.leftByRename, .outside:
      endReplaced(occupant, now)
      announceDirectory(entry, sighting, now)
    case .unknown, .gone:
      if graph[occupant].kind == .directory, !bringsIdentity(entry), !coverage.has(.covered, occupant) {
        adopt(entry, as: occupant)
      } else {
        endReplaced(occupant, otherwise: .removed, now)
        announceDirectory(entry, sighting, now)
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
    deferred.remove(graph.place(id))
    endDisplacement(id)
    graph.setIdentity(id, uuid: graph[id].uuid, key: entry.key)
    graph.setFlags(id, .tagged, false)
    requests.append(.forget(id))
    requests.append(.writeTag(id, claiming: false))
    requests.append(.scan(id))
  }

  private mutating func announceDirectory(_ entry: Entry, _ sighting: Sighting, _ now: MonotonicTime) {
    guard isFree(sighting.place) else {
      if graph.isLive(sighting.place.parent) { lookAgain(at: sighting.place, after: now) }
      return
    }
    var original: NodeID?
    if let bearer = bearer(ofTagIn: entry, besides: nil) {
      if hasGone(bearer) {
        // Whether it is the one that has gone is decided with all that was in that.
        guard mayWait(sighting) else { return moveBearer(bearer, to: sighting.place, entry, now) }
        announce(entry, copyOf: bearer, at: sighting.place, waits: true, now)
        return
      }
      guard sighting.isVerified else {
        return requests.append(.verify([bearer], then: sighting.place, sighting.cause))
      }
      let recovery = isFoundLate(sighting.place, sighting.cause, now) ? coverage.recovery : nil
      if isOriginal(entry, ofFound: bearer, in: recovery, now) {
        return announceOriginal(entry, of: bearer, at: sighting.place, now)
      }
      original = bearer
    }
    let id = announce(entry, copyOf: original, at: sighting.place, waits: mayWait(sighting), now)
    if isFoundLate(sighting.place, sighting.cause, now) || isBlind(now) {
      noteLateFind(id, isCopy: original != nil, isMade: isMade(sighting), now)
    }
  }

  /// Whether a directory was just made, rather than moved here from where nobody looked.
  func isMade(_ sighting: Sighting) -> Bool {
    switch sighting.cause {
    case .hint(let kinds): kinds.contains(.created)
    case .scan: wasMade(sighting.place.parent)
    case .check: false
    }
  }
}
