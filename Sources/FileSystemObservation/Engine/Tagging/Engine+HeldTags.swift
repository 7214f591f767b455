import FileEvents
import FileIdentity
import LinuxFileSystem

// Tags that are written later: those of a burst, those of copies, and those that an app asks for.

extension Engine {
  /// Writes held tags that are due, a portion in each step.
  func writeHeldTags(_ now: MonotonicTime) {
    var tags = copyTags.take(atMost: HeldTags.portion, now)
    if let due = heldTags.due, due <= now { tags += heldTags.take(atMost: HeldTags.portion) }
    if tags.isEmpty { return }
    writeHeldTags(tags, now)
    performRequests(now)
  }

  /// Writes a tag; that of a copy only when the store has the copy.
  func writeTagWhenStored(_ id: NodeID, _ claiming: Bool, _ now: MonotonicTime) {
    let copy = copyTags.stored == nil ? nil : state.classify { $0.keyOfUntaggedCopy(id) }
    guard let copy else {
      writeTag(id, claiming, now)
      return
    }
    copyTags.insert(HeldTags.Held(id: id, key: copy, isClaiming: claiming))
  }

  /// Whether tags wait for the store.
  package var awaitsStore: Bool { copyTags.awaitsStore }

  /// The store has all sets up to a number; `nil` if it cannot be written.
  package func noteStored(through number: UInt64?) { copyTags.stored = number }

  /// Tags an item whose UUID the app has asked for, unless it has a tag.
  func writeTagAskedFor(_ names: [FileName], _ now: MonotonicTime) {
    guard !isRootLost else { return }
    let id = state.classify { classifier -> NodeID? in
      let graph = classifier.graph
      guard let id = graph.node(along: names), id != .root, graph[id].kind != .symlink,
        !graph[id].flags.contains(.tagged)
      else { return nil }
      return id
    }
    if let id { writeTag(id, true, now) }
    performRequests(now)
    publish()
  }

  /// Writes all held tags, while `mayContinue` allows; the next scan writes the rest, and mints the same UUIDs.
  func writeAllHeldTags(_ now: MonotonicTime, while mayContinue: () -> Bool = { true }) {
    writeHeldTags(copyTags.takeAll() + heldTags.take(), now, while: mayContinue)
  }

  /// Writes the tags of what an operation takes out of the tree: outside, nothing else tells what it is.
  ///
  /// A tag may wait for the end of a burst, and that of a document that is being saved for the end of the save.
  func tagBeforeDeparture(_ operation: OwnOperation, _ now: MonotonicTime) {
    guard operation.destination == nil, operation.reason != .removed, !isRootLost,
      let departing = operation.source.flatMap({ source in state.classify { $0.entry(at: source) } })
    else { return }
    let waiting = Array(copyTags.all) + heldTags.all
    writeHeldTags(state.classify { classifier in waiting.filter { classifier.isAtOrBelow($0.id, departing) } }, now)
    let saved = state.classify { classifier in
      classifier.untaggedSaves.filter { classifier.isAtOrBelow($0, departing) }
    }
    for id in saved { tagSavedDocument(id, now) }
    performRequests(now)
  }

  /// Tags the new files of documents that are being saved, while `mayContinue` allows.
  func tagSavedDocuments(_ now: MonotonicTime, while mayContinue: () -> Bool) {
    guard !isRootLost else { return }
    for id in state.classify({ $0.untaggedSaves }) where mayContinue() { tagSavedDocument(id, now) }
  }

  private func tagSavedDocument(_ id: NodeID, _ now: MonotonicTime) {
    // No look has been due yet.
    if let (place, key, _) = state.classify({ $0.resolvedEntry(id) }), key.isUnseen { look(at: place, .check, now) }
    writeTag(id, true, now)
  }

  private func writeHeldTags(_ tags: [HeldTags.Held], _ now: MonotonicTime, while mayContinue: () -> Bool = { true }) {
    for tag in tags where mayContinue() {
      let id = tag.id
      let (isThere, isElsewhere) = state.classify { classifier in
        let isLive = classifier.graph.isLive(id) && classifier.graph.key(id) == tag.key
        return (isLive && !classifier.graph[id].flags.contains(.tagged), classifier.isUnresolved(id))
      }
      guard isThere else { continue }
      if isElsewhere { heldTags.insert(tag, now) } else { writeTag(id, tag.isClaiming, now) }
    }
  }
}
