import FileIdentity
import LinuxFileSystem

// Files whose announced identity proves wrong: each gets another, with all its names.

extension Classifier {
  private struct RenewedFile {
    var id: NodeID
    var uuid: UUIDBits
    var otherNames: [NodeID]
  }

  /// Announces a file under a newly minted identity that no other has.
  mutating func takeFreeIdentity(_ id: NodeID, _ entry: Entry) {
    reidentify([(id, freeIdentity(for: graph.key(id), on: entry.fileSystem))], isTagged: false)
  }

  /// Gives up the identity of an untagged file that is being copied, because another file has it in its tag.
  ///
  /// So does a document that was saved: its tag was minted for its first inode.
  mutating func giveUpClaimed(_ id: NodeID, _ entry: Entry) {
    guard graph[id].flags.contains(.copying), !graph[id].flags.contains(.tagged) else { return }
    takeFreeIdentity(id, entry)
  }

  /// Gives up the identity of a file that is still being written, because it proves to be another's.
  mutating func giveUpProvisional(_ id: NodeID, _ entry: Entry) {
    if isMintedForNow(id) { takeFreeIdentity(id, entry) }
  }

  /// Gives a file another identity that has not been announced under its former one, and asks for its tag.
  mutating func renew(_ id: NodeID, _ uuid: UUIDBits) {
    graph.setUUID(ofFile: id, uuid)
    graph.setFlags(id, .tagged, false)
    // A tag that could not be read is not overwritten.
    guard graph[id].flags.isDisjoint(with: [.copying, .tagUnread]) else { return }
    requests.append(.writeTag(id, claiming: false))
  }

  /// Announces that files or directories have other identities.
  ///
  /// A directory's new identity is announced before its contents, and the end of its former one after them. Missing
  /// names end.
  ///
  /// - Parameters:
  ///   - files: Each by one name, which becomes its oldest, with its new identity. They may exchange their identities.
  ///   - isTagged: Whether the files are complete, and their tags have the new identities.
  mutating func reidentify(_ files: [(id: NodeID, uuid: UUIDBits)], isTagged: Bool) {
    var renewed = files.map { RenewedFile(id: $0.id, uuid: $0.uuid, otherNames: standingOthers(of: $0.id)) }
    renewed.sort { graph.storage.level(of: $0.id) < graph.storage.level(of: $1.id) }
    for file in renewed.reversed() { logEnd(of: file) }
    // Two files that exchange their identities must not share one in between.
    if renewed.count > 1 { for file in renewed { graph.setUUID(ofFile: file.id, .placeholder(for: file.id)) } }
    for file in renewed {
      graph.setUUID(ofFile: file.id, file.uuid)
      if !isTagged { continue }
      graph.setFlags(file.id, .tagged, true)
      graph.setFlags(file.id, .tagUnread, false)
    }
    for file in renewed { logBeginning(of: file, isFinished: isTagged) }
  }

  /// The other names of a file; those that are missing are removed.
  private mutating func standingOthers(of id: NodeID) -> [NodeID] {
    guard graph.hasOtherNames(id) else { return [] }
    let others = graph.names(of: id).filter { $0 != id }
    for name in others where unresolved[name] != nil { unlink(name) }
    return others.filter { graph.isLive($0) }
  }

  private mutating func logEnd(of file: RenewedFile) {
    for name in file.otherNames { log.append(.unlinked, name, in: graph, by: .anotherIdentity) }
    log.append(.deleted, file.id, in: graph, reason: .replaced, by: .anotherIdentity)
  }

  private mutating func logBeginning(of file: RenewedFile, isFinished: Bool) {
    let isReturned = isFinished && endedIdentities.contains(file.uuid)
    log.appendDiscovery(of: file.id, in: graph, isReturned: isReturned, by: .anotherIdentity)
    if isFinished, graph[file.id].kind == .file {
      log.append(.copyFinished, file.id, in: graph, by: .anotherIdentity)
    }
    for name in file.otherNames { log.append(.linked, name, in: graph, by: .anotherIdentity) }
  }
}

extension UUIDBits {
  /// An identity that no file has, for use in between.
  fileprivate static func placeholder(for id: NodeID) -> UUIDBits { UUIDBits(high: .max, low: UInt64(id.rawValue)) }
}
