import FileIdentity
import LinuxFileSystem

// Whether an inode is the next version of a document.

extension Classifier {
  /// Whether an unresolved entry was only renamed: not to a backup's name, and not to make room for a new version.
  func isPlainRename(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id], let elsewhere = unresolvedEntry.believedPlace else { return false }
    return !unresolvedEntry.isExchange && !unresolvedEntry.isSetAside && !isBackup(id, elsewhere)
  }

  func isBackup(_ id: NodeID, _ place: Place) -> Bool {
    graph[id].kind == .file && !graph[id].flags.contains(.copying)
      && patterns.isBackup(place.name, of: graph.name(id))
  }

  /// Whether an arrival may continue a document.
  ///
  /// A directory may not, nor the inode of another document, nor anything on another mount.
  func canContinue(_ id: NodeID, with arrival: Arrival) -> Bool {
    let kind = graph[id].kind
    guard kind != .directory, arrival.kind == nil || arrival.kind == kind, !coverage.has(.covered, id) else {
      return false
    }
    if own?.isDeparture == true, isOwnRemoval(of: id) { return false }
    if arrival.entry.map({ isReturn($0, arrival.activity) }) ?? arrival.mayBeBack { return false }
    if isLeft(arrival, byAnotherThan: id) || isVersion(arrival, ofAnotherThan: id) { return false }
    return graph.node(with: arrival.key).map { $0 == id } ?? true
  }

  /// Whether an arrival is the old inode of another document that was saved; while the save is unfinished, it may still
  /// prove to be that document.
  func isLeft(_ arrival: Arrival, byAnotherThan id: NodeID) -> Bool {
    guard let tag = arrival.entry?.tag.uuid, let owner = graph.node(with: tag), owner != id else { return false }
    return arrival.activity.isKnownInode || writing[unfinishedName(of: owner)]?.former == arrival.key
  }

  /// Whether `entry` is the inode that `document` had before an unfinished save, and may still prove to be the
  /// document.
  ///
  /// Bounded by `unprovenQuiet`, because the new version may never be completed.
  func isLeft(_ entry: Entry, by document: NodeID) -> Bool {
    guard let activity = writing[unfinishedName(of: document)], let left = activity.formerLeft else { return false }
    return activity.former == entry.key && now - left < timing.unprovenQuiet
  }

  /// Whether an entry was removed within the settle window after its rename away from a place.
  ///
  /// So does a program save that renames the document to any name, writes it anew, and removes the old version.
  func isLeftForASave(by id: NodeID, _ place: Place) -> Bool {
    guard let departure = recentDepartures[from: place], graph.isLive(id) else { return false }
    return departure.node == id && departure.key == graph.key(id) && unresolved[id] != nil
  }

  /// Whether a document may have another name, so that the arrival at this one may be a hard link of it.
  ///
  /// An arrival that was written or renamed is no hard link of an unannounced name.
  func mayBeLinkedAgain(_ id: NodeID, _ activity: WriteActivity) -> Bool {
    let key = graph.key(id)
    if key != .unseen, arrivals.hasFurtherName(of: key), !activity.cannotBeHardLink { return true }
    guard graph.hasOtherNames(id) else { return false }
    let missing = graph.names(of: id, with: .unresolved)
    return missing.count < graph.nameCount(of: id) || missing.contains { $0 != id && stands($0) }
  }

  /// Whether an arrival may be another document than the one that left its name, as when files are renumbered.
  ///
  /// Both left for unobserved places, and this one is back under the other's name. Only a look shows that.
  func mayBeAnotherThatLeft(_ arrival: Arrival, than id: NodeID) -> Bool {
    guard arrival.key == .unseen, arrival.activity.cameByRename, arrival.previous == nil else { return false }
    guard let former = unresolved[id], former.hasLeft, former.believedPlace == nil, !former.isExchange else {
      return false
    }
    return unresolved.count > 1 || !endedIdentities.isEmpty
  }

  /// Keeps an arrival undecided while other names of the document exist: it may be a hard link.
  mutating func waitForOtherNames(_ id: NodeID) {
    if graph.hasOtherNames(id) { waitingNames.insert(id, for: graph[id].uuid) }
  }

  /// Whether a name is at its announced place, or at a known other one.
  func stands(_ name: NodeID) -> Bool {
    switch unresolved[name]?.believedLocation {
    case nil, .at: true
    case .unknown, .gone, .outside: false
    }
  }
}

// MARK: - Documents that come back

extension Classifier {
  /// Whether an arrival is a document that ended and came back, not one that a program has just written.
  func isReturn(_ entry: Entry, _ activity: WriteActivity) -> Bool { !activity.wasMerged && isReturn(entry) }

  /// Whether an inode has the identity with which it ended.
  func isReturn(_ entry: Entry) -> Bool {
    guard let tag = entry.tag.uuid, graph.node(with: tag) == nil else { return false }
    return endedIdentities.contains(tag, on: entry.key)
  }

  /// Whether an item had ended before it was announced, so that it is no temporary file.
  ///
  /// Without birth times, the number of an ended inode may be that of a new one.
  private func hasReturned(_ id: NodeID) -> Bool {
    graph.key(id).hasBirthTime && endedIdentities.contains(graph[id].uuid)
  }
}

// MARK: - Temporary files that were announced

extension Classifier {
  /// Whether an entry is so new, or so unfinished, that it may be a temporary file.
  func isProvisional(_ id: NodeID) -> Bool {
    graph[id].flags.contains(.copying) || recentlyAnnounced[id] != nil
  }

  /// Whether a file that is renamed over a document is its next version, and no document of its own.
  ///
  /// A file that is still being written is. A document that came back is not. A file that was announced or finished
  /// recently is, unless the document is as recent. Any other must have been made for the document, and replace it: where
  /// the document was moved away or trashed, the user may give its name to another.
  func isNextVersion(_ id: NodeID, of document: NodeID) -> Bool {
    guard id != document, graph[id].kind == graph[document].kind, graph[id].kind != .directory else { return false }
    // The app itself moves a document.
    if own?.moved == id { return false }
    if graph[id].flags.contains(.copying) { return true }
    if hasReturned(id) { return false }
    let isRecent = recentlyAnnounced[id] != nil
    if isMade(id, for: document) { return isRecent || !wasMovedAway(document) }
    return isRecent && recentlyAnnounced[document] == nil
  }

  /// Whether a document left its name by a rename, and is not kept under the name of a backup.
  private func wasMovedAway(_ id: NodeID) -> Bool {
    guard let unresolvedEntry = unresolved[id], unresolvedEntry.hasLeft else { return false }
    return unresolvedEntry.believedPlace.map { !isBackup(id, $0) } ?? true
  }

  /// Whether an observed new file was made for a document.
  ///
  /// It is in the same directory, only its writer has changed it, and its name is made from the document's or it is a
  /// copy of the document.
  func isMade(_ id: NodeID, for document: NodeID) -> Bool {
    guard graph[id].kind == .file, graph[id].flags.contains(.mayBeVersion), !graph.hasOtherNames(id),
      graph[id].parent == graph[document].parent
    else { return false }
    return copies.isCopy(id, of: graph[document].uuid) || VersionName(of: graph.name(document)).isMade(graph.name(id))
  }

  /// Notes that a file was renamed, and is a document of its own; an unfinished one is renamed by its writer only.
  mutating func noteRenamed(_ id: NodeID) {
    guard !graph[id].flags.contains(.copying) else { return }
    graph.setFlags(id, .mayBeVersion, false)
  }
}
