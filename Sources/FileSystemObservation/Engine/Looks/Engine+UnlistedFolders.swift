import FileEvents
import LinuxFileSystem

// Tags of new directories that are not listed.

extension Engine {
  /// Looks at a new directory now and then, unless the source reports its attributes.
  func awaitTag(ofUnlisted id: NodeID, at place: Place, _ now: MonotonicTime) {
    guard let mark = marks[place.parent], !mark.isOfInotify, !mark.isOfPolling else { return }
    unlistedFolders.insert(id, now)
  }

  func lookAtUnlistedFolders(_ now: MonotonicTime) {
    let folders = unlistedFolders.take(at: now)
    if !folders.isEmpty { look(atUnlisted: folders, now) }
  }

  /// Looks at all of them once more: nobody may look before the next run.
  func lookAtAllUnlistedFolders(_ now: MonotonicTime, while mayContinue: () -> Bool) {
    look(atUnlisted: unlistedFolders.takeAll(), while: mayContinue, now)
    publish()
  }

  private func look(
    atUnlisted folders: [NodeID], while mayContinue: () -> Bool = { true }, _ now: MonotonicTime
  ) {
    var done: Set<NodeID> = []
    for id in folders where mayContinue() {
      guard isDirectory(id), !isListed(id), let place = place(of: id) else {
        done.insert(id)
        continue
      }
      lookIfLive(place, .check, now)
      // A known copy has had its tag.
      if state.classify({ !$0.graph.isLive(id) || $0.graph[id].flags.contains(.knownCopy) }) { done.insert(id) }
    }
    if !done.isEmpty { unlistedFolders.remove(done) }
    performRequests(now)
  }
}
