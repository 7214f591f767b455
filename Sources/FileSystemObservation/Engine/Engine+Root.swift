import FileEvents
import FileIdentity
package import LinuxFileSystem
import SystemPackage

// The observed directory itself: removed, moved away, unmounted, back again. And what the app is told of limits.

extension Engine {
  /// Marks the directories above the root, so that its removal, and a rename of any of them, is noticed, and notes what
  /// is mounted below it.
  ///
  /// A directory that may not be read cannot be marked; then only what the root itself is told of is noticed.
  func markSurroundings() {
    // The tree itself first: of some file systems (FUSE, subvolumes of btrfs) a fanotify group can tell only if it
    // tells of no other.
    _ = try? source.mark(root, for: .entriesWithoutAttributes)
    mountPoints = files.mountPoints(below: root)
    markAncestors()
  }

  private func markAncestors() {
    var scope = MarkScope.departures
    for ancestor in files.openAncestors(of: root) {
      if let mark = try? source.mark(ancestor, for: scope) { ancestorMarks.insert(mark) }
      scope = .itself
    }
  }

  /// Whether the path still leads to the directory that is observed; if not, observation has nothing to stand on.
  func checkRoot(_ now: MonotonicTime) {
    let key = state.classify { $0.graph.key(.root) }
    do throws(Errno) {
      let found = try files.openDirectory(withoutLinks: origin.path)
      if try FileKey(files.status(of: found)) == key, try isAtPath(key) { return }
    } catch {
      // It does not answer, and so nothing is known of it.
      if error == .timedOut { return }
    }
    if settings.followsRoot, followRoot() { return }
    isRootLost = true
    if let status = try? files.status(of: root), status.linkCount == 0 { deleteEverything(now) }
    publish()
    emit(.rootLost(rootLossError))
  }

  /// Observes the root where it is now; whether it is anywhere.
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

  /// The path that leads to the root, and whose it is; nothing where none does.
  private func placeOfRoot() -> (FilePath, owner: UInt32)? {
    for _ in 0..<Self.mostMoves {
      guard let status = try? files.status(of: root), status.linkCount > 0, let path = files.path(of: root) else {
        return nil
      }
      // It may be renamed once more at this moment.
      if let found = try? files.openDirectory(withoutLinks: path), let there = try? files.status(of: found),
        FileKey(there) == FileKey(status)
      {
        return (path, status.owner)
      }
    }
    return nil
  }

  private static var mostMoves: Int { 8 }

  /// Whether the path that the app gave, with the links that are on it, leads to a directory.
  private func isAtPath(_ key: FileKey) throws(Errno) -> Bool {
    FileKey(try files.status(of: files.openRoot(at: settings.path))) == key
  }

  /// The table of mounts has changed: another directory may be where one of the tree was, though nothing tells of it.
  func lookAtMounts(_ now: MonotonicTime) {
    let points = files.mountPoints(below: root)
    let appeared = points.filter { mountPoints[$0.key] != $0.value }.values
    let disappeared = mountPoints.filter { points[$0.key] != $0.value }.values
    mountPoints = points
    hasLookedAtMounts = true
    let changed = Set(appeared).union(disappeared)
    // What is kept open may be on a mount by now.
    if !changed.isEmpty { handles.removeAll() }
    for names in changed {
      // What is hidden or excluded is not known, and stays so.
      let known = state.classify { classifier -> (place: Place, id: NodeID)? in
        guard let place = classifier.graph.place(along: names), let id = classifier.graph.node(at: place) else {
          return nil
        }
        classifier.noteCovered(id)
        return (place, id)
      }
      if let known { look(at: known.place, .check, now) }
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

  /// Takes up observation again if the directory is at the path once more.
  package func returnToRoot(at now: MonotonicTime) -> Bool {
    guard let (found, status) = rootThatIsBack() else { return false }
    releaseAll()
    root = found
    files.noteRoot(root)
    origin = RootOrigin(path: origin.path, owner: status.owner)
    isRootLost = false
    markSurroundings()
    state.classify { $0.graph.setIdentity(.root, uuid: $0.graph[.root].uuid, key: FileKey(status)) }
    rescan(.rootReturned, at: now)
    return true
  }

  /// Lets go of all marks, and of everything that is open but the root.
  func releaseAll() {
    for (mark, id) in markedDirectories { source.unmark(mark, of: id == .root ? root : handles.find(id)) }
    for mark in ancestorMarks { source.unmark(mark) }
    markedDirectories = [:]
    ancestorMarks = []
    marks = [:]
    handles.removeAll()
  }

  /// The observed directory, if it is at its path again: what was opened is what is used, so that nobody can put
  /// another in its place after it was looked at.
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

  /// Whether a directory is the one that is observed: by its inode, or after a restore or another mount by its tag.
  ///
  /// Anyone can give any tag to a directory of his own.
  private func isRoot(_ directory: Files.Directory, _ status: FileStatus) -> Bool {
    let (key, uuid) = state.classify { ($0.graph.key(.root), $0.graph[.root].uuid) }
    if FileKey(status) == key, key.hasBirthTime { return true }
    return status.owner == origin.owner && Self.rootUUID(files, directory, status) == uuid
  }

  /// Told once of each.
  private func reportReplacement(_ replacement: RootOrigin.Replacement) {
    guard origin.toldReplacement != replacement else { return }
    origin.toldReplacement = replacement
    let what = replacement == .noDirectory ? "a symbolic link or a file" : "another folder"
    emit(
      .diagnostic(
        FileSystemObserver.Diagnostic(
          code: .rootReplaced,
          sentence: "\(what) is at \(origin.path), or on the way there, instead of the folder that was observed; it is "
            + "not looked into: bring the folder back, or stop the observer and start it again to observe what is there",
          path: settings.path, errno: nil)))
  }
}
