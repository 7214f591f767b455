import FileIdentity
import LinuxFileSystem

// What is in directories that have moved, or got other identities.

extension ChangeComposer {
  /// Notes an entry that was in a copy before its original continued there: nothing is announced of it, unless it has
  /// gone with a directory above the copy.
  mutating func noteStaying(_ id: NodeID) {
    if graph.formerEntries.hasChanged(id) {
      guard let former = graph.former(id), former.parent == graph[id].parent, graph.hasFormerName(id, former)
      else { return }
      if former.uuid != graph[id].uuid { return noteStayingContents(of: id) }
    }
    let (former, now) = (formerPath(of: id), path(of: id))
    if log.paths[former] == log.paths[now] {
      log.staying.insert(id)
      return
    }
    for note in moveNotes(of: id) where announce(.move, of: id) {
      appendMove(note, path: now, from: former, in: graph.former(id)?.parent, .moves)
    }
  }

  /// A directory that got another identity in the copy has its contents still.
  private mutating func noteStayingContents(of id: NodeID) {
    guard graph[id].kind == .directory, returns.successor(of: id) == nil else { return }
    for child in graph.storage.children(of: id) { noteStaying(child) }
  }

  /// Announces moves of the contents of a directory that has both another identity and another place.
  mutating func composeMovesOfContents(of directory: NodeID) {
    guard heir(of: directory) != directory else { return }
    for child in graph.storage.children(of: directory) where !graph.formerEntries.hasChanged(child) {
      if followsDirectory(child) { continue }
      for note in moveNotes(of: child) { composeMove(note, from: child) }
    }
  }

  private func moveNotes(of id: NodeID) -> [ChangeDraft.Note] {
    var move = ChangeDraft()
    move.appendMove(of: id, in: graph)
    return move.notes
  }

  /// Whether an entry has its name in the directory with the same identity as before the set, and goes where that goes.
  private func followsDirectory(_ id: NodeID) -> Bool {
    guard let former = graph.former(id) else { return false }
    return graph.hasFormerName(id, former) && graph.former(former.parent)?.uuid == graph[graph[id].parent].uuid
  }
}
