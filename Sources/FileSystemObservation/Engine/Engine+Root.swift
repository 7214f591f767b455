import FileEvents
import FileIdentity
package import LinuxFileSystem
import SystemPackage

// The observed directory itself: removed, moved away, unmounted, back again. And what the app is told of limits.

extension Engine {
  /// Marks the directories above the root, so that its removal, and a rename of any of them, is noticed, and notes what is mounted below it.
  ///
  /// A directory that may not be read cannot be marked; then only what the root itself is told of is noticed.
  func markSurroundings() {
    // The tree itself first: of some file systems (FUSE, subvolumes of btrfs) a fanotify group can tell only if it tells of no other.
    _ = try? source.mark(root, for: .entriesWithoutAttributes)
    mountPoints = files.mountPoints(below: root)
    var scope = MarkScope.departures
    for ancestor in files.openAncestors(of: root) {
      if let mark = try? source.mark(ancestor, for: scope) { ancestorMarks.insert(mark) }
      scope = .itself
    }
  }

  /// Whether the path still leads to the directory that is observed; if not, observation has nothing to stand on.
  func checkRoot(_ now: MonotonicTime) {
    let key = state.classify { $0.graph.key(.root) }
    if let found = try? files.openRoot(at: settings.path), let status = try? files.status(of: found),
      FileKey(status) == key
    {
      return
    }
    isRootLost = true
    if let status = try? files.status(of: root), status.linkCount == 0 { deleteEverything(now) }
    publish()
    emit(.rootLost(rootLossError))
  }

  /// The table of mounts has changed: another directory may be where one of the tree was, though nothing tells of it.
  func lookAtMounts(_ now: MonotonicTime) {
    let points = files.mountPoints(below: root)
    let appeared = points.filter { mountPoints[$0.key] != $0.value }.values
    let disappeared = mountPoints.filter { points[$0.key] != $0.value }.values
    mountPoints = points
    for names in Set(appeared).union(disappeared) {
      // What is hidden or excluded is not known, and stays so.
      let place = state.classify { $0.graph.place(along: names) }
      if let place, state.classify({ $0.graph.node(at: place) }) != nil { look(at: place, .check, now) }
    }
  }

  private func deleteEverything(_ now: MonotonicTime) {
    state.classify { classifier in
      for child in classifier.graph.storage.children(of: .root) where classifier.graph.isLive(child) {
        classifier.delete(child, reason: .removed, now)
      }
    }
    performRequests(now)
  }

  /// Takes up observation again if there is a directory at the path.
  package func returnToRoot(at now: MonotonicTime) -> Bool {
    guard let found = try? files.openRoot(at: settings.path), let status = try? files.status(of: found),
      (try? files.reopenForListing(found)) != nil
    else { return false }
    for (mark, id) in markedDirectories { source.unmark(mark, of: id == .root ? root : handles.find(id)) }
    for mark in ancestorMarks { source.unmark(mark) }
    markedDirectories = [:]
    ancestorMarks = []
    marks = [:]
    handles.removeAll()
    root = found
    isRootLost = false
    markSurroundings()
    let key = FileKey(status)
    let uuid = Self.rootUUID(files, found, status)
    state.classify { classifier in
      // A tag that another entry bears cannot be the root's.
      let bearer = classifier.graph.node(with: uuid)
      let own = bearer == nil || bearer == .root ? uuid : classifier.graph[.root].uuid
      classifier.graph.setIdentity(.root, uuid: own, key: key)
    }
    rescan(.rootReturned, at: now)
    return true
  }
}
