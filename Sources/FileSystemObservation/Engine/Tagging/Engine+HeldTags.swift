import FileEvents
import FileIdentity
import LinuxFileSystem

// Tags that are written later: those of a burst, and those that an app asks for.

extension Engine {
  /// Writes held tags that are due, a portion in each step.
  func writeHeldTags(_ now: MonotonicTime) {
    guard let due = heldTags.due, due <= now else { return }
    writeHeldTags(heldTags.take(atMost: HeldTags.portion), now)
    performRequests(now)
  }

  /// Tags an item whose UUID the app has asked for, unless it has a tag.
  func writeTagAskedFor(_ names: [FileName], _ now: MonotonicTime) {
    guard !isRootLost else { return }
    let id = state.classify { classifier -> NodeID? in
      let graph = classifier.graph
      let id = names.isEmpty ? .root : graph.place(along: names).flatMap { graph.node(at: $0) }
      return id.flatMap { $0 == .root || graph[$0].flags.contains(.tagged) || graph[$0].kind == .symlink ? nil : $0 }
    }
    if let id { writeTag(id, true, now) }
    performRequests(now)
    publish()
  }

  /// Writes all held tags, while `mayContinue` allows; the next scan writes the rest, and mints the same UUIDs.
  func writeAllHeldTags(_ now: MonotonicTime, while mayContinue: () -> Bool = { true }) {
    writeHeldTags(heldTags.take(), now, while: mayContinue)
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
