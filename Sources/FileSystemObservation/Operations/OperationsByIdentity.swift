internal import FileIdentity
internal import FoundationEssentials
internal import LinuxFileSystem
internal import SystemPackage

// What is done to an item by its UUID, wherever it is now.

extension FileSystemObserver {
  /// An item as an operation finds it.
  struct FoundItem: Sendable {
    let uuid: UUID
    let path: FilePath
    /// With any other item at the path, the operation fails.
    let expected: ExpectedItem
  }

  /// How often an item is looked for that is moved again and again, also by other operations of the app.
  private static var mostPlaces: Int { 16 }

  /// Does something to an item at its path, on a thread of its own; if the item has left, at the path where it is then.
  ///
  /// If it was a copy that its original has taken over, it is the original.
  ///
  /// - Parameters:
  ///   - control: Ends it; so does the cancellation of the task.
  ///   - isOfAnother: Whether a failure shows that another item was at the path; ESTALE always does. After ENOENT, the item
  ///     may be back there.
  /// - Throws: `outsideTree` if there is no such item; `itemIsBusy` if it has left whenever it is found; `notRunning` or
  ///   `rootLost` if nothing is known of items now; or the failure.
  func performing<Outcome: Sendable>(
    onItemWith uuid: UUID, _ control: OperationControl = OperationControl(),
    isOfAnother: (FileSystemObserverError, FilePath) -> Bool = { _, _ in false },
    _ body: @escaping @Sendable (FoundItem, OperationControl) throws(FileSystemObserverError) -> Outcome
  ) async throws(FileSystemObserverError) -> Outcome {
    var last: (failure: FileSystemObserverError, path: FilePath)?
    var found = itemOrHeir(of: uuid)
    for _ in 0..<Self.mostPlaces {
      if let item = found {
        switch await attempt(on: item, control, body) {
        case .done(let outcome): return outcome
        case .failed(let error, let isThere):
          if isThere, !error.hasMissed(item.path), !isOfAnother(error, item.path) { throw error }
          last = (error, item.path)
        }
      }
      // It may be elsewhere, and the event not taken in yet.
      await synchronize()
      if let error = await reasonWhyNoItemIsFound() { throw error }
      found = itemOrHeir(of: uuid)
      if found == nil { throw FileSystemObserverError(noItemWith: uuid) }
    }
    guard let last else { throw FileSystemObserverError(noItemWith: uuid) }
    throw FileSystemObserverError(alwaysMoved: last.path, last.failure)
  }

  private enum Attempt<Outcome: Sendable>: Sendable {
    case done(Outcome)
    /// - Parameter isThere: Whether the item is still at its path.
    case failed(FileSystemObserverError, isThere: Bool)
  }

  private func attempt<Outcome: Sendable>(
    on item: FoundItem, _ control: OperationControl,
    _ body: @escaping @Sendable (FoundItem, OperationControl) throws(FileSystemObserverError) -> Outcome
  ) async -> Attempt<Outcome> {
    await performing(control) { (control) throws(Never) in
      do throws(FileSystemObserverError) {
        return .done(try body(item, control))
      } catch {
        let operations = self.operations(on: OperationTarget(), expecting: item.expected, notifying: .everyone)
        return .failed(error, isThere: operations.findsExpectedItem(at: item.path))
      }
    }
  }

  /// Why nothing is known of any item now; `nil` while the folder is observed.
  private func reasonWhyNoItemIsFound() async -> FileSystemObserverError? {
    let (run, wait) = state.withLock { ($0.run, $0.wait) }
    guard let run else { return wait.map { $0.error } ?? notRunning }
    return await withCheckedContinuation { continuation in
      run.driver.perform { engine in
        guard let engine else { return continuation.resume(returning: self.notRunning) }
        continuation.resume(returning: engine.isRootLost ? engine.rootLossError : nil)
      }
    }
  }

  private func itemOrHeir(of uuid: UUID) -> FoundItem? {
    guard let run = state.withLock({ $0.run }) else { return nil }
    let known = UUIDBits(uuid)
    return run.item(with: known) ?? run.driver.state.heir(of: known).flatMap { run.item(with: $0) }
  }
}

extension FileSystemObserver {
  /// Whether the observer has an inode under a UUID.
  func hasInode(of status: FileStatus, as uuid: UUIDBits) -> Bool {
    guard let run = state.withLock({ $0.run }), let item = run.item(with: uuid) else { return false }
    return item.expected.isFound(in: .none, status)
  }
}

extension FileSystemObserver.Run {
  fileprivate func item(with uuid: UUIDBits) -> FileSystemObserver.FoundItem? {
    driver.state.place(ofItemWith: uuid, below: directory).map {
      FileSystemObserver.FoundItem(uuid: UUID(uuid), path: $0.path, expected: $0.item)
    }
  }
}

extension FileSystemObserverError {
  /// Whether the item was not at its path when this was tried.
  fileprivate func hasMissed(_ path: FilePath) -> Bool {
    errno == .staleNFSFileHandle || errno == .noSuchFileOrDirectory && self.path == path
  }

  fileprivate init(noItemWith uuid: UUID) {
    self.init(
      code: .outsideTree,
      sentence: "no item has the UUID \(uuid.uuidString): it was deleted or moved out; name the document by a path")
  }

  /// - Parameter failure: Why the last attempt has failed.
  fileprivate init(alwaysMoved path: FilePath, _ failure: FileSystemObserverError) {
    self.init(
      code: .itemIsBusy,
      sentence: "\(path) is moved or replaced all the time, last while this was tried: \(failure.message)",
      path: path, errno: failure.errno)
  }
}
