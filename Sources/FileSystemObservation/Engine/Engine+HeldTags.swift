import FileEvents
import FileIdentity
import LinuxFileSystem

// Tags that are written later: those of a burst, and those that an app asks for.

extension Engine {
  func writeHeldTags(_ now: MonotonicTime) {
    guard let due = heldTags.due, due <= now else { return }
    writeAllHeldTags(now)
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
}
