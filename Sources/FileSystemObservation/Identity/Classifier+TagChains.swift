import FileIdentity
import LinuxFileSystem

// Documents that a sync or a restored backup has put at each other's places, with their tags.

extension Classifier {
  /// Whose place a written file has taken, and who has taken the place of that one, by their tags.
  func tagChain(through id: NodeID, _ entry: Entry) -> TagChainFinding {
    guard entry.kind == .file, own == nil, mayBeInChain(id) else { return .none }
    let tag = writing[id]?.wasMerged == true ? nil : entry.tag.uuid
    if tag == graph[id].uuid || tag == nil && !unconfirmedTags.has(graph[id].uuid) { return .none }
    var walk = ChainWalk(from: id)
    followOwners(from: tag, &walk)
    if walk.isOpen, walk.end != .first { followBearers(&walk) }
    return walk.finding
  }

  /// Appends the owner of a file's tag, the owner of the tag in that one's file, and so on.
  private func followOwners(from tag: UUIDBits?, _ walk: inout ChainWalk) {
    var tag = tag
    while let uuid = tag, walk.isOpen {
      guard let owner = graph.node(with: uuid) else { return walk.end = .unknown(uuid) }
      if owner == walk.members.first, walk.members.count > 1 { return walk.end = .first }
      if hasGone(owner), graph[owner].kind == .file, !graph.hasOtherNames(owner) { return walk.end = .gone(owner) }
      guard mayBeInChain(owner), !walk.contains(owner) else { return walk.close(with: .none) }
      tag = writing[owner]?.wasMerged == true ? nil : unconfirmedTags[owner]
      // Its own version, which is not complete, is no reason to wait.
      let hasOwnTag = tag == uuid && writing[owner]?.isLookedAt == true
      if hasOwnTag || !isAtRest(writing[owner]) { return walk.close(with: hasOwnTag ? .none : .undecided) }
      walk.append(owner)
    }
  }

  /// Puts before the chain the document whose file has the tag of the first, and so on; no two files may have one tag.
  private func followBearers(_ walk: inout ChainWalk) {
    while let first = walk.first, walk.isOpen {
      let bearers = unconfirmedTags.holders(of: graph[first].uuid)
      guard let bearer = bearers.first else { return }
      if bearers.count > 1 { return walk.close(with: .none) }
      switch bearer {
      case .arrival(let place):
        guard isNewFile(at: place) else { return walk.close(with: .none) }
        guard let head = arrivals[place], head.entry != nil, isAtRest(head.activity) else {
          return walk.close(with: .undecided)
        }
        return walk.head = place
      case .entry(let id):
        guard mayBeInChain(id), !walk.contains(id) else { return walk.close(with: .none) }
        guard isAtRest(writing[id]) else { return walk.close(with: .undecided) }
        walk.prepend(id)
      }
    }
  }

  /// Whether a file is complete, and nothing has happened to it since it was looked at.
  private func isAtRest(_ activity: WriteActivity?) -> Bool {
    activity.map { $0.isLookedAt && ($0.isComplete || now - $0.lastActivity >= timing.quiet) } ?? false
  }

  /// Whether a file was made beside the documents, and is no document's old inode.
  private func isNewFile(at place: Place) -> Bool {
    guard let arrival = arrivals[place], graph.node(at: place) == nil, graph.isLive(place.parent) else { return false }
    return !arrival.activity.isKnownInode && !arrival.activity.wasMerged
  }

  private func mayBeInChain(_ id: NodeID) -> Bool {
    writing[id] != nil && unresolved[id] == nil && !graph.hasOtherNames(id)
      && graph[id].flags.isDisjoint(with: [.copying, .tagUnread]) && graph[id].kind == .file
  }

  /// Whether the document with the identity in an arrival's tag may prove to have been put there.
  func mayBeInChain(_ owner: NodeID, bearing entry: Entry, _ activity: WriteActivity) -> Bool {
    guard entry.kind == .file, let written = writing[owner], mayBeInChain(owner),
      now - activity.firstSeen < timing.unprovenQuiet
    else { return false }
    return !written.isLookedAt || unconfirmedTags[owner].map { $0 != graph[owner].uuid } ?? false
  }
}

// MARK: - What follows

extension Classifier {
  /// Ends the writing of a file that is in a chain, with all of that chain; returns whether it is in one.
  mutating func endInChain(_ id: NodeID, _ entry: Entry, _ activity: WriteActivity) -> Bool {
    switch tagChain(through: id, entry) {
    case .none: return false
    // The wait for other documents is bounded.
    case .undecided where now - activity.firstSeen >= timing.unprovenQuiet: return false
    case .undecided: waitForWriting(id, activity, until: now + timing.hintDelay << Int64(min(activity.checks, 6)))
    case .chain(let chain):
      writing[id] = activity
      follow(chain, entry)
    }
    return true
  }

  /// Has each document of a chain go on where the file with its tag is.
  ///
  /// The file of the last is a new one, unless it bears another identity; the first ends unless a file has its tag.
  mutating func follow(_ chain: TagChain, _ entry: Entry) {
    let last = chain.members.count - 1
    var identities = chain.members.indices.dropLast().map { (chain.members[$0], graph[chain.members[$0 + 1]].uuid) }
    identities.append((chain.members[last], identity(ofLastIn: chain, entry)))
    if case .gone(let owner) = chain.end {
      identities.append((owner, freeIdentity(for: graph.key(owner), on: entry.fileSystem)))
    }
    let first = EndedItem(uuid: graph[chain.members[0]].uuid, key: graph.key(chain.members[0]))
    let activities = chain.members.map { writing[$0] }
    for id in chain.members { stopWritingInChain(id) }
    reidentify(identities.map { (id: $0.0, uuid: $0.1) }, isTagged: true)
    for (id, activity) in zip(chain.members, activities) {
      if let activity { graph.setContent(id, modified: activity.modified, size: activity.size) }
    }
    if case .gone(let owner) = chain.end { delete(owner, reason: .removed) }
    if chain.end == .untagged {
      graph.setFlags(chain.members[last], .tagged, false)
      requests.append(.writeTagInTime(chain.members[last], claiming: false))
    }
    if chain.end != .first { endFirst(first, chain.head) }
  }

  private func identity(ofLastIn chain: TagChain, _ entry: Entry) -> UUIDBits {
    switch chain.end {
    case .first: return graph[chain.members[0]].uuid
    case .unknown(let uuid): return uuid
    case .gone(let owner): return graph[owner].uuid
    case .untagged: return freeIdentity(for: graph.key(chain.members[chain.members.count - 1]), on: entry.fileSystem)
    }
  }

  private mutating func stopWritingInChain(_ id: NodeID) {
    stopWriting(id)
    copies.forget(id)
    disputes.remove(graph[id].uuid)
    wakeBlockedFile(by: graph.place(id))
  }

  /// Ends the identity that no member has now; it goes on in the new file with its tag.
  private mutating func endFirst(_ item: EndedItem, _ head: Place?) {
    endedIdentities.insert(item)
    guard let head, let arrival = takeArrival(at: head), let entry = arrival.entry else { return }
    concludeNew(arrival.activity, entry, nil, at: head)
  }
}
