import LinuxFileSystem

// Temporary files that were announced before they took their document's place: however long they took, they are its
// next version.

extension Classifier {
  /// Just announced, an entry may still turn out to be a temporary file.
  mutating func noteAnnounced(_ id: NodeID, _ now: MonotonicTime) {
    announced[id] = now + timing.settle
    forgetLater(.announced(id, now + timing.settle))
  }

  /// Whether an entry is so new, or so unfinished, that it is a temporary file rather than a document.
  func isProvisional(_ id: NodeID) -> Bool {
    graph[id].flags.contains(.copying) || announced[id] != nil
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
    return announced[id] != nil && announced[document] == nil
  }

  /// Whether a file that arrived while observing was made for a document: it stands beside it, only its writer has
  /// touched it since, and its name is made from the document's, or it is a copy of the document.
  private func isMade(_ id: NodeID, for document: NodeID) -> Bool {
    guard graph[id].kind == .file, graph[id].flags.contains(.mayBeVersion), !graph.hasOtherNames(id),
      graph[id].parent == graph[document].parent
    else { return false }
    return copies.isCopy(id, of: graph[document].uuid) || VersionName(of: graph.name(document)).isMade(graph.name(id))
  }

  /// Tells that an entry is a copy of another, and remembers it: it may be the next version of that, or where it was
  /// moved to.
  ///
  /// A directory that waits to be told is told so later.
  mutating func tellCopy(_ id: NodeID, of original: NodeID, _ now: MonotonicTime) {
    graph.setFlags(id, .knownCopy, true)
    copies.note(id, of: original, in: graph, at: now)
    if untold[id] == nil { log.append(.duplicated, id, in: graph, original: original, by: .copyOfOriginal) }
  }

  /// A file has another name: from now on it is a document of its own.
  ///
  /// While it is being written, only its writer renames it.
  mutating func noteRenamed(_ id: NodeID) {
    guard !graph[id].flags.contains(.copying) else { return }
    graph.setFlags(id, .mayBeVersion, false)
  }

  /// A file that was announced already has taken a document's place: the document is saved, and the provisional
  /// identity ends.
  mutating func absorb(_ id: NodeID, into document: NodeID, at place: Place, _ now: MonotonicTime) {
    let arrival = withdraw(id, now)
    if displaced[document] == nil { displace(document, .gone, leftByRename: false, now) }
    if displaced[document]?.isDecided == false { setWhereabouts(of: document, .gone) }
    put(arrival, at: place)
    adoptNewcomer(as: document, now)
  }

  /// The identity of a file that was announced ends, and it is a newcomer again.
  mutating func withdraw(_ id: NodeID, _ now: MonotonicTime) -> Arrival {
    var arrival = Arrival(unseen: graph.key(id), graph[id].kind, at: now, nextCheck: now + timing.quiet)
    if let progress = writing[id] { arrival.progress = progress } else { arrival.progress.isClosed = true }
    arrival.progress.nextCheck = now + timing.quiet
    arrival.progress.wasAbsorbed = true
    arrival.progress.tellBy = nil
    by(.absorbedByDocument) { $0.delete(id, reason: .removed, now) }
    return arrival
  }
}
