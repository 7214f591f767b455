import FileEvents
import FileIdentity
package import LinuxFileSystem
import SystemPackage

// The loss and the return of the observed directory.

extension Engine {
  /// Checks that the path still leads to the observed directory; if not, follows the root or reports its loss.
  func checkRoot(_ now: MonotonicTime) {
    let key = state.classify { $0.graph.key(.root) }
    do throws(Errno) {
      let found = try files.openDirectory(withoutLinks: origin.path)
      if try FileKey(files.status(of: found)) == key, try isAtPath(key) { return }
    } catch {
      // It does not answer, so its state is unknown.
      if error == .timedOut { return }
    }
    if settings.followsRoot, followRoot() { return }
    isRootLost = true
    if let status = try? files.status(of: root), status.linkCount == 0 { deleteEverything(now) }
    publish()
    emit(.rootLost(rootLossError))
  }

  /// Observes the root at its present path; returns whether it has one.
  private func followRoot() -> Bool {
    guard let (path, owner) = placeOfRoot() else { return false }
    publish()
    let former = settings.path
    settings.path = path
    origin = RootOrigin(path: path, owner: owner)
    for mark in ancestorMarks { source.unmark(mark) }
    ancestorMarks = []
    files.noteRoot(root)
    mountPoints = files.mountPoints(below: root)
    markAncestors()
    emit(.rootMoved(from: former, to: path))
    return true
  }

  /// The path that leads to the root, and its owner; `nil` if there is none.
  private func placeOfRoot() -> (FilePath, owner: UInt32)? {
    for _ in 0..<Self.mostMoves {
      guard let status = try? files.status(of: root), status.linkCount > 0, let path = files.path(of: root) else {
        return nil
      }
      // The root may be renamed again at this moment.
      if let found = try? files.openDirectory(withoutLinks: path), let there = try? files.status(of: found),
        FileKey(there) == FileKey(status)
      {
        return (path, status.owner)
      }
    }
    return nil
  }

  private static var mostMoves: Int { 8 }

  /// Whether the path that the app gave, links included, leads to a directory.
  private func isAtPath(_ key: FileKey) throws(Errno) -> Bool {
    FileKey(try files.status(of: files.openRoot(at: settings.path))) == key
  }

  /// Reads the mount table after a change: another directory may be at a place in the tree, without any event.
  func lookAtMounts(_ now: MonotonicTime) {
    let points = files.mountPoints(below: root)
    let appeared = points.filter { mountPoints[$0.key] != $0.value }.values
    let disappeared = mountPoints.filter { points[$0.key] != $0.value }.values
    mountPoints = points
    hasLookedAtMounts = true
    let changed = Set(appeared).union(disappeared)
    if changed.isEmpty { return }
    mountsChangedAt = now
    // Cached directories may be on a changed mount.
    handles.removeAll()
    for names in changed {
      let place = state.classify { classifier -> Place? in
        let place = classifier.place(along: names)
        if let id = place.flatMap({ classifier.graph.node(at: $0) }) { classifier.noteCovered(id) }
        return place
      }
      if let place { lookIfLive(place, .check, now) }
    }
  }

  private func deleteEverything(_ now: MonotonicTime) {
    state.classify(at: now) { classifier in
      for child in classifier.graph.storage.children(of: .root) where classifier.graph.isLive(child) {
        classifier.delete(child, reason: .removed)
      }
    }
    performRequests(now)
  }

  /// Resumes observation if the directory is at its path again; returns whether it is.
  package func returnToRoot(at now: MonotonicTime) -> Bool {
    guard let (found, status) = rootThatIsBack() else { return false }
    releaseAll()
    root = found
    files.noteRoot(root)
    origin = RootOrigin(path: origin.path, owner: status.owner)
    isRootLost = false
    markSurroundings()
    state.classify { $0.setRoot(FileKey(status)) }
    rescan(.rootReturned, at: now)
    return true
  }

  /// Removes all marks, and closes all directories but the root.
  func releaseAll() {
    for (mark, id) in markedDirectories { source.unmark(mark, of: id == .root ? root : handles.find(id)) }
    for mark in ancestorMarks { source.unmark(mark) }
    markedDirectories = [:]
    ancestorMarks = []
    marks = [:]
    handles.removeAll()
  }

  /// The observed directory, if it is at its path again; the caller uses this very descriptor, and opens no other.
  private func rootThatIsBack() -> (Files.Directory, FileStatus)? {
    do throws(Errno) {
      let found = try files.openDirectory(withoutLinks: origin.path)
      let status = try files.status(of: found)
      guard isRoot(found, status), try isAtPath(FileKey(status)) else {
        reportReplacement(.directory(FileKey(status)))
        return nil
      }
      _ = try files.reopenForListing(found)
      return (found, status)
    } catch {
      if error == .notDirectory || error == .tooManySymbolicLinkLevels { reportReplacement(.noDirectory) }
      return nil
    }
  }

  /// Whether a directory is the observed one: by its inode, or by its tag after a restore or another mount.
  ///
  /// The tag alone is not enough, because anyone can tag their own directory: the owner must match, too.
  private func isRoot(_ directory: Files.Directory, _ status: FileStatus) -> Bool {
    let (key, uuid) = state.classify { ($0.graph.key(.root), $0.graph[.root].uuid) }
    if FileKey(status) == key, key.hasBirthTime { return true }
    return status.owner == origin.owner && Self.rootUUID(files, directory, status) == uuid
  }

  /// Reports each replacement once.
  private func reportReplacement(_ replacement: RootOrigin.Replacement) {
    guard origin.reportedReplacement != replacement else { return }
    origin.reportedReplacement = replacement
    let what = replacement == .noDirectory ? "a symbolic link or a file" : "another folder"
    report(
      .rootReplaced, settings.path,
      "\(what) is at \(origin.path), or on the way there, instead of the folder that was observed; it is not looked "
        + "into: bring the folder back, or stop the observer and start it again to observe what is there")
  }
}
