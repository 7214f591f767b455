internal import FileIdentity
internal import FoundationEssentials
internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Performs an operation on the disk, and has it announced.
  ///
  /// - Parameters:
  ///   - item: The item that it is meant for; `nil` for whatever is at its path.
  ///   - body: Prepares the operation and commits it.
  func operate<Failure: Error>(
    on target: OperationTarget, expecting item: ExpectedItem? = nil, notifying audience: Audience,
    _ body: (DocumentOperations) throws(Failure) -> OperationOutcome
  ) throws(Failure) -> Operation {
    let before = target.destination == nil ? target.source.flatMap { self[observedPath(of: $0)] } : nil
    let outcome = try body(operations(on: target, expecting: item, notifying: audience))
    let path = (target.destination ?? target.source ?? FilePath("/")).lexicallyNormalized()
    let made = outcome.requested
    return Operation(
      item: before ?? known(made, at: path) ?? FileSystemItem.Snapshot(made, at: path),
      version: outcome.item.status.kind == .file ? outcome.version : nil, cursor: currentCursor,
      notCarried: outcome.notCarried, leftOut: outcome.leftOut, leftOver: outcome.leftOver,
      trashedItem: outcome.trashedItem,
      previousPath: target.destination == nil ? nil : target.source?.lexicallyNormalized(),
      original: made.original.map { UUID($0) })
  }

  /// The operations with this observer's configuration.
  func operations(
    on target: OperationTarget, expecting item: ExpectedItem? = nil, notifying audience: Audience
  ) -> DocumentOperations {
    let configuration = configuration
    let needed = target.isReplacing ? nil : target.destination
    let located = target.located()
    return DocumentOperations(
      tag: FileTag(name: configuration.tagName), writesTags: configuration.tagging != .never, expecting: item,
      committing: { (item, commit) throws(Errno) in
        try self.commit(item.target?.located() ?? located, below: needed, notifying: audience) { () throws(Errno) in
          try commit()
          return item
        }
      })
  }

  /// The item as the observer has it, if that is the one that the operation has made or moved.
  ///
  /// Its folder may have another path by now. If another program has made a file with its UUID meanwhile, it has a new one.
  private func known(_ made: OperationOutcome.Item, at path: FilePath) -> FileSystemItem.Snapshot? {
    if let item = self[observedPath(of: path)] {
      let uuid = UUIDBits(item.uuid)
      if !made.isTagged || made.uuid == uuid || hasInode(of: made.status, as: uuid) { return item }
    }
    guard made.isTagged, let uuid = made.uuid, hasInode(of: made.status, as: uuid) else { return nil }
    return self[UUID(uuid)]
  }

  /// The UUID by which the observer knows an item.
  func knownUUID(_ path: FilePath) -> UUIDBits? { uuid(forItemAt: observedPath(of: path)).map { UUIDBits($0) } }
}
