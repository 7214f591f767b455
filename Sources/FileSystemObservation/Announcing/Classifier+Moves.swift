import FileIdentity
import LinuxFileSystem

// Moves of entries: announced, held back, or taken for a save.

extension Classifier {
  /// Announces a rename or move, and all moves that happen together with it.
  ///
  /// If an occupant of the place cannot go yet, the entry is held there.
  ///
  /// - Parameter isFound: Whether a look found the inode there, and no hint has reported it yet.
  mutating func commitMove(_ id: NodeID, to place: Place, isFound: Bool = false) {
    if graph.place(id) == place { return markResolved(id) }
    displace(from: place, by: id)
    makeRoom(for: id, at: place)
    // The entry was another name of what was saved meanwhile.
    guard graph.isLive(id) else { return placesToInspect.insert(place, []) }
    if graph.place(id) == place { return }
    let occupant = graph.node(at: place)
    if let occupant, !isElsewhere(occupant), isNextVersion(id, of: occupant), !isBackup(id, place) {
      markResolved(id)
      return mergeTemporary(id, into: occupant, at: place)
    }
    if let occupant, graph[occupant].kind == .directory, goesOn(occupant, inCopyBefore: id) {
      return commitMove(id, to: place, isFound: isFound)
    }
    do throws(MovePlan.Obstacle) {
      apply(try plan(id, to: place, over: occupant), isFound: isFound)
    } catch {
      if error == .unrooted(id) { lose(id) } else { hold(id, at: place) }
    }
  }

  /// Ends the identity of an announced temporary file that has taken a document's place: the document is saved.
  mutating func mergeTemporary(_ id: NodeID, into document: NodeID, at place: Place) {
    let arrival = retract(id)
    if unresolved[document] == nil { markUnresolved(document, .gone, leftByRename: false) }
    if unresolved[document]?.isDecided == false { setBelievedLocation(of: document, .gone) }
    put(arrival, at: place)
    continueIdentity(of: document)
  }

  /// Announces the held rename of a document that might have been set aside.
  ///
  /// Something happens to the document at its new place, before a next version has come to its former one. If another
  /// document has come there, this one was not set aside either.
  mutating func announceRename(ofEntryAt place: Place) {
    guard let id = unresolved.entry(at: place), graph.isLive(id), unresolved[id]?.isFound != true,
      !isBackup(id, place), arrivals[graph.place(id)] == nil
    else { return }
    if let occupant = graph.node(at: place), !isElsewhere(occupant) { return }
    if let successor = unresolved.entry(at: graph.place(id)) {
      guard graph[successor].uuid != graph[id].uuid, !isNextVersion(successor, of: id) else { return }
    }
    by(.renamedWithoutSave) { $0.commitMove(id, to: place) }
  }

  /// Moves the missing owner of a tag to the place of a new inode: `mv` between file systems copies and removes.
  mutating func moveOwner(_ owner: NodeID, to place: Place, _ entry: Entry) {
    unlinkOthers(of: owner)
    let isSameContent = entry.presumption == .content || hasContent(of: owner, entry)
    let former = requests.endIndex
    by(evidence(of: entry)) { $0.commitMove(owner, to: place) }
    guard graph.node(at: place) == owner else {
      // The place is inside the owner's former one. The inode is decided once the owner is found or gone.
      return scheduleRecheck(at: place, after: now)
    }
    graph.setInode(owner, entry.key)
    // A file that is being written is announced when it rests.
    if writing[owner] == nil {
      if entry.kind == .file, !isSameContent, isChanged(owner, entry) {
        log.append(.modified, owner, in: graph, by: .changedWhileMoved)
      }
      graph.setContent(owner, modified: entry.modified, size: entry.size)
    }
    graph.setFlags(owner, .tagged, !entry.isPresumed)
    if entry.isPresumed { requests.append(.writeTag(owner, claiming: false)) }
    keepContent(of: owner, entry)
    // The owner may still exist elsewhere, and this be its copy.
    if coverage.isRescanning || hasCoverageGap { noteLateFind(owner, isCopy: false) }
    if entry.kind == .directory {
      // The old inode is forgotten before the requests of the move, which concern the new one.
      requests.insert(contentsOf: [.forget(owner), .awaitCopies(owner)], at: former)
      requests.append(.scan(owner))
    }
  }

  /// Why a new inode is a missing entry.
  private func evidence(of entry: Entry) -> DecisionReason {
    switch entry.presumption {
    case nil, .formerTag, .place: .movedByCopying
    case .name: .foundInNewFolder
    case .content: .sameContent
    }
  }

  /// Moves an entry away from a place that another has now, or ends it.
  mutating func vacate(_ id: NodeID) {
    if let elsewhere = believedPlace(of: id) { commitMove(id, to: elsewhere) } else { endReplaced(id) }
  }
}
