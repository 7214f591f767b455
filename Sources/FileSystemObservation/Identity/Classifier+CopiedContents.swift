import FileIdentity
import LinuxFileSystem

// What is in a folder that is found to have been moved by copying: each item in it has another inode by now.

extension Classifier {
  /// Prepares for the listing of a folder that was moved by copying.
  ///
  /// Looks that were asked for before have been made, so that it is known what was moved elsewhere before.
  ///
  /// - Returns: The folders below it that are taken in with whatever inodes they are found.
  mutating func awaitCopies(in folder: NodeID) -> [NodeID] {
    guard graph.isLive(folder), unresolved[folder] == nil else { return [] }
    leaveLinkedFiles(of: folder)
    return loseFolders(in: folder)
  }

  /// Removes the names in a folder of files that have a name outside, too: copying has made other files of them.
  ///
  /// The inode that was there before is at the other name, and keeps the identity.
  private mutating func leaveLinkedFiles(of folder: NodeID) {
    var names: [NodeID] = []
    graph.storage.forEachDescendant(of: folder) { if graph.hasOtherNames($0) { names.append($0) } }
    for name in names where graph.isLive(name) && hasNameStanding(outside: folder, ofFileAt: name) { unlink(name) }
  }

  /// Forgets the inodes of the folders below one: they are found at once, instead of one level after the other.
  ///
  /// A folder that was moved elsewhere before the others were copied is found there; so nothing may be left to list.
  private mutating func loseFolders(in folder: NodeID) -> [NodeID] {
    let isAllListed = coverage.entries(with: .needsListing).allSatisfy {
      $0 == folder || graph.storage.isEntry($0, inside: folder)
    }
    guard isAllListed else { return [] }
    var folders: [NodeID] = []
    graph.storage.forEachDescendant(of: folder) { id in
      let isFound = unresolved[id] != nil || aheadOfLog.has(graph.key(id))
      if graph[id].kind == .directory, !isFound { folders.append(id) }
    }
    for id in folders {
      noteFormerInode(of: id)
      graph.setInode(id, .unseen)
    }
    return folders
  }

  /// Takes note of the inode of a directory that is about to go on in another one by its path.
  ///
  /// While nobody observed, it may have been moved, and the other one be its copy.
  mutating func noteFormerInode(of id: NodeID) {
    if isResuming, formerFolders[id] == nil { formerFolders[id] = graph.key(id) }
  }

  private func hasNameStanding(outside folder: NodeID, ofFileAt name: NodeID) -> Bool {
    graph.names(of: name).contains { !graph.storage.isEntry($0, inside: folder) && mayStand($0) }
  }

  /// Whether neither an entry nor a folder above it is missing, unless it was found elsewhere.
  private func mayStand(_ id: NodeID) -> Bool {
    graph.nearest(from: id) { unresolved[$0] != nil && !isElsewhere($0) && !aheadOfLog.has(graph.key($0)) } == nil
  }
}
