internal import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension FileSystemObserver {
  /// Has an operation take effect: between two steps of the engine if the observer runs, and otherwise directly.
  ///
  /// - Parameters:
  ///   - located: What the operation does, and where.
  ///   - needed: A path that the operation leads to, if it makes something: it fails while the observed directory is
  ///     away that would have the path.
  ///   - audience: The listeners to notify.
  ///   - commit: Makes the system calls, and returns what the engine cannot see.
  package func commit(
    _ located: LocatedTarget, below needed: FilePath? = nil, notifying audience: Audience = .everyone,
    _ commit: () throws(Errno) -> CommittedItem
  ) throws(Errno) {
    guard let run = state.withLock({ $0.run }) else {
      if let needed, isAwaited(needed) { throw .observedDirectoryIsAway }
      return _ = try commit()
    }
    let target = located.target
    let source = target.source.flatMap { run.place(of: $0, in: located.sourceFolder) }
    let destination = target.destination.flatMap { run.place(of: $0, in: located.destinationFolder) }
    var operation = OwnOperation(
      from: source, to: destination, isMaking: target.isMaking, isReplacing: target.isReplacing,
      isBringing: target.source != nil && source == nil, reason: target.reason)
    if let needed, source == nil {
      // What is below the destination is in the tree if that is.
      operation.needsRoot = operation.destination != nil || run.namesOfItem(needed) != nil
    }
    if operation.isElsewhere, !operation.needsRoot { return _ = try commit() }
    let announce = { @Sendable [hub] body in hub.whileNotifying(audience, body) }
    try hub.whileOperating { () throws(Errno) in try run.driver.perform(operation, announcing: announce, commit) }
  }

  /// Whether a path is below the observed directory, for which the observer waits.
  private func isAwaited(_ path: FilePath) -> Bool {
    let (configuration, wait) = state.withLock { ($0.configuration, $0.wait) }
    return wait != nil && path.lexicallyNormalized().starts(with: configuration.directory.lexicallyNormalized())
  }
}

extension Errno {
  /// An operation would make something at the path of the observed directory, which is not there.
  static let observedDirectoryIsAway = Errno.operationNotSupportedByDevice
}

extension FileSystemObserver.Run {
  /// The place of an item below the observed directory.
  ///
  /// - Parameter directory: The folder that the item is in.
  fileprivate func place(of path: FilePath, in directory: FileKey?) -> OperationPlace? {
    namesOfItem(path).map { OperationPlace($0, in: directory) }
  }

  /// The names of an item below the observed directory; `nil` for that directory and for an item outside it.
  ///
  /// Symbolic links may lead to the item's folder; one at the end of the path is the item itself.
  func namesOfItem(_ path: FilePath) -> [FileName]? {
    (realNames(of: path) ?? names(below: path.lexicallyNormalized())).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The names of an item whose folder is below the observed directory; `nil` if it is not, or cannot be opened.
  private func realNames(of path: FilePath) -> [FileName]? {
    guard path.isAbsolute, let name = path.lastComponent, name.kind == .regular,
      let folder = try? OwnedDescriptor.openDirectory(at: path.removingLastComponent(), for: .search),
      var rest = FilePath.ofOpen(folder), rest.removePrefix(driver.state.rootPath)
    else { return nil }
    return rest.components.map(FileName.init) + [FileName(name)]
  }
}

extension FileSystemObserver {
  /// The path by which the observer has an item: in one of the app, symbolic links may lead to the item's folder.
  func observedPath(of path: FilePath) -> FilePath {
    guard let run = state.withLock({ $0.run }), let names = run.namesOfItem(path) else { return path }
    return names.reduce(run.directory) { $0.appending(bytes: $1.bytes) }
  }
}

extension ObservationState {
  fileprivate var rootPath: FilePath { content.withLock { $0.rootPath } }
}
