public import FoundationEssentials
internal import SystemPackage

// Calls with a file URL in place of a path. A URL that is not a file URL names no item.

extension FileSystemObserver {
  /// The items directly in the directory at a file URL, in no particular order.
  public func children(of url: URL) -> [FileSystemItem.Snapshot] { (try? FilePath(url)).map { children(of: $0) } ?? [] }

  /// Gives the item at a file URL a UUID without blocking the calling thread; see the call with a path.
  ///
  /// - Throws: The same errors, and `invalidArgument` for a URL that is not a file URL.
  public func adopt(_ uuid: UUID, forItemAt url: URL) async throws(FileSystemObserverError) {
    try await adopt(uuid, forItemAt: try FilePath(argument: url))
  }

  /// Closes everything on the file system mounted at a file URL; see the call with a path.
  ///
  /// - Throws: The same errors, and `invalidArgument` for a URL that is not a file URL.
  public func release(mountedAt url: URL) throws(FileSystemObserverError) {
    try release(mountedAt: try FilePath(argument: url))
  }

  /// Closes everything on the file system mounted at a file URL without blocking the calling thread.
  ///
  /// - Throws: The same errors, and `invalidArgument` for a URL that is not a file URL.
  public func release(mountedAt url: URL) async throws(FileSystemObserverError) {
    try await release(mountedAt: try FilePath(argument: url))
  }
}

extension FileSystemSnapshot {
  /// The items directly in the directory at a file URL, in no particular order.
  public func children(of url: URL) -> [FileSystemItem.Snapshot] { (try? FilePath(url)).map { children(of: $0) } ?? [] }
}

extension FileSystemTree {
  /// The item at a file URL below the observed directory; `nil` if there is none.
  public subscript(url: URL) -> Item? { (try? FilePath(url)).flatMap { self[$0] } }

  /// The items directly in the directory at a file URL, in no particular order.
  public func children(of url: URL) -> [Item] { (try? FilePath(url)).map { children(of: $0) } ?? [] }
}
