internal import FoundationEssentials
internal import SystemPackage

// What is done to a document by its UUID, wherever it is now.

extension FileSystemObserver {
  /// How often a document is looked for that is moved again and again.
  private static var mostPlaces: Int { 4 }

  /// Does something at the path of an item, on a thread of its own; if the item has left, at the path where it is then.
  ///
  /// - Parameters:
  ///   - isOfAnother: Whether a failure shows that another item was at the path; ESTALE always does.
  ///   - body: Called with the path.
  /// - Throws: `outsideTree` if there is no such item, or the last failure.
  func performing<Outcome: Sendable>(
    onItemWith uuid: UUID, isOfAnother: (FileSystemObserverError, FilePath) -> Bool,
    _ body: @escaping @Sendable (FilePath) throws(FileSystemObserverError) -> Outcome
  ) async throws(FileSystemObserverError) -> Outcome {
    var failure = FileSystemObserverError(noItemWith: uuid)
    for _ in 0..<Self.mostPlaces {
      let path = path(forItemWith: uuid)
      if let path {
        do {
          return try await performing { (_) throws(FileSystemObserverError) in try body(path) }
        } catch {
          failure = error
        }
      }
      // It may be elsewhere, and the event not taken in yet.
      await synchronize()
      guard let next = self.path(forItemWith: uuid) else { throw FileSystemObserverError(noItemWith: uuid) }
      if next == path, failure.errno != .staleNFSFileHandle, !isOfAnother(failure, next) { throw failure }
    }
    throw failure
  }
}

extension FileSystemObserverError {
  fileprivate init(noItemWith uuid: UUID) {
    self.init(
      code: .outsideTree,
      sentence: "no item has the UUID \(uuid.uuidString): it was deleted or moved out; name the document by a path")
  }
}
