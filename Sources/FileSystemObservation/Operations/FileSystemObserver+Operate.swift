internal import FileIdentity
internal import FoundationEssentials
internal import LinuxFileSystem
internal import SystemPackage

/// What an operation does to the places that it names.
struct OperationTarget: Sendable {
  /// The path that the item leaves.
  var source: FilePath?
  /// The path of the item afterwards.
  var destination: FilePath?
  /// Whether the operation makes the item, or its new version.
  var isMaking = false
  /// Whether there is an item at the destination already.
  var isReplacing = false
  /// Why items end, if the operation removes them.
  var reason: DeletionReason?

  static func making(_ path: FilePath) -> OperationTarget { OperationTarget(destination: path, isMaking: true) }

  static func replacing(_ path: FilePath, reason: DeletionReason? = nil) -> OperationTarget {
    OperationTarget(destination: path, isMaking: true, isReplacing: true, reason: reason)
  }

  static func removing(_ path: FilePath) -> OperationTarget { OperationTarget(source: path, reason: .removed) }
}

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
    return DocumentOperations(
      tag: FileTag(name: configuration.tagName), writesTags: configuration.tagging != .never, expecting: item,
      committing: { (item, commit) throws(Errno) in
        let target = item.target ?? target
        try self.commit(
          from: target.source, to: target.destination, isMaking: target.isMaking,
          below: needed, reason: target.reason, notifying: audience
        ) { () throws(Errno) in
          try commit()
          return item
        }
      })
  }

  /// The item as the observer has it, if that is the one that the operation has made or moved.
  private func known(_ made: OperationOutcome.Item, at path: FilePath) -> FileSystemItem.Snapshot? {
    let item = self[observedPath(of: path)]
    return item.flatMap { !made.isTagged || made.uuid == UUIDBits($0.uuid) ? $0 : nil }
  }

  /// The UUID by which the observer knows an item.
  func knownUUID(_ path: FilePath) -> UUIDBits? { uuid(forItemAt: observedPath(of: path)).map { UUIDBits($0) } }
}
