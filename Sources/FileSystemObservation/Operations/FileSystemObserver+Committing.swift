internal import LinuxFileSystem
package import SystemPackage

extension FileSystemObserver {
  /// Has an operation take effect: between two steps of the engine if the observer runs, and otherwise directly.
  ///
  /// - Parameters:
  ///   - source: The path that the operation's item leaves.
  ///   - destination: The path of the operation's item afterwards.
  ///   - isMaking: Whether the operation makes the item, or brings it from outside the observed directory.
  ///   - reason: Why items end, if the operation removes them.
  ///   - audience: The listeners to notify.
  ///   - commit: Makes the system calls, and returns what the engine cannot see.
  package func commit(
    from source: FilePath? = nil, to destination: FilePath? = nil, isMaking: Bool = false,
    reason: DeletionReason? = nil, notifying audience: Audience = .everyone,
    _ commit: () throws(Errno) -> CommittedItem
  ) throws(Errno) {
    guard let run = state.withLock({ $0.run }) else { return _ = try commit() }
    let names = source.flatMap { run.namesOfItem($0) }
    let operation = OwnOperation(
      from: names, to: destination.flatMap { run.namesOfItem($0) }, isMaking: isMaking,
      isBringing: source != nil && names == nil, reason: reason)
    if operation.source == nil && operation.destination == nil { return _ = try commit() }
    try run.driver.perform(operation, announcing: { [hub] body in hub.whileNotifying(audience, body) }, commit)
  }
}

extension FileSystemObserver.Run {
  /// The names of an item below the observed directory; `nil` for that directory and for an item outside it.
  fileprivate func namesOfItem(_ path: FilePath) -> [FileName]? {
    names(below: path.lexicallyNormalized()).flatMap { $0.isEmpty ? nil : $0 }
  }
}
