internal import FileIdentity
internal import FoundationEssentials
internal import LinuxFileSystem
internal import SystemPackage

// What is done to a document by its UUID, wherever it is now.

extension FileSystemObserver {
  /// How often a document is looked for that is moved again and again.
  private static var mostPlaces: Int { 4 }

  /// Does something at the path of an item, on a thread of its own; if the item has left, at the path where it is then.
  ///
  /// If it was a copy that its original has taken over, it is the original.
  ///
  /// - Parameters:
  ///   - isOfAnother: Whether a failure shows that another item was at the path; ESTALE always does.
  ///   - body: Called with the path, and the UUID of what is there.
  /// - Throws: `outsideTree` if there is no such item, or the last failure.
  func performing<Outcome: Sendable>(
    onItemWith uuid: UUID, isOfAnother: (FileSystemObserverError, FilePath) -> Bool,
    _ body: @escaping @Sendable (FilePath, UUID) throws(FileSystemObserverError) -> Outcome
  ) async throws(FileSystemObserverError) -> Outcome {
    var failure = FileSystemObserverError(noItemWith: uuid)
    for _ in 0..<Self.mostPlaces {
      let item = itemOrHeir(of: uuid)
      if let item {
        do {
          return try await performing { (_) throws(FileSystemObserverError) in try body(item.path, item.uuid) }
        } catch {
          failure = error
        }
      }
      // It may be elsewhere, and the event not taken in yet.
      await synchronize()
      guard let next = itemOrHeir(of: uuid) else { throw FileSystemObserverError(noItemWith: uuid) }
      if next.path == item?.path, next.uuid == item?.uuid, failure.errno != .staleNFSFileHandle,
        !isOfAnother(failure, next.path)
      {
        throw failure
      }
    }
    throw failure
  }

  private func itemOrHeir(of uuid: UUID) -> FileSystemItem.Snapshot? {
    if let item = self[uuid] { return item }
    let heir = state.withLock { $0.run }?.driver.state.heir(of: UUIDBits(uuid))
    return heir.flatMap { self[UUID($0)] }
  }
}

extension FileSystemObserverError {
  fileprivate init(noItemWith uuid: UUID) {
    self.init(
      code: .outsideTree,
      sentence: "no item has the UUID \(uuid.uuidString): it was deleted or moved out; name the document by a path")
  }
}
