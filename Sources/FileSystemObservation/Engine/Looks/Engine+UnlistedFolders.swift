import FileEvents
import LinuxFileSystem

// Tags of new directories that are not listed.

extension Engine {
  /// Looks at a new directory now and then, unless the source reports its attributes.
  func awaitTag(ofUnlisted id: NodeID, at place: Place, _ now: MonotonicTime) {
    guard let mark = marks[place.parent], !mark.isOfInotify, !mark.isOfPolling, mayBeTaggedLate(id) else { return }
    unlistedFolders.insert(id, now)
  }

  private func mayBeTaggedLate(_ id: NodeID) -> Bool {
    state.classify { $0.isDirectory(id) && $0.mayBeTaggedLate(id) }
  }

  func lookAtUnlistedFolders(_ now: MonotonicTime) {
    let folders = unlistedFolders.take(at: now)
    if !folders.isEmpty { look(atUnlisted: folders, now) }
  }

  /// Looks at all of them once more: nobody may look before the next run.
  func lookAtAllUnlistedFolders(_ now: MonotonicTime, while mayContinue: () -> Bool) {
    guard !isRootLost else { return }
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
      if !mayBeTaggedLate(id) { done.insert(id) }
    }
    performRequests(now)
    unlistedFolders.remove(done)
  }
}
