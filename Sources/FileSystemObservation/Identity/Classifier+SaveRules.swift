import FileIdentity
import LinuxFileSystem

// Whether something is the next version of a document.

extension Classifier {
  /// Whether a displaced entry was just renamed: to a name that is no backup's, and not to make room for the newcomer.
  func isPlainRename(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id], case .at(let elsewhere) = unresolvedEntry.believedLocation else {
      return false
    }
    return !unresolvedEntry.isExchange && !unresolvedEntry.isSetAside && !isBackup(id, elsewhere)
  }

  func isBackup(_ id: NodeID, _ place: Place) -> Bool {
    graph[id].kind == .file && !graph[id].flags.contains(.copying)
      && patterns.isBackup(place.name, of: graph.name(id))
  }

  /// A document is not saved by a directory, by an inode that is another document, or by what is on another mount.
  func canAdopt(_ arrival: Arrival, as id: NodeID) -> Bool {
    let kind = graph[id].kind
    guard kind != .directory, arrival.kind == nil || arrival.kind == kind, !coverage.has(.covered, id) else {
      return false
    }
    if arrival.entry.map({ isReturn($0, arrival.activity) }) ?? arrival.mayBeBack { return false }
    if isLeft(arrival, byAnotherThan: id) { return false }
    return graph.node(with: arrival.key).map { $0 == id } ?? true
  }

  /// Whether a newcomer is the old inode of another document whose save is not over: it may turn out to be that
  /// document yet.
  func isLeft(_ arrival: Arrival, byAnotherThan id: NodeID) -> Bool {
    guard let tag = arrival.entry?.tag.uuid, let owner = graph.node(with: tag), owner != id else { return false }
    return writing[unfinishedName(of: owner)]?.former == arrival.key
  }

  /// Whether a newcomer is the old inode of a document whose place another has taken: it is not decided yet which of
  /// them is the document.
  ///
  /// What took its place may never be finished: it is not waited for longer than for anything else.
  func isLeft(_ entry: Entry, by document: NodeID) -> Bool {
    guard let activity = writing[unfinishedName(of: document)], let left = activity.formerLeft else { return false }
    return activity.former == entry.key && now - left < timing.unprovenQuiet
  }

  /// Whether an entry that is gone was removed within the window after it was renamed away from a place: the mark of a
  /// save by renaming to any name, writing anew, and removing.
  func isLeftForASave(by id: NodeID, _ place: Place) -> Bool {
    guard let pendingRename = recentDepartures[from: place], graph.isLive(id) else { return false }
    return pendingRename.node == id && pendingRename.key == graph.key(id) && unresolved[id] != nil
  }

  /// Whether the document stands under another name, too: beside one that waits to be told, what was written, or came
  /// by a rename, is no link of it.
  func mayBeLinkedAgain(_ id: NodeID, _ activity: WriteActivity) -> Bool {
    let key = graph.key(id)
    if key != .unseen, arrivals.hasFurtherName(of: key), !activity.cannotBeHardLink { return true }
    guard graph.hasOtherNames(id) else { return false }
    let missing = graph.names(of: id, with: .unresolved)
    return missing.count < graph.nameCount(of: id) || missing.contains { $0 != id && stands($0) }
  }

  /// As long as another name of a document stands, what came to this one may be a link of it.
  mutating func waitForOtherNames(_ id: NodeID) {
    if graph.hasOtherNames(id) { waitingNames.insert(id, for: graph[id].uuid) }
  }

  /// Whether a name is where the graph has it, or where it is known to have gone.
  func stands(_ name: NodeID) -> Bool {
    switch unresolved[name]?.believedLocation {
    case nil, .at: true
    case .unknown, .gone, .outside: false
    }
  }
}

// MARK: - Documents that come back

extension Classifier {
  /// Whether a newcomer is a document that went away: no program has just written it.
  func isReturn(_ entry: Entry, _ activity: WriteActivity) -> Bool { !activity.wasMerged && isReturn(entry) }

  /// Whether an inode bears the identity with which it went away.
  func isReturn(_ entry: Entry) -> Bool {
    guard let tag = entry.tag.uuid, graph.node(with: tag) == nil else { return false }
    return endedIdentities.contains(tag, on: entry.key)
  }
}

// MARK: - Temporary files that were announced

extension Classifier {
  /// Whether an entry is so new, or so unfinished, that it is a temporary file rather than a document.
  func isProvisional(_ id: NodeID) -> Bool {
    graph[id].flags.contains(.copying) || recentlyAnnounced[id] != nil
  }

  /// Whether a file that is renamed over a document is the document's next version, and no document of its own.
  ///
  /// What is still being written is. What was just announced is, unless the document is as new. Later it must have been
  /// made for the document.
  func isNextVersion(_ id: NodeID, of document: NodeID) -> Bool {
    guard id != document, graph[id].kind == graph[document].kind else { return false }
    // The app says that it moves a document of its own.
    if own?.moved == id { return false }
    if graph[id].flags.contains(.copying) || isMade(id, for: document) { return true }
    return recentlyAnnounced[id] != nil && recentlyAnnounced[document] == nil
  }

  /// Whether a file that arrived while observing was made for a document: it stands beside it, only its writer has
  /// touched it since, and its name is made from the document's, or it is a copy of the document.
  func isMade(_ id: NodeID, for document: NodeID) -> Bool {
    guard graph[id].kind == .file, graph[id].flags.contains(.mayBeVersion), !graph.hasOtherNames(id),
      graph[id].parent == graph[document].parent
    else { return false }
    return copies.isCopy(id, of: graph[document].uuid) || VersionName(of: graph.name(document)).isMade(graph.name(id))
  }

  /// A file has another name: from now on it is a document of its own.
  ///
  /// While it is being written, only its writer renames it.
  mutating func noteRenamed(_ id: NodeID) {
    guard !graph[id].flags.contains(.copying) else { return }
    graph.setFlags(id, .mayBeVersion, false)
  }
}
