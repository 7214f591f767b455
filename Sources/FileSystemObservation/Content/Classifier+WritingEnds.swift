import FileIdentity
import LinuxFileSystem

// Files that were written and are complete: saves, copies, and documents written in place.

extension Classifier {
  /// Ends a save: the document keeps its identity, unless another document was put over it.
  mutating func endSave(_ id: NodeID, _ entry: Entry, _ activity: WriteActivity, isVerified: Bool) {
    switch interchange(with: id, entry) {
    // The wait for other documents is bounded.
    case .undecided where now - activity.firstSeen < timing.unprovenQuiet:
      return settleWritingLater(id, after: timing.hintDelay)
    case .none, .undecided: break
    case .of(let all) where isVerified: return changePlaces(all)
    case .of(let all): return requests.append(.verify(Array(all.dropFirst()), then: .writing(id)))
    }
    if endInChain(id, entry, activity) { return }
    let owner = owner(ofTagIn: entry, besides: id)
    if let owner, !isVerified { return requests.append(.verify(someNames(of: owner), then: .writing(id))) }
    if let owner, hasGone(owner) { return endAsOriginal(owner, id, entry, isReplaced: true) }
    if owner == nil, let tag = entry.tag.uuid, tag != graph[id].uuid,
      isReturn(entry, activity) || activity.cameFromOutside && endedIdentities.contains(tag)
    {
      if let until = awaitsFormer(activity) { return settleWritingLater(id, after: until - now) }
      return endAsReturned(id, entry, activity)
    }
    endWriting(id, entry, activity)
  }

  /// Until when a document's old inode, which left by a rename, may be found in a folder that came back.
  private func awaitsFormer(_ activity: WriteActivity) -> MonotonicTime? {
    guard let left = activity.formerLeft, now - left < timing.settle else { return nil }
    return left + timing.settle
  }

  /// Ends a document over which another was put that had ended; all names of the inode belong to that one.
  private mutating func endAsReturned(_ id: NodeID, _ entry: Entry, _ activity: WriteActivity) {
    let aside = placeOfFormer(activity)
    if let aside, plan(id, to: aside) == nil, now - activity.firstSeen < timing.unprovenQuiet {
      // Another entry still has the place of the old inode.
      return settleWritingLater(id, after: timing.hintDelay)
    }
    let links = unlinkOthers(of: id)
    let place = graph.place(id)
    giveUpPlace(id, activity.former, foundAt: aside)
    guard isFree(place) else { return requestLook(at: place) }
    concludeNew(activity, entry, nil, at: place)
    guard let returned = graph.node(at: place) else { return }
    link(returned, again: links)
  }

  /// Where a document's old inode is, if it was not announced under a further name.
  private func placeOfFormer(_ activity: WriteActivity) -> Place? {
    guard let former = activity.former, graph.node(with: former) == nil else { return nil }
    return arrivals.places(of: former).min()
  }

  /// Moves a document to its old inode, if that exists and can be there; otherwise ends it.
  private mutating func giveUpPlace(_ id: NodeID, _ former: FileKey?, foundAt aside: Place?) {
    guard let former, let aside, plan(id, to: aside) != nil else { return endReplaced(id) }
    stopWriting(id)
    takeArrival(at: aside)
    graph.setInode(id, former)
    commitMove(id, to: aside)
    if graph.isLive(id) { requestLook(at: graph.place(id)) }
  }

  mutating func endWriting(_ id: NodeID, _ entry: Entry, _ activity: WriteActivity) {
    let node = graph[id]
    stopWriting(id)
    // A document that was announced while it was being written is announced once more at the end.
    let isDue = activity.wasAnnounced || hasNews(of: id, entry, activity)
    graph.setContent(id, modified: entry.modified, size: entry.size)
    if isDue { log.append(.modified, id, in: graph, by: activity.isSave ? .savedVersion : .writtenInPlace) }
    graph.setFlags(id, .tagged, entry.tag.uuid == node.uuid)
    if node.flags.contains(.tagUnread) {
      noteTag(of: id, entry)
    } else if entry.kind == .file, entry.tag.uuid != node.uuid, entry.tag != .unreadable {
      requests.append(entry.tag == .none ? .writeTagInTime(id, claiming: false) : .writeTag(id, claiming: false))
    }
    wakeBlockedFile(by: graph.place(id))
  }

  mutating func endCopying(_ id: NodeID, _ entry: Entry, _ activity: WriteActivity) {
    let original = owner(ofTagIn: entry, besides: id)
    if let original, isInRemovedFolder(original) { return settleWritingLater(id, after: timing.quiet) }
    stopWriting(id)
    // The old inode of a document was here before, so it is no move by copying.
    if let original, hasGone(original), !activity.isKnownInode {
      return endAsOriginal(original, id, entry, isReplaced: false)
    }
    if unconfirmedTags.has(graph[id].uuid) { giveUpClaimed(id, entry) }
    let returned = original == nil ? endedIdentity(of: id, entry) : nil
    graph.setFlags(id, .copying, false)
    graph.setContent(id, modified: entry.modified, size: entry.size)
    if let returned { returnLate(id, as: returned, entry) }
    keepContent(of: id, entry)
    if let original { announceCopy(id, of: original, by: reasonOfCopy(entry)) }
    if returned == nil {
      log.append(.copyFinished, id, in: graph, by: activity.isClosed ? .finishedByClose : .finishedAfterQuiet)
    }
    noteRecentlyAnnounced(id)
    if graph[id].flags.contains(.tagUnread) { noteTag(of: id, entry) } else { requestTag(id, entry) }
    wakeBlockedFile(by: graph.place(id))
  }

  /// The ended identity of a file that was announced while it was written: by its path, size and time, its content, or
  /// a tag that it got last.
  private func endedIdentity(of id: NodeID, _ entry: Entry) -> UUIDBits? {
    guard isMintedForNow(id), let uuid = entry.tag.uuid, uuid != graph[id].uuid, graph.node(with: uuid) == nil,
      endedIdentities.contains(uuid), endedIdentities.successor(of: uuid) == nil
    else { return nil }
    return uuid
  }

  /// Announces that a complete file is one that had ended, and has another identity than was announced.
  private mutating func returnLate(_ id: NodeID, as uuid: UUIDBits, _ entry: Entry) {
    reidentify([(id, uuid)], isTagged: true)
    if entry.isPresumed { graph.setFlags(id, .tagged, false) }
  }

  /// Ends a complete file with the tag of a missing one, to which all its names belong from now on.
  mutating func endAsOriginal(_ original: NodeID, _ id: NodeID, _ entry: Entry, isReplaced: Bool) {
    let links = unlinkOthers(of: id)
    let place = graph.place(id)
    if isReplaced { endReplaced(id) } else { delete(id, reason: .removed) }
    moveOwner(original, to: place, entry)
    guard graph.isLive(original), graph.key(original) == entry.key else { return }
    link(original, again: links)
  }
}
