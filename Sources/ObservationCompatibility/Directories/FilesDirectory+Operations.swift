public import FileSystemObservation
public import SystemPackage

// Operations on the items of a directory. Each takes a name in the directory, or a path below it.

extension FilesDirectory {
  /// The listeners that an operation notifies.
  public typealias Audience = FileSystemObserver.Audience
  /// The result of an operation.
  public typealias Operation = FileSystemObserver.Operation
  /// The version of a file's contents.
  public typealias ContentVersion = FileSystemObserver.ContentVersion

  /// Writes a file atomically: replaces its contents, or creates it.
  ///
  /// A file that exists keeps its identity, permissions and other attributes. Blocks until the disk has everything.
  ///
  /// - Parameters:
  ///   - contents: The contents.
  ///   - name: The name of the file.
  ///   - version: The version that the file must have; if `nil`, any, and the file may be missing.
  ///   - audience: The listeners to notify.
  /// - Returns: The file.
  /// - Throws: The errors of `FileSystemObserver.replaceContents(of:with:ifUnchangedSince:notifying:)` and
  ///   `FileSystemObserver.createFile(at:contents:naming:notifying:)`.
  @discardableResult
  public func write(
    _ contents: some Collection<UInt8>, to name: FilePath, ifUnchangedSince version: ContentVersion? = nil,
    notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    do throws(FileSystemObserverError) {
      return try observer.replaceContents(
        of: path(name), with: contents, ifUnchangedSince: version, notifying: audience)
    } catch {
      guard version == nil, error.errno == .noSuchFileOrDirectory else { throw error }
      return try observer.createFile(at: path(name), contents: contents, notifying: audience)
    }
  }

  /// Reads a file, and says which version of the contents that is.
  ///
  /// Give the version to ``write(_:to:ifUnchangedSince:notifying:)`` to write only if no program wrote in between.
  ///
  /// - Parameter name: The name of the file.
  /// - Throws: `notAFile`; `itemIsBusy` if another program writes it all the time; `fileOperationFailed` with the reason.
  public func read(_ name: FilePath) throws(FileSystemObserverError) -> (contents: [UInt8], version: ContentVersion) {
    let contents = try observer.contents(of: path(name))
    return (Array(contents.data), contents.version)
  }

  /// Reads a file, transforms its contents, and writes them if no other program wrote in between.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - audience: The listeners to notify.
  ///   - transform: Called once, on this thread, with the contents; returns the new ones.
  /// - Returns: The file.
  /// - Throws: What the closure throws; `contentsChanged` if another program wrote in between, so try again; the errors
  ///   of ``read(_:)`` and ``write(_:to:ifUnchangedSince:notifying:)``.
  @discardableResult
  public func readAndWrite(
    _ name: FilePath, notifying audience: Audience = .everyone, afterTransforming transform: ([UInt8]) throws -> [UInt8]
  ) throws -> Operation {
    let (contents, version) = try read(name)
    return try write(try transform(contents), to: name, ifUnchangedSince: version, notifying: audience)
  }

  /// Removes an item, a directory with everything in it.
  ///
  /// - Throws: The errors of `FileSystemObserver.removeItem(at:notifying:)`.
  public func delete(_ name: FilePath, notifying audience: Audience = .everyone) throws(FileSystemObserverError) {
    try observer.removeItem(at: path(name), notifying: audience)
  }

  /// Removes items one by one; stops at the first error.
  ///
  /// - Throws: The error, with the path of the item that could not be removed. Those before it are gone.
  public func delete(
    _ names: some Sequence<FilePath>, notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) {
    for name in names { try delete(name, notifying: audience) }
  }

  /// Removes the items that all filters admit, and no others; stops at the first error.
  ///
  /// - Returns: The former paths of the removed items.
  /// - Throws: The error, with the path of the item that could not be removed. Those before it are gone.
  @discardableResult
  public func deleteContents(notifying audience: Audience = .everyone) throws(FileSystemObserverError) -> [FilePath] {
    let paths = contents().map(\.path)
    try delete(paths, notifying: audience)
    return paths
  }

  /// Creates a directory, and those that are missing above it.
  ///
  /// - Returns: The directory.
  /// - Throws: The errors of `FileSystemObserver.createDirectory(at:withIntermediateDirectories:naming:notifying:)`.
  @discardableResult
  public func createDirectory(
    _ name: FilePath, notifying audience: Audience = .everyone
  ) throws(FileSystemObserverError) -> Operation {
    try observer.createDirectory(at: path(name), withIntermediateDirectories: true, notifying: audience)
  }

  /// Makes several changes, of which listeners of ``observer`` hear when all are made.
  ///
  /// - Parameter updates: Makes the changes, on this thread. Calls must not be nested.
  /// - Returns: The result of the closure.
  public func performBatchUpdates<Result>(_ updates: () throws -> Result) rethrows -> Result {
    observer.suspend()
    defer { observer.resume() }
    return try updates()
  }

  private func path(_ name: FilePath) -> FilePath { name.isAbsolute ? name : directory.pushing(name) }
}
