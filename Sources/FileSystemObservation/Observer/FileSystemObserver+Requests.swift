internal import Dispatch
internal import FileIdentity
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

// What an app wants of an observer that runs, besides looking things up.

extension FileSystemObserver {
  /// Waits until everything is announced that had happened before the call.
  ///
  /// For tests, and for whoever wants to act on what is there now. All changes that had been made to the tree by then
  /// have been announced when it returns, those included that wait for a deletion delay or a quiet period; so it takes
  /// about a second where something has just happened. Notification blocks have run for them, and queues and sequences
  /// have them. A file that somebody has still open for writing is not waited for, nor a download under a partial name.
  ///
  /// It returns at once where the observer does not run, and when observation ends. Do not call it from a notification
  /// block: it waits for that.
  public func synchronize() async {
    guard let run = state.withLock({ $0.run }) else { return }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let resume: @Sendable () -> Void = { [hub] in hub.afterBlocks { continuation.resume() } }
      run.driver.perform { engine in
        if let engine { engine.addBarrier(at: .now, resume) } else { resume() }
      }
    }
  }

  /// Gives an item a UUID that the app knows better: of a document from a backup, or from a library that is merged into
  /// this one.
  ///
  /// The UUID is written as the item's tag. Where the observer runs and has the item, it announces that another item is
  /// at the path now: `deleted` (``DeletionReason/replaced``) for the UUID it had, and `discovered` for this one; then
  /// this call waits for the step that the observer is in. Where it does not run, or the item is not in its directory,
  /// only the tag is written.
  ///
  /// - Parameters:
  ///   - uuid: The UUID. No other item of the tree may have it.
  ///   - path: An absolute path of a file or folder. A symbolic link bears no tag.
  /// - Throws: `identityInUse` where another item of the tree has the UUID, with its path; `itemIsBusy` where the item
  ///   is being moved or written: try again a second later; `notAFile` for what bears no tag; `fileOperationFailed`
  ///   where nothing is there, or the tag cannot be written. Nothing is changed then.
  public func adopt(_ uuid: UUID, forItemAt path: FilePath) throws(FileSystemObserverError) {
    let path = path.lexicallyNormalized()
    guard let (adoption, directory) = adoptByEngine(UUIDBits(uuid), path) else {
      return try FileSystemIdentity(tagName: configuration.tagName).setUUID(uuid, forItemAt: path)
    }
    if let error = FileSystemObserverError(adoption, uuid, at: path, below: directory) { throw error }
  }

  /// Gives an item a UUID, without a wait of the calling thread; the same as the call that is not asynchronous.
  public func adopt(_ uuid: UUID, forItemAt path: FilePath) async throws(FileSystemObserverError) {
    try await offThread { () throws(FileSystemObserverError) in
      // The call that waits is meant, which is chosen where nothing is asynchronous.
      let adopt: (UUID, FilePath) throws(FileSystemObserverError) -> Void = self.adopt(_:forItemAt:)
      try adopt(uuid, path)
    }
  }

  /// Gives an item at a file URL a UUID; see the call with a path.
  ///
  /// - Throws: As that, and `invalidArgument` for a URL that is no file's.
  public func adopt(_ uuid: UUID, forItemAt url: URL) throws(FileSystemObserverError) {
    try adopt(uuid, forItemAt: try FilePath(argument: url))
  }

  /// Has the engine do it; nothing where the observer does not run, or the path is not in its directory.
  private func adoptByEngine(_ uuid: UUIDBits, _ path: FilePath) -> (Adoption, FilePath)? {
    guard let run = state.withLock({ $0.run }), let names = run.names(below: path), !names.isEmpty else { return nil }
    return run.driver.ask { engine in (engine.adopt(uuid, forItemAt: names, .now), run.directory) }
  }

  /// Closes everything that the observer has open on a file system, so that the app can unmount it: eject a stick.
  ///
  /// Of a file system below the observed directory nothing stays open anyway, but for the moments in which something is
  /// looked at there; when this returns, none of these goes on. Where the observed directory itself is on it,
  /// observation ends with `rootLost`; with ``RootLossPolicy/waitForReturn`` it waits until something else is mounted,
  /// or the same again.
  ///
  /// It waits for the step that the observer is in: a moment, but for a scan of a large tree.
  ///
  /// - Parameter path: Where the file system is mounted.
  /// - Throws: `invalidArgument` where nothing is mounted at the path.
  public func release(mountedAt path: FilePath) throws(FileSystemObserverError) {
    let path = path.lexicallyNormalized()
    let isMounted = state.withLock({ $0.run })?.driver.ask { $0.release(mountedAt: path) }
    guard isMounted == false else { return }
    throw FileSystemObserverError(
      code: .invalidArgument, sentence: "nothing is mounted at \(path); name the folder on which it is mounted",
      path: path)
  }

  /// Closes everything on a file system, without a wait of the calling thread; the same as the call that is not
  /// asynchronous.
  public func release(mountedAt path: FilePath) async throws(FileSystemObserverError) {
    try await offThread { () throws(FileSystemObserverError) in
      let release: (FilePath) throws(FileSystemObserverError) -> Void = self.release(mountedAt:)
      try release(path)
    }
  }
}

extension FileSystemObserverError {
  /// Why an item could not be given a UUID; nothing where it could.
  fileprivate init?(_ adoption: Adoption, _ uuid: UUID, at path: FilePath, below directory: FilePath) {
    switch adoption {
    case .done: return nil
    case .notFound: self = Self.failed(path, .noSuchFileOrDirectory)
    case .failed(.notSupported):
      self.init(code: .notAFile, sentence: "\(path): it bears no tag, so that no UUID can be given to it", path: path)
    case .failed(let errno): self = Self.failed(path, errno)
    case .inUse(let other):
      self.init(
        code: .identityInUse, sentence: "\(path): another item has the UUID \(uuid.uuidString): \(other)", path: other)
    case .busy:
      self.init(
        code: .itemIsBusy, sentence: "\(path): it is being moved or written; try again in a second", path: path)
    }
  }

  private static func failed(_ path: FilePath, _ errno: Errno) -> Self {
    Self(code: .fileOperationFailed, sentence: "\(path): \(errno)", path: path, errno: errno)
  }
}
