import FileIdentity
import LinuxFileSystem

// Moves of entries: told at once, held back, or taken for a save.

extension Classifier {
  /// Announces a rename or move, and all moves that happen together with it.
  ///
  /// If something is in the way that cannot go yet, the entry is held at its new place.
  ///
  /// - Parameter isFound: Whether the inode was found there, and no hint has told of it yet.
  mutating func commitMove(_ id: NodeID, to place: Place, isFound: Bool = false) {
    if graph.place(id) == place { return markResolved(id) }
    // Whatever was taken to be here is not.
    if let holder = unresolved.entry(at: place), holder != id { setBelievedLocation(of: holder, .gone) }
    let occupant = graph.node(at: place)
    if let occupant, !isElsewhere(occupant), isNextVersion(id, of: occupant), !isBackup(id, place) {
      markResolved(id)
      return mergeTemporary(id, into: occupant, at: place)
    }
    do throws(MovePlan.Obstacle) {
      apply(try plan(id, to: place, over: occupant), isFound: isFound)
    } catch {
      if error == .unrooted(id) { lose(id) } else { hold(id, at: place) }
    }
  }

  /// A file that was announced already has taken a document's place: the document is saved, and the provisional
  /// identity ends.
  mutating func mergeTemporary(_ id: NodeID, into document: NodeID, at place: Place) {
    let arrival = retract(id)
    if unresolved[document] == nil { markUnresolved(document, .gone, leftByRename: false) }
    if unresolved[document]?.isDecided == false { setBelievedLocation(of: document, .gone) }
    put(arrival, at: place)
    continueIdentity(as: document)
  }

  /// A document whose rename was not told yet, for it might have been put aside, was renamed indeed if something
  /// happens to it where it is now before anything has come to the name it had.
  mutating func announceRename(ofEntryAt place: Place) {
    guard let id = unresolved.entry(at: place), graph.isLive(id), graph.node(at: place) == nil,
      unresolved[id]?.isFound != true,
      !isBackup(id, place)
    else { return }
    let origin = graph.place(id)
    if arrivals[origin] == nil, unresolved.entry(at: origin) == nil {
      by(.renamedWithoutSave) { $0.commitMove(id, to: place) }
    }
  }

  /// The bearer of a newcomer's tag is gone: it was moved here by copying and removing, as `mv` does between file
  /// systems.
  mutating func moveOwner(_ owner: NodeID, to place: Place, _ entry: Entry) {
    unlinkOthers(of: owner)
    let former = requests.endIndex
    by(.movedByCopying) { $0.commitMove(owner, to: place) }
    guard graph.isLive(owner), graph.place(owner) == place else {
      // It could not come here, for the place is inside what it was: this is another, once that one is found or gone.
      if graph.isLive(place.parent) { scheduleRecheck(at: place, after: now) }
      return
    }
    graph.setInode(owner, entry.key)
    // What is being written is told when it rests.
    if writing[owner] == nil {
      if entry.kind == .file, isChanged(owner, entry) {
        log.append(.modified, owner, in: graph, by: .changedWhileMoved)
      }
      graph.setContent(owner, modified: entry.modified, size: entry.size)
    }
    graph.setFlags(owner, .tagged, true)
    // It may be elsewhere all the same, and this be its copy.
    if coverage.isRescanning || isBlind() { noteLateFind(owner, isCopy: false) }
    if entry.kind == .directory {
      // Whatever its move asks for is done with the new inode.
      requests.insert(.forget(owner), at: former)
      requests.append(.scan(owner))
    }
  }

  /// Ends an entry whose place is another's now.
  mutating func vacate(_ id: NodeID) {
    if case .at(let elsewhere) = unresolved[id]?.believedLocation {
      commitMove(id, to: elsewhere)
    } else {
      endReplaced(id)
    }
  }
}
