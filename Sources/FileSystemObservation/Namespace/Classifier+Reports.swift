import FileEvents
import FileIdentity
import LinuxFileSystem

// What hints of unknown order say of documents. It counts when a document is missing, see `continueWhereReported`.

extension Classifier {
  /// Notes where a hint of unknown order says that a file is; one without kinds says that it was there earlier.
  mutating func noteReport(_ kinds: HintKinds, of file: HintedFile, at place: Place) {
    guard graph.isLive(place.parent), !reportedPlaces.isFull else { return }
    identify(file, on: graph.key(place.parent).device, kinds)
    if kinds.isEmpty, let id = reportedPlaces.document(of: file) { reportedPlaces.note(id, at: place, isEarlier: true) }
    if kinds.hasAny(of: .appearances) { noteReportedArrival(of: file, at: place, kinds) }
    if kinds.hasAny(of: .disappearances) { noteReportedDeparture(of: file, at: place, kinds) }
  }

  /// Whether a file is reported as a version of a document.
  func isReported(_ file: HintedFile) -> Bool { reportedPlaces.document(of: file) != nil }

  /// Notes that a new file has an inode number, which a version of a document may have had.
  mutating func noteNewFile(_ file: HintedFile, in directory: NodeID) {
    guard hasDoubts, !reportedPlaces.isFull, graph.isLive(directory) else { return }
    _ = reportedPlaces.note(file, on: graph.key(directory).device)
  }

  /// Finds the document of a file by its inode number when it is first reported.
  ///
  /// A document that a listing misses may have been removed before, and a later file have its number: if it was found,
  /// its time of birth tells.
  private mutating func identify(_ file: HintedFile, on device: UInt64, _ kinds: HintKinds) {
    guard reportedPlaces.note(file, on: device), !isNewFile(kinds),
      let id = graph.node(withInode: file.inode, on: device), unresolved[id]?.isGone != true
    else { return }
    if let found = arrivals.key(with: InodeNumber(inode: file.inode, on: device)), found != graph.key(id) { return }
    // A file that leaves was there before the versions that have been reported.
    reportedPlaces.note(file, isVersionOf: id, isFirst: kinds.hasAny(of: .disappearances))
  }

  /// Notes the file of a missing document whose inode has not been looked at: a look may find it elsewhere.
  ///
  /// What was reported of former versions counts no longer.
  mutating func identify(_ id: NodeID, as file: HintedFile) {
    guard file.inode != 0, graph[id].kind == .file, graph.key(id).isUnseen, !reportedPlaces.isFull else { return }
    reportedPlaces.forget(id)
    _ = reportedPlaces.note(file, on: graph.key(graph[id].parent).device)
    reportedPlaces.note(file, isVersionOf: id)
  }

  /// Whether a file was made, rather than a hard link.
  private func isNewFile(_ kinds: HintKinds) -> Bool {
    kinds.contains(.created) && kinds.hasAny(of: .contentChanges)
  }

  private mutating func noteReportedArrival(of file: HintedFile, at place: Place, _ kinds: HintKinds) {
    if let id = reportedPlaces.document(of: file) {
      // Where a save leaves the old version, the document is not.
      guard reportedPlaces.isLatest(file, of: id) else { return }
      // A hard link is no move.
      return reportedPlaces.note(id, at: place, isEarlier: kinds.contains(.created))
    }
    guard let id = documentSaved(at: place) else { return }
    reportedPlaces.note(file, isVersionOf: id)
    reportedPlaces.note(id, at: place)
  }

  private mutating func noteReportedDeparture(of file: HintedFile, at place: Place, _ kinds: HintKinds) {
    guard let id = reportedPlaces.document(of: file) ?? unseenEntry(at: place) else { return }
    reportedPlaces.note(file, isVersionOf: id)
    guard reportedPlaces.isLatest(file, of: id) else { return }
    guard kinds.contains(.removed) else { return reportedPlaces.note(id, at: place) }
    // Elsewhere than at its last place, it is a further link that was removed.
    let isLast = reportedPlaces.lastPlace(of: id).map { $0 == place } ?? true
    if isLast { reportedPlaces.noteRemoved(id, at: place) } else { reportedPlaces.note(id, at: place, isEarlier: true) }
  }

  /// The document of which a new file at a place is the next version: it was there, or was renamed to a backup.
  private func documentSaved(at place: Place) -> NodeID? {
    guard let id = reportedPlaces.occupant(of: place) else {
      return believedEntry(at: place).flatMap { reportedPlaces.lastPlace(of: $0) == nil ? $0 : nil }
    }
    guard let last = reportedPlaces.lastPlace(of: id) else { return nil }
    return last == place || patterns.isBackup(last.name, of: place.name) ? id : nil
  }

  /// The document at a place whose inode has not been looked at; its removal may have been reported too early.
  private func unseenEntry(at place: Place) -> NodeID? {
    guard let id = believedEntry(at: place) ?? graph.node(at: place), graph.key(id).isUnseen else { return nil }
    return unresolved.entry(at: place) == id || !isElsewhere(id) ? id : nil
  }
}

// MARK: - What looks find

extension Classifier {
  /// Takes a file that nobody has looked at for the version of the missing document as which it was last reported.
  mutating func identifyReported(_ entry: Entry) {
    guard !reportedPlaces.isEmpty, let id = reportedPlaces.document(ofLatest: entry.key), unresolved[id] != nil,
      graph.key(id).isUnseen, graph[id].kind == entry.kind, graph.node(with: entry.key) == nil
    else { return }
    graph.setInode(id, entry.key)
  }

  /// Whether a file is reported as a version of another document than this one, or another file as the latest version of
  /// this one.
  func isReported(_ entry: Entry, asAnotherThan id: NodeID) -> Bool {
    if reportedPlaces.isEmpty { return false }
    if let document = reportedPlaces.document(of: entry.key) { return document != id }
    return reportedPlaces.hasVersion(of: id, besides: entry.key)
  }

  /// Whether an arrival is reported as a version of another document, which may not be found itself.
  func isVersion(_ arrival: Arrival, ofAnotherThan id: NodeID) -> Bool {
    guard !reportedPlaces.isEmpty, let document = reportedPlaces.document(of: arrival.key), document != id else {
      return false
    }
    return hasUnorderedPlaces || mayBeSavedElsewhere(document)
  }

  /// Takes in the latest version of a missing document, which a listing has found before it was reported; returns whether
  /// there is one.
  mutating func moveToReportedVersion(_ id: NodeID) -> Bool {
    guard let place = placeOfReportedVersion(of: id), let entry = arrivals[place]?.entry else { return false }
    observe(Look(place: place, entry: entry, cause: .check))
    return true
  }

  /// Where a listing has found the latest version of a document whose inode has not been looked at.
  func placeOfReportedVersion(of id: NodeID) -> Place? {
    guard graph.key(id).isUnseen, hasReportedVersion(id) else { return nil }
    return arrivals.keys.first { place in
      arrivals[place].map { reportedPlaces.document(ofLatest: $0.key) == id } ?? false
    }
  }

  /// Whether the latest version of a document is reported, and is another inode than the known one.
  func hasReportedVersion(_ id: NodeID) -> Bool { reportedPlaces.hasVersion(of: id, besides: graph.key(id)) }

  /// Whether a plan moves or ends a document whose latest version may be found elsewhere.
  func concernsReportedVersion(_ plan: MovePlan) -> Bool {
    if reportedPlaces.isEmpty { return false }
    return plan.moves.contains { hasReportedVersion($0.id) } || plan.endings.contains { hasReportedVersion($0) }
  }
}
