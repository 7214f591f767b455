import FileIdentity
package import LinuxFileSystem
package import SystemPackage

// Listing directories. Guards call no code of the caller's, because they may be left behind: they return what they
// find.

extension GuardedFileSystem {
  package func list(
    _ directory: DirectoryHandle, _ body: (NameView, ListedKind, UInt64) -> Void
  ) throws(Errno) {
    if directory.isAutomount { return }
    guard let guardian = directory.mountGuard else { return try host.list(directory, body) }
    for entry in try entries(of: directory, guardian) { entry.name.withView { body($0, entry.kind, entry.inode) } }
  }

  package func visitEntries(
    of directory: DirectoryHandle, _ visitor: inout some EntryVisitor
  ) throws(Errno) {
    if directory.isAutomount { return }
    if let guardian = directory.mountGuard {
      let wanted = try entries(of: directory, guardian).filter { entry in
        entry.name.withView { visitor.wants($0, entry.kind) }
      }
      return show(wanted.map(\.name), of: directory, guardian, to: &visitor)
    }
    let crossings = mounts.crossings(in: directory)
    if crossings.isEmpty { return try host.visitEntries(of: directory, &visitor) }
    var inner = VisitorBesides(crossings: crossings, visitor: visitor)
    defer { visitor = inner.visitor }
    try host.visitEntries(of: directory, &inner)
    for (name, guardian) in inner.met { show([name], of: directory, guardian, to: &inner.visitor) }
  }

  private struct Listed: Sendable {
    let name: FileName
    let kind: ListedKind
    let inode: UInt64
  }

  private func entries(of directory: DirectoryHandle, _ guardian: MountGuard) throws(Errno) -> [Listed] {
    try guardian.perform { [host] progress throws(Errno) in
      var entries: [Listed] = []
      try host.list(host.reopenForListing(directory)) { name, kind, inode in
        entries.append(Listed(name: FileName(name), kind: kind, inode: inode))
        progress.note()
      }
      return entries
    }
  }

  /// How many entries to look at in one call.
  private static let entriesAtATime = 32

  private func show(
    _ names: [FileName], of directory: DirectoryHandle, _ guardian: MountGuard, to visitor: inout some EntryVisitor
  ) {
    for start in stride(from: 0, to: names.count, by: Self.entriesAtATime) {
      let some = Array(names[start..<min(start + Self.entriesAtATime, names.count)])
      let looks = looks(at: some, in: directory, guardian)
      for (name, look) in zip(some, looks) {
        guard let uuid = name.withView({ visitor.visit($0, look.status, look.tag) }),
          case .success(let status) = look.status
        else { continue }
        let outcome = name.withView { view in claim(uuid, for: view, in: directory, status, look.tag) }
        name.withView { visitor.noteTag(of: $0, outcome) }
      }
    }
  }

  private struct Look: Sendable {
    var status: Result<FileStatus, Errno>
    var tag = TagReading.none
  }

  private func looks(at names: [FileName], in directory: DirectoryHandle, _ guardian: MountGuard) -> [Look] {
    let looks: [Look]? = try? guardian.perform { [host] progress in
      names.map { name in name.withView { view in Self.look(at: view, in: directory, host, progress) } }
    }
    guard let looks else { return names.map { _ in Look(status: .failure(.timedOut)) } }
    guard directory.mountGuard == nil else { return looks }
    // The mount refuses: the permissions of its parent directory are not the cause.
    return looks.map { look in
      guard case .failure(.permissionDenied) = look.status else { return look }
      mounts.noteRefusal(by: guardian)
      return Look(status: .failure(.notPermitted))
    }
  }

  private static func look(
    at name: NameView, in directory: DirectoryHandle, _ host: HostFileSystem, _ progress: MountGuard.Progress
  ) -> Look {
    defer { progress.note() }
    var look = Look(status: Result { () throws(Errno) in try host.status(of: name, in: directory) })
    guard case .success(let status) = look.status, status.kind == .file || status.kind == .directory else {
      return look
    }
    progress.note()
    look.tag = host.readTag(of: name, in: directory)
    return look
  }

  private func claim(
    _ uuid: UUIDBits, for name: NameView, in directory: DirectoryHandle, _ status: FileStatus, _ tag: TagReading
  ) -> TagClaim {
    do throws(Errno) {
      switch try claimTag(uuid, for: name, in: directory, expecting: FileKey(status)) {
      case .written: return .written
      case .notWritten, .spared: return .found(readTag(of: name, in: directory))
      }
    } catch {
      return .failed(error, tag)
    }
  }
}

/// Passes on all entries except names of mounts that may not answer.
private struct VisitorBesides<Visitor: EntryVisitor>: EntryVisitor {
  let crossings: [FileName: GuardedMounts.Crossing]
  var visitor: Visitor
  /// Wanted names of such mounts, with their guards.
  var met: [(FileName, MountGuard)] = []

  init(crossings: [FileName: GuardedMounts.Crossing], visitor: Visitor) {
    self.crossings = crossings
    self.visitor = visitor
  }

  mutating func wants(_ name: NameView, _ kind: ListedKind) -> Bool {
    guard visitor.wants(name, kind) else { return false }
    guard case .guarded(let guardian) = crossings[FileName(name)] else { return true }
    met.append((FileName(name), guardian))
    return false
  }

  mutating func visit(_ name: NameView, _ status: Result<FileStatus, Errno>, _ tag: TagReading) -> UUIDBits? {
    visitor.visit(name, status, tag)
  }

  mutating func noteTag(of name: NameView, _ claim: TagClaim) { visitor.noteTag(of: name, claim) }

  var presumesNoTagBefore: Int64? { visitor.presumesNoTagBefore }
  var knownTag: KnownTag? { visitor.knownTag }
}
