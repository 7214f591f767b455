internal import Dispatch
internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// Requests to a running observer, besides look-ups.

extension FileSystemObserver {
  /// Waits until every change made before the call is announced.
  ///
  /// For tests, and for code that acts on the current state. When it returns, all changes made before the call have
  /// been announced, also those held back by a deletion delay or a quiet period, so it takes about a second after a
  /// change, and after a mount or unmount in the tree up to ten. After a start with a store it waits for what has
  /// happened since the last run. Notification blocks have run for these changes, and queues and sequences have received
  /// them: a loop over a sequence may still have to take them from it.
  ///
  /// It does not wait for a file that a program still has open for writing, or that cannot be asked about because another
  /// user has it, nor for a download under a partial name.
  ///
  /// The tags of many new files are written a moment after their announcement. Wait for them before another program
  /// copies the folder, or before the disk is removed.
  ///
  /// Returns at once if the observer does not run, and when observation ends. Do not call it in a notification block:
  /// it waits for the blocks and would deadlock.
  ///
  /// - Parameter writingTags: Whether tags that wait for the end of a burst are written now, and awaited. Files that can
  ///   have no tag stay without one.
  public func synchronize(writingTags: Bool = false) async {
    let running = state.withLock { state in
      state.waiterCount += state.run == nil ? 0 : 1
      return state.run
    }
    guard let run = running else { return }
    defer { state.withLock { $0.waiterCount -= 1 } }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let resume: @Sendable () -> Void = { [hub] in hub.afterBlocks { continuation.resume() } }
      run.driver.perform { engine in
        if let engine { engine.addBarrier(at: .now, writesTags: writingTags, resume) } else { resume() }
      }
    }
  }

  /// Waits until the store has every change made before the call, so that it outlasts the end of the process and a loss
  /// of power.
  ///
  /// The store is written up to a second after an announcement. If the process is killed before, the next start finds what
  /// it can by tags and inodes. Call this before something that may not be forgotten depends on an identity.
  ///
  /// Waits as ``synchronize(writingTags:)`` does, and then at most five seconds for the store.
  ///
  /// - Parameter writingTags: As in ``synchronize(writingTags:)``.
  /// - Returns: Whether the store has the changes; `false` if the observer does not run, has no store, or the store cannot
  ///   be written for now.
  @discardableResult
  public func synchronizeStore(writingTags: Bool = false) async -> Bool {
    await synchronize(writingTags: writingTags)
    guard let run = state.withLock({ $0.run }), let store = run.store else { return false }
    let number = run.driver.state.sequence
    return await offThread { store.flush(through: number) }
  }

  /// Gives an item a UUID that the app already has, for a document from a backup or from a merged library.
  ///
  /// The UUID is written as the item's tag. If the observer runs and has the item, it announces another item at the
  /// path: `deleted` (``DeletionReason/replaced``) for the old UUID and `discovered` for the new one; the call then
  /// blocks until the observer's current step ends. If the observer does not run, or the item is outside its directory,
  /// only the tag is written.
  ///
  /// - Parameters:
  ///   - uuid: The UUID. No other item of the tree may have it.
  ///   - path: An absolute path of a file or folder. A symbolic link cannot have a tag.
  /// - Throws: `identityInUse` if another item of the tree has the UUID, with that item's path; `itemIsBusy` if the
  ///   item is being moved or written: try again a second later; `notAFile` if the item cannot have a tag;
  ///   `fileOperationFailed` if no item is at the path or the tag cannot be written. After an error nothing has
  ///   changed.
  public func adopt(_ uuid: UUID, forItemAt path: FilePath) throws(FileSystemObserverError) {
    let path = path.lexicallyNormalized()
    guard let (adoption, directory) = adoptByEngine(UUIDBits(uuid), path) else {
      return try FileSystemIdentity(tagName: configuration.tagName).setUUID(uuid, forItemAt: path)
    }
    if let error = FileSystemObserverError(adoption, uuid, at: path, below: directory) { throw error }
  }

  /// Gives an item a UUID without blocking the calling thread; see the synchronous call.
  public func adopt(_ uuid: UUID, forItemAt path: FilePath) async throws(FileSystemObserverError) {
    try await offThread { () throws(FileSystemObserverError) in
      // Selects the synchronous overload.
      let adopt: (UUID, FilePath) throws(FileSystemObserverError) -> Void = self.adopt(_:forItemAt:)
      try adopt(uuid, path)
    }
  }

  /// Gives the item at a file URL a UUID; see the call with a path.
  ///
  /// - Throws: The same errors, and `invalidArgument` for a URL that is not a file URL.
  public func adopt(_ uuid: UUID, forItemAt url: URL) throws(FileSystemObserverError) {
    try adopt(uuid, forItemAt: try FilePath(argument: url))
  }

  /// Lets the engine adopt the UUID; `nil` if the observer does not run or the path is outside its directory.
  private func adoptByEngine(_ uuid: UUIDBits, _ path: FilePath) -> (Adoption, FilePath)? {
    guard let run = state.withLock({ $0.run }), let names = run.names(below: path) else { return nil }
    guard names.isEmpty else {
      return run.driver.ask { engine in (engine.adopt(uuid, forItemAt: names, .now), run.directory) }
    }
    // The observed directory itself bears a tag only: it is no item.
    let holder = run.driver.ask { $0.pathOfItem(with: uuid) } ?? nil
    return holder.map { (.inUse($0), run.directory) }
  }

  /// Closes everything that the observer has open on a file system, so that the app can unmount it.
  ///
  /// On a file system below the observed directory the observer keeps nothing open, except for short look-ups; when
  /// this returns, no look-up is in progress. If the observed directory itself is on the file system, observation ends
  /// with `rootLost`; with ``RootLossPolicy/waitForReturn`` the observer waits until the same or another file system is
  /// mounted.
  ///
  /// Blocks until the observer's current step ends: a moment, longer for a scan of a large tree.
  ///
  /// - Parameter path: The mount point.
  /// - Throws: `invalidArgument` if the path is not a mount point.
  public func release(mountedAt path: FilePath) throws(FileSystemObserverError) {
    let path = path.lexicallyNormalized()
    let isMounted = state.withLock({ $0.run })?.driver.ask { $0.release(mountedAt: path) }
    guard isMounted == false else { return }
    throw FileSystemObserverError(
      code: .invalidArgument, sentence: "nothing is mounted at \(path); name the folder on which it is mounted",
      path: path)
  }

  /// Closes everything on a file system without blocking the calling thread; see the synchronous call.
  public func release(mountedAt path: FilePath) async throws(FileSystemObserverError) {
    try await offThread { () throws(FileSystemObserverError) in
      let release: (FilePath) throws(FileSystemObserverError) -> Void = self.release(mountedAt:)
      try release(path)
    }
  }
}

extension FileSystemObserverError {
  /// The error of a failed adoption; `nil` if the adoption succeeded.
  fileprivate init?(_ adoption: Adoption, _ uuid: UUID, at path: FilePath, below directory: FilePath) {
    switch adoption {
    case .done: return nil
    case .notFound: self.init(.set, ofItemAt: path, .noSuchFileOrDirectory)
    case .failed(.notSupported):
      self.init(code: .notAFile, sentence: "\(path): it bears no tag, so that no UUID can be given to it", path: path)
    case .failed(let errno): self.init(.set, ofItemAt: path, errno)
    case .inUse(let other):
      self.init(
        code: .identityInUse, sentence: "\(path): another item has the UUID \(uuid.uuidString): \(other)", path: other)
    case .busy:
      self.init(
        code: .itemIsBusy, sentence: "\(path): it is being moved or written; try again in a second", path: path)
    }
  }
}
